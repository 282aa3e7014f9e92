import * as v from 'valibot'
import { invalidParameter, type Outcome } from '../../base/failure.ts'
import { relativeUrlOf } from '../../base/network/page-url.ts'
import { err, map, ok } from '../../base/result.ts'
import { clip } from '../../base/text/clip.ts'
import { joinParts, showEntries, type TextContext } from '../../tool/field-texts.ts'
import { cursor, cursorOf, integerBetween, limit, pattern, queryOf, since } from '../../tool/fields.ts'
import { compileSearch } from '../../tool/pattern.ts'
import { blockLines, durationText, indent, isEmpty } from '../../tool/plain-lines.ts'
import {
  foldRepeatedMessages,
  shortenStacks,
  type ShownMessage,
  stackFramesOf,
} from '../journal/console-view.ts'
import type { JournalEntry } from '../journal/journal.ts'
import type { NetworkRequest } from '../journal/network-log.ts'
import { describeNumber } from '../journal/read-timeline.ts'
import type { OpenSession } from '../types/open-session.ts'
import type { HttpMessage, Page } from '../types/page.ts'
import { definePageTool, defineSessionTool } from './define-session-tool.ts'

const MESSAGE_LIMIT_CHARS = 1000
const INLINE_BODY_LIMIT_CHARS = 20_000
const OTHER_LIMIT_CHARS = 200

const levels = ['error', 'warning', 'info', 'debug'] as const

export const consoleMessages = defineSessionTool({
  name: 'console_messages',
  title: 'Console messages',
  description:
    'Newest console messages and errors (50). level: minimum. pattern: level, message. since: a seq. limit 1: full stack.',
  effect: 'reads',
  readsPageOutput: true,
  input: { level: v.optional(v.picklist([...levels, 'warn'])), pattern, since, limit, cursor },
  output: { entries: v.array(v.any()), dropped: v.number(), cursor: v.optional(v.string()) },
  texts: {
    entries: showEntries(messageLines),
  },
  async run({ level: minimumLevel = 'debug', pattern: source, limit: entryLimit, ...fields }, session) {
    const search = await compileSearch(source)
    if (!search.ok) return search
    const kinds = ['console'] as const
    const candidates = search.value ? session.journal.read({ kinds, limit: Infinity }).entries : []
    const matches = await search.value?.(candidates.flatMap(searchedTextsOf))
    if (matches && !matches.ok) return matches
    const maximumIndex = levels.indexOf(minimumLevel === 'warn' ? 'warning' : minimumLevel)
    const result = session.journal.read({
      ...queryOf({ ...fields, limit: entryLimit }, session.reportedSeq),
      kinds,
      accept: (entry) =>
        levels.indexOf(entry.level) <= maximumIndex &&
        (!matches || searchedTextsOf(entry).some((text) => matches.value.has(text))),
    })
    const entries = await session.locateEntries(result.entries)
    return ok({
      data: {
        entries: foldRepeatedMessages(entries.map((entry) => messageOf(entry, session, entryLimit === 1))),
        dropped: result.dropped,
        ...cursorOf(result.cursor),
      },
    })
  },
})

// The message, alone and with its level, but without its location, in which every entry has the address of its page.
function searchedTextsOf({ text, message = text }: JournalEntry): readonly string[] {
  const start = text.indexOf(message)
  return start < 0 ? [message] : [message, text.slice(0, start + message.length)]
}

// Redacts before it truncates, because a truncated secret would not be recognized.
function messageOf(
  { seq, at, level, text, message = text, data: { stack, ...data } = {} }: JournalEntry,
  session: OpenSession,
  isComplete: boolean,
): ShownMessage {
  const redact = (content: string) =>
    isComplete ? session.redact(content) : shortenStacks(session.redact(content))
  const frames = typeof stack === 'string' ? stackFramesOf(stack) : undefined
  return {
    seq,
    timestamp: at,
    level,
    message: redact(message).slice(0, MESSAGE_LIMIT_CHARS),
    ...data,
    ...(frames !== undefined && { stack: redact(frames) }),
  }
}

