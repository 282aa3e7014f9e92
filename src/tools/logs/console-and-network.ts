import * as v from 'valibot'
import { cursor, cursorOf, limit, pattern, queryOf, since, integerBetween } from '../define/fields.ts'
import { compileSearch } from '../define/pattern.ts'
import { definePageTool, defineSessionTool } from '../define/define-tool.ts'
import type { JournalEntry } from '../../core/session/journal.ts'
import type { NetworkRequest } from '../../core/session/network-log.ts'
import { clip } from '../../core/text/clip.ts'
import { folded, shortStacks, stackFrames, type ShownMessage } from '../../core/text/console-view.ts'
import type { Outcome } from '../../core/failure.ts'
import { map, ok } from '../../core/result.ts'
import type { OpenSession } from '../../runtime/ports/open-session.ts'
import type { Message, Page } from '../../runtime/ports/page.ts'

const TEXT_LIMIT_CHARS = 1000
const INLINE_BODY_LIMIT_CHARS = 20_000

const levels = ['error', 'warning', 'info', 'debug'] as const

export const consoleMessages = defineSessionTool({
  name: 'console_messages',
  title: 'Console messages',
  description:
    'The newest console messages and uncaught errors, oldest first. level: minimum severity. since: a seq. limit 1: with the full stack.',
  effect: 'reads',
  readsPageOutput: true,
  input: { level: v.optional(v.picklist([...levels, 'warn'])), pattern, since, limit, cursor },
  output: { entries: v.array(v.any()), dropped: v.number(), cursor: v.optional(v.string()) },
  async run({ level: wanted = 'debug', pattern: source, limit: most = 50, ...fields }, session) {
    const search = await compileSearch(source)
    if (!search.ok) return search
    const kinds = ['console'] as const
    const all = search.value ? session.journal.read({ kinds, limit: Infinity }).entries : []
    const found = await search.value?.(all.flatMap(({ text, message = text }) => [text, message]))
    if (found && !found.ok) return found
    const worst = levels.indexOf(wanted === 'warn' ? 'warning' : wanted)
    const read = session.journal.read({
      ...queryOf({ ...fields, limit: most }),
      kinds,
      accept: ({ level, text, message = text }) =>
        levels.indexOf(level) <= worst && (!found || found.value.has(text) || found.value.has(message)),
    })
    return ok({
      data: {
        entries: folded(read.entries.map((entry) => messageOf(entry, session, most === 1))),
        dropped: read.dropped,
        ...cursorOf(read.cursor),
      },
    })
  },
})

// Redacted before anything is cut, so that no secret loses what it is known by.
function messageOf(
  { seq, at, level, text, message = text, data: { stack: thrown, ...data } = {} }: JournalEntry,
  session: OpenSession,
  isWhole: boolean,
): ShownMessage {
  const shown = (words: string) => (isWhole ? session.redact(words) : shortStacks(session.redact(words)))
  const frames = typeof thrown === 'string' ? stackFrames(thrown) : undefined
  return {
    seq,
    timestamp: at,
    level,
    message: shown(message).slice(0, TEXT_LIMIT_CHARS),
    ...data,
    ...(frames !== undefined && { stack: shown(frames) }),
  }
}

const filters = ['all', 'failed', 'fetch', 'document', 'script', 'stylesheet', 'image', 'websocket'] as const

export const networkRequests = definePageTool({
  name: 'network_requests',
  title: 'Network requests',
  description:
    'The newest requests, oldest first; pattern matches the URL. With id (a seq): headers or body of that request and its response, or the frames of that WebSocket.',
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
  async run(
    { filter = 'all', pattern: source, limit: most = 50, id, part = 'headers', ...fields },
    page,
    _,
    { session },
  ) {
    if (id !== undefined) return readRequest(id, part, page, session)
    const search = await compileSearch(source)
    if (!search.ok) return search
    const all = search.value ? session.network.read({ limit: Infinity }).entries : []
    const found = await search.value?.(all.map(({ url }) => url))
    if (found && !found.ok) return found
    const read = session.network.read({
      ...queryOf({ ...fields, limit: most }),
      accept: (one) => matchesFilter(one, filter) && (found?.value.has(one.url) ?? true),
    })
    return ok({
      data: {
        entries: read.entries.map((one) => ({
          ...requestOf(one, session),
          ...(filter === 'websocket' && framesOf(one, session, LIST_FRAME_LIMITS)),
        })),
        dropped: read.dropped,
        ...cursorOf(read.cursor),
      },
    })
  },
})

async function readRequest(
  id: number,
  part: 'headers' | 'body',
  page: Page,
  session: OpenSession,
): Promise<
  Outcome<{ data: { entries: unknown[]; dropped: number; request?: unknown; response?: unknown } }>
> {
  const { entries, dropped } = session.network.read({ since: id - 1, before: id + 1, limit: 1 })
  const shown = entries.map((one) => ({
    ...requestOf(one, session),
    ...framesOf(one, session, REQUEST_FRAME_LIMITS),
  }))
  const read = await page.exchange(id, part)
  // A WebSocket has no headers where the browser tells of it as such.
  if (!read.ok) return entries[0]?.type === 'websocket' ? ok({ data: { entries: shown, dropped } }) : read
  const [request, response] = [
    await saveLongBody(read.value.request, session),
    await saveLongBody(read.value.response, session),
  ]
  return ok({ data: { entries: shown, dropped, request, response } })
}

const LIST_FRAME_LIMITS = { most: 5, characters: 200 } as const
const REQUEST_FRAME_LIMITS = { most: 100, characters: TEXT_LIMIT_CHARS } as const

// The newest frames of a WebSocket; `earlierFrames` counts those that are left out.
function framesOf(
  { seq, type, framesSent, framesReceived = 0 }: NetworkRequest,
  { network, redact }: OpenSession,
  { most, characters }: { most: number; characters: number },
): { frames?: unknown[]; earlierFrames?: number; note?: string } {
  if (type !== 'websocket') return {}
  if (framesSent === undefined) return { note: 'this browser reports only the handshake, not the frames' }
  const frames = network.frames(seq, most)
  const earlier = framesSent + framesReceived - frames.length
  return {
    ...(earlier > 0 && { earlierFrames: earlier }),
    frames: frames.map(({ at, direction, body, bytes }) => ({
      timestamp: at,
      direction,
      ...(body !== undefined && { body: clip(redact(body), characters) }),
      ...(bytes !== undefined && { bytes }),
    })),
  }
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
  url: session.redact(url).slice(0, TEXT_LIMIT_CHARS),
})

// A long body goes to a file; its beginning stays.
async function saveLongBody(
  message: Message,
  { folder, redact }: OpenSession,
): Promise<Record<string, unknown>> {
  const { body } = message
  if (body === undefined || body.length <= INLINE_BODY_LIMIT_CHARS) return { ...message }
  const written = await folder.write('body.txt', new TextEncoder().encode(body))
  const cut = { ...message, body: redact(body).slice(0, INLINE_BODY_LIMIT_CHARS / 4) }
  const told = map(written, ({ path, resource }) => ({ path, resource }))
  return { ...cut, note: `${body.length} characters, truncated`, ...(told.ok && told.value) }
}
