// Playwright calls a function with all matches, with one element, or with none. These convert each of them to an array of elements.

import type { FieldDescription } from '../../../core/redaction/secret-names.ts'
import type { FieldContent } from '../../../core/text/field-content.ts'

/** The first argument of a function that runs inside the page. */
export interface ElementMatches {
  readonly elements: Element[]
  readonly injected: InjectedScript
  readonly frameVisible: boolean
  /** The selector below the frame. */
  readonly info: Readonly<Record<'parsed', object>>
}

/** The methods of Playwright's injected script that are used here. */
interface InjectedScript {
  elementState(
    element: Element,
    state: 'visible' | 'hidden' | 'enabled' | 'disabled' | 'editable' | 'checked' | 'unchecked',
    frameVisible: boolean,
  ): { readonly matches: boolean; readonly received: string }
  querySelectorAll(selector: object, root: Document): Element[]
  parseSelector(selector: string): object
  /** The control of a label, or the element itself. */
  retarget(element: Element, behavior: 'follow-label'): Element | null
  readonly utils: {
    elementText(cache: Map<unknown, unknown>, root: Element): { readonly full: string }
    normalizeWhiteSpace(text: string): string
    /** The timers and the clock of the browser, whatever the page has made of its own. */
    readonly builtins: Window
  }
  /** Sets the value, or selects the current text and returns that the keyboard is needed. */
  fill(element: Element, value: string): 'done' | 'needsinput' | `error:${string}`
  /** Returns the values that are selected then. */
  selectOptions(element: Element, options: { index: number }[]): string[] | `error:${string}`
}

/** Functions that others get as their first argument. */
export interface InPageFunctions {
  hitElement(x: number, y: number): Element | null
  describeField(element: Element): FieldDescription
  isSecretField(field: FieldDescription): boolean
  describeInvalidField(field: HTMLInputElement): string
  watchValidation(form?: HTMLFormElement): () => string | undefined
  readFieldContent(elements: Element[], text: string): FieldContent | undefined
  watchClickLoss(): () => string | undefined
  deepestActiveElement(root: Document | ShadowRoot): Element | null
}

export const runOnMatches = <A, T>(
  { run }: { run(elements: Element[], arg: A): T },
  { elements }: { readonly elements: Element[] },
  arg: A,
): T => run(elements, arg)

export const runOnElement = <A, T>(
  { run }: { run(elements: Element[], arg: A): T },
  element: Element,
  arg: A,
): T => run([element], arg)

export const runOnNothing = <A, T>({ run }: { run(elements: Element[], arg: A): T }, arg: A): T =>
  run([], arg)
