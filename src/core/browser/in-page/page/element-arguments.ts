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
