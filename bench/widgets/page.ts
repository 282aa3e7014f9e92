// A page of one library, and what is done on it.

export interface Page {
  readonly name: string
  /** The module of the page. It has `save`, `useKept` and `show` of kept.jsx. */
  readonly code: string
  readonly acts: readonly Act[]
}

/** Each step takes the first line with a ref of a new snapshot that has this text. */
export interface Act {
  readonly tool: 'click' | 'select' | 'fill_form' | 'type'
  readonly lines: readonly string[]
  /** The input of the last step beside its ref; those before it are clicks. */
  readonly input: Readonly<Record<string, unknown>>
  /** Whether Tab is pressed then, because the widget takes its value when it is left. */
  readonly isLeft?: boolean
  /** `key=value` of the page's own state. */
  readonly want: string
}

export const click = (lines: string | readonly string[], want: string): Act => ({
  tool: 'click',
  lines: [lines].flat(),
  input: {},
  want,
})

export const select = (line: string, values: string | readonly string[], want: string): Act => ({
  tool: 'select',
  lines: [line],
  input: { values: [values].flat() },
  want,
})

export const fill = (line: string, value: unknown, want: string, isLeft = false): Act => ({
  tool: 'fill_form',
  lines: [line],
  input: { value },
  isLeft,
  want,
})

export const type = (line: string, text: string, want: string, isLeft = false): Act => ({
  tool: 'type',
  lines: [line],
  input: { text, clear: true },
  isLeft,
  want,
})
