// How the fields of a result read where a model gets text: the parts that tools have in common. Without a text of its own a field reads
// `name: value`. The data is redacted already.

import { showPageText } from '../base/text/invisible-characters.ts'
import { blockLines, type Data, isEmpty } from './plain-lines.ts'

export interface TextContext {
  /** The URL of the page that the previous result reported. */
  readonly reportedUrl: string
  /** Whether a new session is shown with its id beside its name. */
  readonly showsSessionIds: boolean
}

/** The lines of a field; `data` is the whole result. */
export type FieldText<T = never> = (value: T, data: Data, context: TextContext) => readonly string[]

export const NOTHING = 'None.'

/** A field that a model knows without it, or that is for programs only. */
export const omit: FieldText<unknown> = () => []

export const show: FieldText<unknown> = (value) => [String(value)]

/** A list of whole lines. */
export const showLines: FieldText<readonly string[]> = (lines) => lines

/** A text of a page, which must not read as a line of the answer. */
export const showBlock: FieldText<string> = (text) => {
  if (text === '') return [NOTHING]
  return text.includes('\n') || readsAsLine(text) ? blockLines(text) : [text]
}

/** The entries of a list, in their order. */
export const showEntries =
  <T>(
    linesOf: (entry: T, context: TextContext, entries: readonly T[]) => readonly string[],
  ): FieldText<readonly T[]> =>
  (entries, _, context) =>
    entries.length === 0 ? [NOTHING] : entries.flatMap((entry) => linesOf(entry, context, entries))

export const quote = (text: string): string => showPageText(text, 'quoted')

/** Whether a text of one line could be read as a line of the answer, such as a failure or a cursor. */
export const readsAsLine = (text: string): boolean => /: |^…/.test(text)

/** Parts of a line, without those that tell nothing. */
export const joinParts = (...parts: readonly unknown[]): string =>
  parts.filter((part) => !isEmpty(part)).join(' ')

/** How the fields of a result read, by name; the others read `name: value`, or as in all results. */
export type FieldTexts = Readonly<Record<string, FieldText>>