const filters = ['all', 'failed', 'fetch', 'document', 'script', 'stylesheet', 'image', 'websocket'] as const

export const networkRequests = definePageTool({
  name: 'network_requests',
  title: 'Network requests',
  description:
    'Newest requests (50). pattern: of the URL. since: a seq. id (a seq): headers or body of one, or frames of a WebSocket.',
  effect: 'reads',
  readsPageOutput: true,
  input: {
    filter: v.optional(v.picklist(filters)),
    pattern,
    since,
    limit,
    cursor,
    id: v.optional(integerBetween(1, Number.MAX_SAFE_INTEGER)),
    part: v.optional(v.picklist(['headers', 'body'])),
  },
  output: {
    entries: v.array(v.any()),
    dropped: v.number(),
    cursor: v.optional(v.string()),
    request: v.optional(v.any()),
    response: v.optional(v.any()),
  },
  texts: {
    entries: showEntries(requestLines),
  },
  async run(
    { filter = 'all', pattern: source, limit: entryLimit, id, part = 'headers', ...fields },
    page,
    _,
    { session },
  ) {
    if (id !== undefined) return readRequest(id, part, page, session)
    const search = await compileSearch(source)
    if (!search.ok) return search
    const candidates = search.value ? session.network.read({ limit: Infinity }).entries : []
    const matches = await search.value?.(candidates.map(({ url }) => url))
    if (matches && !matches.ok) return matches
    const result = session.network.read({
      ...queryOf({ ...fields, limit: entryLimit }, session.reportedSeq),
      accept: (request) => matchesFilter(request, filter) && (matches?.value.has(request.url) ?? true),
    })
    return ok({
      data: {
        entries: result.entries.map((request) => ({
          ...requestOf(request, session),
          ...(filter === 'websocket' && framesOf(request, session, LIST_FRAME_LIMITS)),
        })),
        dropped: result.dropped,
        ...cursorOf(result.cursor),
      },
    })
  },
})

interface RequestData {
  readonly entries: unknown[]
  readonly dropped: number
  readonly request?: unknown
  readonly response?: unknown
}

async function readRequest(
  id: number,
  part: 'headers' | 'body',
  page: Page,
  session: OpenSession,
): Promise<Outcome<{ data: RequestData }>> {
  const result = session.network.read({ since: id - 1, before: id + 1, limit: 1 })
  const other = describeNumber(session.journal, id)
  if (other !== undefined) {
    const description = clip(session.redact(other), OTHER_LIMIT_CHARS)
    return err(invalidParameter('id', 'the seq of a request', `${id}, which is ${description}`))
  }
  const entries = result.entries.map((entry) => ({
    ...requestOf(entry, session),
    ...framesOf(entry, session, REQUEST_FRAME_LIMITS),
  }))
  const messages = await page.readRequest(id, part)
  // Browsers that report a WebSocket as such do not report its headers.
  if (!messages.ok)
    return result.entries[0]?.type === 'websocket'
      ? ok({ data: { entries, dropped: result.dropped } })
      : messages
  const request = await saveLongBody(messages.value.request, session)
  const response = await saveLongBody(messages.value.response, session)
  return ok({ data: { entries, dropped: result.dropped, request, response } })
}

function matchesFilter(
  { type, state, status = 0 }: NetworkRequest,
  filter: (typeof filters)[number],
): boolean {
  if (filter === 'all') return true
  if (filter === 'failed') return state === 'failed' || status >= 400
  return filter === 'fetch' ? type === 'fetch' || type === 'xhr' : type === filter
}

const requestOf = ({ at, url, ...rest }: NetworkRequest, session: OpenSession) => ({
  ...rest,
  timestamp: at,
  url: session.redact(url).slice(0, MESSAGE_LIMIT_CHARS),
})

