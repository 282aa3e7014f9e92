// What can be done on a page, as data: a tool makes an action, the page performs it, the session records it, and a replay performs what was
// recorded.

import type { Point } from './geometry.ts'
import type { FieldContent } from './text/field-content.ts'

/** The element that a call names: by a selector, or by a ref of a snapshot. */
export type Target = { readonly selector: string } | { readonly ref: string }

/** The fields of a kind of action, and what the page returns for it. */
export interface ActionType<Fields, Result = void> {
  readonly fields: Fields
  readonly result: Result
}

/** A field of the actions that a test has no counterpart for. */
interface Unrepeatable {
  /** By which a recording names the action. */
  readonly tool: string
}

/** About a side effect; mostly empty. */
type Note = string

interface LoadingPage {
  /** It came from a framework that renders it on the server and attaches its handlers later. */
  readonly isHydrated?: boolean
  /** Its load event did not come, because something that it loads has no end. */
  readonly isEndless?: boolean
}

/** Every kind of action; `E` names an element: as a call does, or as a recording describes it.
 * @public Features add theirs. */
export interface ActionTypes<E> {
  navigate: ActionType<
    { readonly url: string; readonly waitUntil?: WaitUntil } & LoadingPage,
    NavigationResult
  >
  history: ActionType<{ readonly direction: 'back' | 'forward' | 'reload' } & LoadingPage, NavigationResult>
  click: ActionType<{ readonly element: E; readonly options: ClickOptions }, Note>
  /** Types key by key. Without an element the text goes to the focused one. */
  type: ActionType<
    TypeOptions & {
      readonly element?: E | undefined
      readonly text: string
      /** Whether the focused element is a secret field. */
      readonly isSecret?: boolean
      /** Whether the page needs every key, as where each moves the focus to the next field; setting the value would not do. */
      readonly needsKeys?: boolean
    },
    TypeResult
  >
  /** Sets the value of a field: a boolean for checkboxes, options for selects, a string for others. `isChoice`: it clicked the option that a
   * combobox listed for the value. */
  fill: ActionType<
    { readonly element: E; readonly value: FieldValue; readonly isChoice?: boolean },
    FillMethod | void
  >
  /** Submits the form that the element is in, or presses Enter in it. */
  submit: ActionType<{ readonly element: E }>
  /** Returns the labels of the selected options. */
  select: ActionType<{ readonly element: E; readonly values: readonly string[] }, readonly string[]>
  hover: ActionType<{ readonly element: E }>
  drag: ActionType<{ readonly element: E; readonly to: E }, Note>
  press: ActionType<{
    readonly key: string
    readonly element?: E | undefined
    readonly holdMs?: number
  }>
  mouse: ActionType<Unrepeatable & { readonly action: MouseAction }, MouseResult>
  /** `isDrop`: the files were dropped on the element, and not chosen. */
  upload: ActionType<Upload & { readonly element: E; readonly isDrop?: boolean }, UploadMethod>
  /** Waits until the condition holds. */
  check: ActionType<{ readonly condition: WaitCondition }>
  /** Answers the open dialog, and returns it. */
  dialog: ActionType<{ readonly accept: boolean; readonly promptText?: string | undefined }, Dialog>
  /** Returns the id of the tab. */
  openTab: ActionType<object, string>
  /** Without an id the active tab is closed. */
  closeTab: ActionType<{ readonly id?: string | undefined }>
}

export type ActionKind = keyof ActionTypes<unknown>

export type ActionResults = { readonly [K in ActionKind]: ActionTypes<unknown>[K]['result'] }

export type ActionOn<E, K extends ActionKind = ActionKind> = {
  [P in K]: { readonly kind: P } & ActionTypes<E>[P]['fields']
}[K]

export type Action = ActionOn<Target>

/** An action of a kind that a type parameter names. */
export type ActionOf<K extends ActionKind> = ActionOn<Target, K> & Action

/** The kinds that a test can repeat as they are. */
export type RepeatableKind = Exclude<
  { [K in ActionKind]: ActionTypes<unknown>[K]['fields'] extends Unrepeatable ? never : K }[ActionKind],
  'check'
>

export const elementsOf = <E>(action: ActionOn<E, RepeatableKind>): readonly E[] => [
  ...('element' in action && action.element !== undefined ? [action.element] : []),
  ...(action.kind === 'drag' ? [action.to] : []),
]

