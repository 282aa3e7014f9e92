// What can be done on a page, as data: a tool makes an action, the page performs it, the session records it, and a replay performs what was
// recorded.

import type { Mock, MockRule } from '../network/mock.ts'
import type { SocketPush } from '../network/socket.ts'
import type { CurrentEmulation, EmulationChange } from '../session/emulation.ts'
import type { ElementCheck } from '../snapshot/element-check.ts'
import type { ExpectedLine } from '../snapshot/find-lines.ts'
import type { FieldContent } from '../text/field-content.ts'

/** The element that a call names: by a selector, or by a ref of a snapshot. */
export type Target = { readonly selector: string } | { readonly ref: string }

/** The fields of every kind of action. `E` names an element: as a call does, or as a recording describes it. */
interface ActionFields<E> {
  /** `isHydrated`: the page came from a framework that renders it on the server and attaches its handlers later. */
  readonly navigate: {
    readonly url: string
    readonly waitUntil?: WaitUntil
    readonly isHydrated?: boolean
  }
  readonly history: {
    readonly direction: 'back' | 'forward' | 'reload'
    readonly isHydrated?: boolean
  }
  readonly click: { readonly element: E; readonly options: ClickOptions }
  /** Types key by key. Without an element the text goes to the focused one. */
  readonly type: TypeOptions & {
    readonly element?: E | undefined
    readonly text: string
    /** Whether the focused element is a secret field. */
    readonly isSecret?: boolean
    /** Whether the page needs every key, as where each moves the focus to the next field; setting the value would not do. */
    readonly needsKeys?: boolean
  }
  /** Sets the value of a field: a boolean for checkboxes, options for selects, a string for others. */
  readonly fill: { readonly element: E; readonly value: FieldValue }
  /** Submits the form that the element is in, or presses Enter in it. */
  readonly submit: { readonly element: E }
  readonly select: { readonly element: E; readonly values: readonly string[] }
  readonly hover: { readonly element: E }
  readonly drag: { readonly element: E; readonly to: E }
  readonly press: {
    readonly key: string
    readonly element?: E | undefined
    readonly holdMs?: number
  }
  readonly mouse: { readonly action: MouseAction }
  /** `isDrop`: the files were dropped on the element, and not chosen. */
  readonly upload: Upload & { readonly element: E; readonly isDrop?: boolean }
  /** Waits until the condition holds. */
  readonly check: { readonly condition: WaitCondition }
  /** Answers the open dialog. */
  readonly dialog: { readonly accept: boolean; readonly promptText?: string | undefined }
  readonly openTab: object
  /** Without an id the active tab is closed. */
  readonly closeTab: { readonly id?: string | undefined }
  /** Applies the change to all tabs, also to those that are opened later. */
  readonly emulate: { readonly change: EmulationChange }
  /** `mock` has what the paths of the rule stand for. */
  readonly mock: { readonly rule: MockRule; readonly mock?: Mock }
  /** Waits a few seconds for a WebSocket; then fails with INVALID_PARAMETERS. */
  readonly push: { readonly push: SocketPush }
  /** Sets the date and time that pages see, in ISO 8601; undefined lets the clock run again. */
  readonly clock: { readonly time: string | undefined }
  /** Seeds the random numbers of documents that are opened from now on; undefined ends that. */
  readonly seed: { readonly seed: number | undefined }
  /** Sets or clears cookies and storage of the current origin. */
  readonly storage: {
    readonly change: 'set' | 'clear'
    readonly query: StorageQuery
    readonly value?: string | undefined
  }
}

/** What the page returns for an action. A note is on a side effect, mostly empty. */
export interface ActionResults {
  readonly navigate: NavigationResult
  readonly history: NavigationResult
  /** A note. */
  readonly click: string
  readonly type: TypeResult
  readonly fill: void
  readonly submit: void
  /** The labels of the selected options. */
  readonly select: readonly string[]
  readonly hover: void
  /** A note. */
  readonly drag: string
  readonly press: void
  readonly mouse: MouseResult
  readonly upload: UploadMethod
  readonly check: void
  /** The dialog that was answered. */
  readonly dialog: Dialog
  /** The id of the tab. */
  readonly openTab: string
  readonly closeTab: void
  /** What is emulated now. */
  readonly emulate: CurrentEmulation
  /** Notes. */
  readonly mock: readonly string[]
  /** The number of WebSockets that the messages were sent to. */
  readonly push: number
  readonly clock: void
  readonly seed: void
  /** What was set or cleared. */
  readonly storage: OriginStorage
}

export type ActionKind = keyof ActionResults

export type ActionOn<E, K extends ActionKind = ActionKind> = {
  [P in K]: { readonly kind: P } & ActionFields<E>[P]
}[K]

export type Action = ActionOn<Target>

/** An action of a kind that a type parameter names. */
export type ActionOf<K extends ActionKind> = ActionOn<Target, K> & Action

/** The kinds that a test has no counterpart for, with their tools. */
const unrepeatableKinds = { mouse: 'mouse', storage: 'storage_state' } as const

type UnrepeatableKind = keyof typeof unrepeatableKinds

/** The kinds that a test can repeat as they are. */
export type RepeatableKind = Exclude<ActionKind, UnrepeatableKind | 'check'>

export const isUnrepeatable = (action: Action): action is ActionOn<Target, UnrepeatableKind> =>
  action.kind in unrepeatableKinds

export const toolOf = ({ kind }: ActionOn<Target, UnrepeatableKind>): string => unrepeatableKinds[kind]

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

export interface TypeResult {
  readonly note: string
  /** What the field was to have, and what it has. */
  readonly field?: { readonly entered: string; readonly content: FieldContent }
}

export type FieldValue = string | boolean | readonly string[]

/** In CSS pixels. */
interface Point {
  readonly x: number
  readonly y: number
}

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

export type StorageKind = 'cookie' | 'local' | 'session'

/** Which cookies and items of the current origin; all without a kind or a name. */
export interface StorageQuery {
  readonly kind?: StorageKind
  readonly name?: string
}

export interface StorageItem {
  readonly name: string
  readonly value: string
}

/** The cookies that the current page gets, and the storage of its origin. */
export interface OriginStorage {
  readonly cookies: readonly StorageItem[]
  readonly localStorage: readonly StorageItem[]
  readonly sessionStorage: readonly StorageItem[]
}