// Writes a long body to a file and keeps its beginning.
async function saveLongBody(
  message: HttpMessage,
  { folder, redactor }: OpenSession,
): Promise<Record<string, unknown>> {
  const { body } = message
  if (body === undefined || body.length <= INLINE_BODY_LIMIT_CHARS) return { ...message }
  const redacted = redactor.redactData({ body }).body
  const artifact = await folder.write('body.txt', redacted)
  const shortMessage = { ...message, body: redacted.slice(0, INLINE_BODY_LIMIT_CHARS / 4) }
  const file = map(artifact, ({ path, resource }) => ({ path, resource }))
  return { ...shortMessage, note: `${body.length} characters, truncated`, ...(file.ok && file.value) }
}

// --- internal ---

// The frames of a WebSocket in the output of network_requests.
/** For a list of requests. */
const LIST_FRAME_LIMITS = { count: 5, chars: 200 } as const
/** For one request. */
const REQUEST_FRAME_LIMITS = { count: 100, chars: 1000 } as const

interface Frame {
  readonly timestamp: number
  readonly direction: string
  readonly body?: string
  readonly bytes?: number
}

/** The newest frames of a WebSocket, redacted; `earlierFrames` is the number of those before them. Empty for other requests. */
function framesOf(
  { seq, type, framesSent, framesReceived = 0 }: NetworkRequest,
  { network, redact }: OpenSession,
  { count, chars }: { count: number; chars: number },
): { frames?: readonly Frame[]; earlierFrames?: number; note?: string } {
  if (type !== 'websocket') return {}
  if (framesSent === undefined) return { note: 'this browser reports only the handshake, not the frames' }
  const frames = network.frames(seq, count)
  const earlierFrames = framesSent + framesReceived - frames.length
  return {
    ...(earlierFrames > 0 && { earlierFrames }),
    frames: frames.map(({ at, direction, body, bytes }) => ({
      timestamp: at,
      direction,
      ...(body !== undefined && { body: clip(redact(body), chars) }),
      bytes,
    })),
  }
}

/** A message as lines; the URL of its place is relative to that of the page. */
function messageLines(
  { seq, level, message, location, stack, count }: ShownMessage,
  { reportedUrl }: TextContext,
): readonly string[] {
  const repetitions = count === undefined ? undefined : `(${count} times)`
  return [
    joinParts(seq, `${level}:`, message, repetitions, placeText(location, reportedUrl)),
    ...(typeof stack === 'string' ? blockLines(stack) : []),
  ]
}

interface Place {
  readonly file?: string
  readonly url?: string
  readonly line?: number
  readonly column?: number
}

function placeText(location: unknown, pageUrl: string): string | undefined {
  if (typeof location !== 'object' || location === null) return undefined
  const { file, url, line, column }: Place = location
  const name = file ?? (url === undefined ? url : relativeUrlOf(url, pageUrl))
  const parts = [name, line, column].filter((part) => part !== undefined)
  return isEmpty(parts[0]) ? undefined : `(${parts.join(':')})`
}

type RequestEntry = ReturnType<typeof requestOf> & ReturnType<typeof framesOf>

/** A request as lines; its URL is relative to that of the page. */
function requestLines(entry: RequestEntry, { reportedUrl }: TextContext): readonly string[] {
  const { seq, method, url, status, failure, state, type, duration, mock } = entry
  const { frames = [], earlierFrames, note } = entry
  const time = duration === undefined ? undefined : durationText(duration)
  const outcome = status ?? failure ?? state
  return [
    joinParts(
      seq,
      method,
      relativeUrlOf(url, reportedUrl),
      '→',
      outcome,
      type,
      time,
      mock && `(mock ${mock})`,
    ),
    ...indent([
      ...(earlierFrames === undefined ? [] : [`… ${earlierFrames} earlier frames`]),
      ...frames.map(({ direction, body, bytes }) => `${direction}: ${body ?? `${bytes} bytes`}`),
      ...(note === undefined ? [] : [note]),
    ]),
  ]
}
