// The text of a successful result: what a model needs and does not know yet. What is left out, and how the rest reads, is decided here for
// all tools, by the names of their fields. The data is redacted already.

import {
  isEcho,
  blockLines,
  durationText,
  isEmpty,
  joinLines,
  linesOfField,
  pageLineOf,
  type Data,
  indent,
} from './plain-lines.ts'
import { relativeUrlOf } from '../../core/network/page-url.ts'
import { showPageText } from '../../core/text/invisible-characters.ts'
import type { ToolResult } from '../../runtime/ports/tool-call.ts'

/** Formats a result as short lines, of which the first has the outcome, unless changes of the page alone show it. `input` is what the caller
 * sent: it is not repeated. With `showsSessionIds` a new session is shown with its id beside its name. */
export function resultTextOf(result: ToolResult, input: Data, showsSessionIds = false): string {
  const data: Data = { ...result.data }
  const textOf = (name: string): readonly string[] => {
    const value = data[name]
    if (value === undefined || omittedFields.has(name)) return []
    if (isEcho(value, input[name === 'selected' ? 'values' : name])) return []
    return fieldTexts[name]?.(value, data, { ...result, input, showsSessionIds }) ?? linesOfField(name, value)
  }
  const outcome = headFields.flatMap(textOf).filter(Boolean)
  const titles = textOf('title').filter(Boolean)
  // A title never begins a line.
  const head = [...outcome, ...(outcome.length > 0 ? titles : titles.map(quote))].join(' ')
  const names = Object.keys(data).filter((name) => ![...headFields, 'title', ...lastFields].includes(name))
  const changeLines = data['changes'] === '' ? [] : textOf('changes').filter(Boolean)
  const otherLines = [...names, ...lastFields].flatMap(textOf).filter(Boolean)
  const isShown =
    changeLines.length > 0 && otherLines.length === changeLines.length && PLAIN_OUTCOME.test(head)
  return joinLines([...(isShown ? [] : [head]), ...otherLines].filter(Boolean)) || 'Done.'
}

// --- internal ---

/** That an action was done, without anything else. */
const PLAIN_OUTCOME = /^[A-Z][a-z]+\.$/
/** One line together, in this order, and the title of the page after them. */
const headFields: readonly string[] = ['message', 'status', 'url']
/** At the end, in this order. The other fields are between them, in the order of the data. */
const lastFields: readonly string[] = ['truncated', 'dropped', 'seq', 'cursor']

/** Known without them, or of use for programs only. */
const omittedFields: ReadonlySet<string> = new Set([
  'success',
  'exists',
  'filled',
  'lineCount',
  'healthy',
  'height',
  'port',
  'pid',
  'startedAt',
  'previousPid',
  'previousPort',
  'passed',
  'flaky',
  'skipped',
  'notRun',
  'duration',
])

type FieldText = (value: unknown, data: Data, context: FieldContext) => readonly string[]

interface FieldContext extends Pick<ToolResult, 'reportedUrl' | 'news'> {
  readonly input: Data
  readonly showsSessionIds: boolean
}

const NOTHING = 'None.'
const show: FieldText = (value) => [String(value)]
const quote = (text: string): string => showPageText(text, 'quoted')
/** Whether a text of one line could be read as a line of the answer, such as a failure or a cursor. */
const readsAsLine = (text: string): boolean => /: |^…/.test(text)
const showBlock: FieldText = (value) => {
  const text = String(value)
  if (text === '') return [NOTHING]
  return text.includes('\n') || readsAsLine(text) ? blockLines(text) : [text]
}
const showTree: FieldText = (value) => (value === '' ? [NOTHING] : String(value).split('\n'))
const textsOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : [])
const showNotes: FieldText = textsOf
// The text of a step has its own lines.
const showSteps: FieldText = (value) => textsOf(value).flatMap((step) => step.split('\n'))
const showEntries: FieldText = (value, _, { reportedUrl = '' }) =>
  Array.isArray(value) && value.length > 0 ? linesOfEntries(value, reportedUrl) : [NOTHING]