/** The action on other elements; undefined if one of its elements has no replacement. */
export function replaceElements<E, F extends object>(
  action: ActionOn<E, RepeatableKind>,
  replace: (element: E) => F | undefined,
): ActionOn<F, RepeatableKind> | undefined {
  if (action.kind === 'type' || action.kind === 'press') {
    const { element: original, ...rest } = action
    if (original === undefined) return rest
    const element = replace(original)
    return element && { ...rest, element }
  }
  if (!('element' in action)) return action
  const element = replace(action.element)
  if (action.kind !== 'drag') return element && { ...action, element }
  const to = replace(action.to)
  return element && to && { ...action, element, to }
}

export type WaitUntil = 'load' | 'domcontentloaded' | 'networkidle' | 'commit'

/** The page after a navigation; status 0 means that there was no response. */
export interface NavigationResult {
  readonly title: string
  readonly url: string
  readonly status: number
  /** The addresses that it still waits for, after a time without progress. */
  readonly awaiting?: string[]
  /** The server answered that it needs a name and a password. */
  readonly asksCredentials?: true
}

export interface ClickOptions {
  readonly force?: boolean
  readonly clickCount?: number
  readonly button?: MouseButton
  readonly modifiers?: readonly Modifier[]
  /** Relative to the top left corner of the element; its middle without it. */
  readonly position?: Point
}

export interface TypeOptions {
  /** Milliseconds between two keys. */
  readonly delay?: number | undefined
  readonly clear?: boolean | undefined
  readonly submit?: boolean | undefined
}

/** What a fill did beyond setting the value: it clicked an option, pressed keys that depend on the value before, or found that the list which
 * opened for the value has no such option, or that the list was open before. */
export type FillMethod = 'chosen' | 'keys' | 'unlisted' | 'open' | FormattedText

/** What an editor made of the text that was entered into it. */
export interface FormattedText {
  readonly text: string
}

export interface TypeResult {
  readonly note: string
  /** What the field was to have, and what it has. */
  readonly field?: { readonly entered: string; readonly content: FieldContent }
}

export type FieldValue = string | boolean | readonly string[]

export type MouseButton = 'left' | 'right' | 'middle'

export type Modifier = 'Alt' | 'Control' | 'ControlOrMeta' | 'Meta' | 'Shift'

/** What the mouse does at a point of the viewport. */
export type MouseAction = { readonly point: Point; readonly modifiers?: readonly Modifier[] } & (
  | { readonly kind: 'move' }
  | { readonly kind: 'click'; readonly button: MouseButton; readonly clickCount: number }
  | { readonly kind: 'down' | 'up'; readonly button: MouseButton }
  | { readonly kind: 'drag'; readonly button: MouseButton; readonly to: Point }
  | { readonly kind: 'wheel'; readonly deltaX: number; readonly deltaY: number }
)

/** `element` is the tag and id of the element at the point, empty if it is unknown. */
export interface MouseResult {
  readonly element: string
  readonly note: string
}

/** Real paths of files, or of one folder with the relative paths of its files. */
export interface Upload {
  readonly paths: readonly string[]
  readonly relativePaths?: readonly string[]
}

/** Whether files were set on a field or file chooser, or dropped on an element. */
export type UploadMethod = 'chosen' | 'dropped'

export interface WaitCondition {
  readonly element?: ElementCondition
  readonly text?: string
  readonly textGone?: string
  /** `text` is the requested URL or pattern. */
  readonly url?: { readonly text: string; readonly matches: (address: string) => boolean }
}

/** What must hold for an element at the same time, or with `not` the opposite of each. */
export interface ElementCondition {
  /** Without a target `aria` is about the whole page, and there are no checks. */
  readonly target?: Target
  readonly checks: readonly ElementCheck[]
  /** Lines that its snapshot has. */
  readonly aria?: readonly ExpectedLine[]
  readonly not: boolean
}

export interface Dialog {
  readonly type: string
  readonly message: string
  /** The default value of a prompt. */
  readonly suggestion?: string
}

/** The states of an element that a check can require. */
export const ASSERTED_STATES = [
  'visible',
  'hidden',
  'enabled',
  'disabled',
  'editable',
  'readonly',
  'checked',
  'unchecked',
  'focused',
  'empty',
] as const

export type ElementState = (typeof ASSERTED_STATES)[number] | 'attached' | 'detached'

/** `isFirst`: of the first match; otherwise exactly one element must match. `text` is contained in a visible match, ignoring case and
 * white space; its opposite needs a match, and none that contains it. `value` is also the label of a selected option. */
export type ElementCheck =
  | { readonly kind: 'state'; readonly state: ElementState; readonly isFirst?: boolean }
  | { readonly kind: 'value'; readonly value: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'count'; readonly count: number }

/** A line as a caller gives it. */
export interface ExpectedLine {
  readonly depth: number
  readonly text: string
}

export interface ElementName {
  readonly role: string
  readonly name: string
  readonly ref: string
}
