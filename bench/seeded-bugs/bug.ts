// A bug that is put into a copy of an application while its dev server runs, and the rule by which an answer names its cause.

/** A replacement of text in a file, or a new file. */
type Edit =
  | { readonly file: string; readonly from: string; readonly to: string }
  | { readonly file: string; readonly text: string }

/** The one call that meets the bug. `text` is what is waited for. */
export type Action =
  | { readonly kind: 'navigate'; readonly path?: string }
  | { readonly kind: 'click'; readonly selector: string }
  | { readonly kind: 'wait_for'; readonly text: string }

export interface SeededBug {
  readonly name: string
  readonly application: string
  readonly edits: readonly Edit[]
  readonly action: Action
  /** The file of the cause, and a part of its line. */
  readonly cause: readonly [file: string, part: string]
}

/** The lines of a file, counted from 1, that hold a part. */
export function linesWith(text: string, part: string): readonly number[] {
  const lines = text.split('\n').flatMap((line, index) => (line.includes(part) ? [index + 1] : []))
  if (lines.length === 0) throw new Error(`no line has ${JSON.stringify(part)}`)
  return lines
}

/** Whether a text names a line of a file: `app.jsx:12`, `app.jsx?t=1:12`, `app.jsx(12,3)`, `app.jsx (12:3)`, `app.jsx 12:3`, `app.jsx line 12`. */
export function namesLine(text: string, file: string, lines: readonly number[]): boolean {
  const name = (file.split('/').at(-1) ?? file).replaceAll(/[.+]/g, '\\$&')
  const pattern = new RegExp(`${name}(?:\\?[^\\s:)]*)?(?:(?::| ?\\(|,? line )(\\d+)(?!\\d)| (\\d+):\\d)`, 'g')
  return [...text.matchAll(pattern)].some(([, line, spaced]) => lines.includes(Number(line ?? spaced)))
}