/** Fields that do not read `name: value`. */
const fieldTexts: Readonly<Record<string, FieldText>> = {
  message: (message, { status }) => (typeof status === 'string' ? [] : [String(message)]),
  // An HTTP status, or the state of a dev server, which its message explains.
  status: (status, { message = '' }) => [
    typeof status === 'number' ? String(status) : `server: ${[status, message].filter(Boolean).join('. ')}`,
  ],
  title: (title, data, { reportedUrl }) =>
    'snapshot' in data && data['url'] === reportedUrl ? [] : [String(title)],
  url: (value, data, { reportedUrl = '', input }) => {
    const url = String(value)
    const isReported = url === reportedUrl && !('url' in input)
    if (isReported || String(data['message']).includes(url)) return []
    const shortUrl = relativeUrlOf(url, reportedUrl)
    return ['title' in data ? shortUrl : `→ ${shortUrl}`]
  },
  // A session is named by its name where that is enough; its id is longer.
  sessionId: (id, data, { showsSessionIds }) =>
    ('name' in data && !showsSessionIds) || String(data['message']).includes(String(id))
      ? []
      : [`sessionId: ${String(id)}`],
  name: (name, data) => (String(data['message']).includes(String(name)) ? [] : [`name: ${String(name)}`]),
  // A message about a new session has its lifetime.
  expiresAt: (at, data) =>
    'sessionId' in data ? [] : [`expires: ${new Date(Number(at)).toISOString().replace(/\.\d+/, '')}`],
  page: (page) => [pageLineOf(page as Data)],
  uptime: (ms) => [`up ${durationText(Number(ms))}`],
  waited: (ms) => [`Waited ${durationText(Number(ms))}.`],
  width: (width, data) => [`${String(width)} × ${String(data['height'])}`],
  count: (count) => [`${String(count)} ${count === 1 ? 'match' : 'matches'}`],
  matches: (matches) => [matches === true ? 'The baseline matches.' : 'The baseline differs.'],
  changed: (share) => [`${Number((Number(share) * 100).toPrecision(3))} % of the pixels changed`],
  result: resultLinesOf,
  state: (state) => [JSON.stringify(state)],
  logs: (logs) => [`logs: ${String((logs as Data)['combined'])}`],
  snapshot: showTree,
  content: showBlock,
  text: showBlock,
  entries: showEntries,
  sessions: showEntries,
  tabs: showEntries,
  mocks: (mocks) => (isEmpty(mocks) ? ['No mocks.'] : (mocks as Data[]).map(mockText)),
  nodes: showEntries,
  steps: showSteps,
  // The path of a file is enough where the file can be read; resources/list has the others.
  resource: (resource, data) => ('path' in data || 'cursor' in data ? [] : [String(resource)]),
  notes: showNotes,
  freshness: show,
  changes: (changes, _, { news = changes }) => (changes === '' ? ['No changes.'] : String(news).split('\n')),
  dialog: (dialog) => {
    const { type, message } = dialog as Data
    return [`Open dialog: ${String(type)} ${quote(String(message))}; answer it with handle_dialog.`]
  },
  truncated: (truncated, data) =>
    truncated === true && !('cursor' in data) && !('snapshot' in data) ? ['… truncated'] : [],
  dropped: (count) => (count === 0 ? [] : [`dropped: ${String(count)}`]),
  cursor: (cursor) => [`… more: cursor ${String(cursor)}`],
}

const mockText = ({ id, method = '', url = 'all URLs', answer, matches, times }: Data): string => {
  const count = `${String(matches)}${times === undefined ? '' : ` of ${String(times)}`}`
  return `${[id, method, url]
    .filter((part) => part !== '')
    .map(String)
    .join(' ')} → ${String(answer)}; requests: ${count}`
}

