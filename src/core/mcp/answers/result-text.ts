// The text of a successful result: what a model needs and does not know yet. Each tool says how its own fields read; the fields that many
// results have, the order and what is left out are decided here. The data is redacted already.

import { relativeUrlOf } from '../../base/network/page-url.ts'
import { showPageText } from '../../base/text/invisible-characters.ts'
import type { Comment } from '../../sessions/types/person.ts'
import { type FieldTexts, omit, quote, show, showLines, type TextContext } from '../../tool/field-texts.ts'
import { type Data, isEcho, joinLines, linesOfField, sinceLinesOf } from '../../tool/plain-lines.ts'
import type { ToolResult } from '../../tool/tool-call.ts'

/** Formats a result as short lines, of which the first has the outcome, unless changes of the page alone show it. `texts` are those of its tool.
 * `input` is what the caller sent: it is not repeated. With `showsSessionIds` a new session is shown with its id beside its name. */
export function resultTextOf(
  result: ToolResult,
  texts: FieldTexts = {},
  input: Data = {},
  showsSessionIds = false,
): string {
  const data: Data = { ...result.data }
  const context = { ...result, reportedUrl: result.reportedUrl ?? '', input, showsSessionIds }
  const textOf = (name: string): readonly string[] => {
    const value = data[name]
    if (value === undefined || isEcho(value, input[name === 'selected' ? 'values' : name])) return []
    const text = texts[name] ?? commonTexts[name]
    return text ? text(value as never, data, context) : linesOfField(name, value)
  }
  const outcome = headFields.flatMap(textOf).filter(Boolean)
  const titles = textOf('title').filter(Boolean)
  // A title never begins a line.
  const head = [...outcome, ...(outcome.length > 0 ? titles : titles.map(quote))].join(' ')
  const since = textOf('since')
  const names = Object.keys(data).filter(
    (name) => ![...headFields, 'title', 'since', ...lastFields].includes(name),
  )
  const changeLines = data['changes'] === '' ? [] : textOf('changes').filter(Boolean)
  const otherLines = [...names, ...lastFields].flatMap(textOf).filter(Boolean)
  const isShown =
    since.length === 0 &&
    changeLines.length > 0 &&
    otherLines.length === changeLines.length &&
    PLAIN_OUTCOME.test(head)
  return joinLines([...since, ...(isShown ? [] : [head]), ...otherLines].filter(Boolean)) || 'Done.'
}

// --- internal ---

/** That an action was done, without anything else. */
const PLAIN_OUTCOME = /^[A-Z][a-z]+\.$/
/** One line together, in this order, and the title of the page after them. */
const headFields: readonly string[] = ['message', 'status', 'url']
/** At the end, in this order. The other fields are between them, in the order of the data. */
const lastFields: readonly string[] = ['truncated', 'dropped', 'seq', 'cursor']

interface ResultContext extends TextContext, Pick<ToolResult, 'otherChanges' | 'mayChange'> {
  readonly input: Data
}

type CommonText = (value: never, data: Data, context: ResultContext) => readonly string[]

const commentLineOf = ({ number, ref, name, locator, source, note, missing, picture }: Comment): string => {
  const facts = [source, locator, picture, missing && 'gone from the page'].filter(Boolean)
  const where = facts.length > 0 ? ` (${facts.join(', ')})` : ''
  return `${number}. The user says about ${showPageText(name, 'continued')} [${ref}]${where}: ${quote(note)}`
}

const commentLinesOf = (comments: readonly Comment[]): readonly string[] => {
  const answers = comments.map(({ number }) => `"${number} done: WORDS"`).join(', ')
  return [
    ...comments.map(commentLineOf),
    `The user sees what you answer: wait_for {answers: [${answers}]}, or question in place of done.`,
  ]
}

/** The fields that the steps around a tool add, and those that several tools have. */
const commonTexts: Readonly<Record<string, CommonText>> = {
  success: omit,
  message: show,
  // A page without a response, such as one of a data: URL, has none.
  status: (status, data, context) => (status === 0 ? [] : show(status, data, context)),
  title: show,
  url(value: string, data: Data, { reportedUrl, input }: ResultContext) {
    const isReported = value === reportedUrl && !('url' in input)
    if (isReported || String(data['message']).includes(value)) return []
    const shortUrl = relativeUrlOf(value, reportedUrl)
    return ['title' in data ? shortUrl : `→ ${shortUrl}`]
  },
  // The path of a file is enough where the file can be read; resources/list has the others.
  resource: (resource: string, data: Data) => ('path' in data || 'cursor' in data ? [] : [resource]),
  awaiting: (urls: readonly string[]) => [
    `The page still waits for ${urls.join(', ')}, without progress for 5 s.`,
  ],
  since: sinceLinesOf,
  notes: showLines,
  freshness: show,
  changes: (changes: string, _: Data, { otherChanges = changes, mayChange }: ResultContext) =>
    changes === '' ? [mayChange ? 'No changes yet.' : 'No changes.'] : otherChanges.split('\n'),
  dialog: ({ type, message }: { readonly type: string; readonly message: string }) => [
    `Open dialog: ${type} ${quote(message)}; answer it with handle_dialog.`,
  ],
  person: ({ note }: { readonly note: string }) => [
    `A person had this session${note === '' ? '.' : ` and says: ${quote(note)}`}`,
  ],
  comments: (comments: readonly Comment[]) => commentLinesOf(comments),
  comment: (comment: Comment) => commentLinesOf([comment]),
  truncated: (isTruncated: boolean, data: Data) =>
    isTruncated && !('cursor' in data) ? ['… truncated'] : [],
  dropped: (count: number) => (count === 0 ? [] : [`dropped: ${count}`]),
  cursor: (cursor: string) => [`… more: cursor ${cursor}`],
}