/** The result of a script: a string as it is, unless it could be read as another value or as a line of the answer. */
function resultLinesOf(value: unknown): readonly string[] {
  if (typeof value !== 'string') return [JSON.stringify(value) ?? 'undefined']
  if (/^(?:$|true$|false$|null$|[-\d"[{\s])/.test(value)) return [quote(value)]
  if (value.includes('\n')) return blockLines(value)
  return [readsAsLine(value) ? quote(value) : value]
}

// The entries of lists, one line each, recognized by their fields. Times are left out: `since` and the order are enough to find the cause.
/** The lines of the entries of one list, in their order. The URLs of requests and messages are relative to that of the page. */
function linesOfEntries(entries: readonly unknown[], pageUrl: string): readonly string[] {
  const records = entries.map((entry) => withRelativeUrls(entry as Data, pageUrl))
  const startedAt = Number(records[0]?.['timestamp'] ?? 0)
  return records.flatMap((entry) => linesOfEntry(entry, startedAt))
}

function withRelativeUrls(entry: Data, pageUrl: string): Data {
  const { url, location } = entry
  if ('method' in entry) return { ...entry, url: relativeUrlOf(String(url), pageUrl) }
  return typeof location === 'object' && location !== null
    ? { ...entry, location: withRelativeUrl(location as Data, pageUrl) }
    : entry
}

const withRelativeUrl = (location: Data, pageUrl: string): Data => ({
  ...location,
  ...(typeof location['url'] === 'string' && { url: relativeUrlOf(location['url'], pageUrl) }),
})

function linesOfEntry(entry: Data, startedAt: number): readonly string[] {
  if ('kind' in entry) return [timelineText(entry, startedAt)]
  if ('method' in entry) return requestLines(entry)
  if ('level' in entry) return messageLines(entry)
  if ('tag' in entry) return nodeLines(entry)
  if ('active' in entry)
    return [join(entry['id'], entry['url'], entry['active'] && '(active)', entry['title'])]
  if ('sessionId' in entry)
    return [join(entry['name'] ?? entry['sessionId'], entry['browser'], entry['status'])]
  return [JSON.stringify(entry)]
}

const join = (...parts: readonly unknown[]): string => parts.filter((part) => !isEmpty(part)).join(' ')

// The times of a timeline are relative to its first entry.
const timelineText = ({ seq, timestamp, kind, text }: Data, startedAt: number): string =>
  `${String(seq)} +${((Number(timestamp) - startedAt) / 1000).toFixed(1)} s ${String(kind)}: ${String(text)}`

function requestLines({ seq, method, url, status, failure, state, type, duration, mock, ...rest }: Data) {
  const outcome = status ?? failure ?? state
  const time = typeof duration === 'number' ? durationText(duration) : undefined
  const { frames, earlierFrames, note } = rest
  return [
    join(seq, method, url, '→', outcome, type, time, mock && `(mock ${String(mock)})`),
    ...indent([
      ...(typeof earlierFrames === 'number' ? [`… ${earlierFrames} earlier frames`] : []),
      ...(Array.isArray(frames) ? frames.map((frame) => frameText(frame as Data)) : []),
      ...(typeof note === 'string' ? [note] : []),
    ]),
  ]
}

const frameText = ({ direction, body, bytes }: Data): string =>
  `${String(direction)}: ${body === undefined ? `${String(bytes)} bytes` : String(body)}`

function messageLines({ seq, level, message, location, stack, count }: Data): readonly string[] {
  const repetitions = count === undefined ? undefined : `(${String(count)} times)`
  return [
    join(seq, `${String(level)}:`, message, repetitions, locationText(location)),
    ...(typeof stack === 'string' ? blockLines(stack) : []),
  ]
}

function locationText(location: unknown): string | undefined {
  if (typeof location !== 'object' || location === null) return undefined
  const { file, url, line, column } = location as Data
  const parts = [file ?? url, line, column].filter((part) => part !== undefined)
  return isEmpty(parts[0]) ? undefined : `(${parts.join(':')})`
}

function nodeLines({ tag, attributes, text, children }: Data, depth = 0): readonly string[] {
  const names = Object.entries((attributes ?? {}) as Data).map(([name, value]) =>
    value === '' ? name : `${name}=${JSON.stringify(value)}`,
  )
  const line = `${' '.repeat(depth)}<${[tag, ...names].join(' ')}>${isEmpty(text) ? '' : ` ${String(text)}`}`
  const childNodes = Array.isArray(children) ? children : []
  return [line, ...childNodes.flatMap((child) => nodeLines(child as Data, depth + 1))]
}
