import * as v from 'valibot'
import { cursor, cursorOf, limit, pattern, patternOf, queryOf, since, whole } from './fields.ts'
import { definePageTool, defineRoomTool } from './tool.ts'
import type { Entry } from '../core/journal.ts'
import type { Exchange } from '../core/traffic.ts'
import { map, ok } from '../core/result.ts'
import type { Folder } from '../runtime/ports/files.ts'
import type { Message } from '../runtime/ports/page.ts'

const LONGEST = 1000
const INLINE_BODY = 20_000

const levels = ['error', 'warning', 'info', 'debug'] as const

export const consoleMessages = defineRoomTool({
  name: 'console_messages',
  title: 'Console messages',
  description:
    'The newest console messages and uncaught errors, oldest first. level: this and worse. since: a seq.',
  effect: 'reads',
  input: { level: v.optional(v.picklist([...levels, 'warn'])), pattern, since, limit, cursor },
  output: { entries: v.array(v.any()), dropped: v.number(), cursor: v.optional(v.string()) },
  async run({ level: wanted = 'debug', pattern: source, limit: most = 50, ...fields }, room) {
    const accept = patternOf(source)
    if (!accept.ok) return accept
    const worst = levels.indexOf(wanted === 'warn' ? 'warning' : wanted)
    const read = room.journal.read({
      ...queryOf({ ...fields, limit: most }),
      kinds: ['console'],
      accept: ({ level, text }) => levels.indexOf(level) <= worst && (accept.value?.test(text) ?? true),
    })
    return ok({
      data: { entries: read.entries.map(messageOf), dropped: read.dropped, ...cursorOf(read.cursor) },
    })
  },
})

const messageOf = ({ seq, at, level, text, data }: Entry) => ({
  seq,
  timestamp: at,
  level,
  message: text.slice(0, LONGEST),
  ...data,
})

const filters = ['all', 'failed', 'fetch', 'document', 'script', 'stylesheet', 'image', 'websocket'] as const

export const networkRequests = definePageTool({
  name: 'network_requests',
  title: 'Network requests',
  description:
    'The newest requests, oldest first; pattern matches the URL. With id (a seq): headers or body of that request and its response.',
  shows: 'meanwhile',
  effect: 'reads',
  input: {
    filter: v.optional(v.picklist(filters)),
    pattern,
    since,
    limit,
    cursor,
    id: v.optional(whole(1, Number.MAX_SAFE_INTEGER)),
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
    { room },
  ) {
    if (id !== undefined) {
      const read = await page.exchange(id, part)
      if (!read.ok) return read
      const entries = room.traffic.read({ since: id - 1, before: id + 1, limit: 1 })
      const [request, response] = [
        await fitting(read.value.request, room.folder),
        await fitting(read.value.response, room.folder),
      ]
      return ok({
        data: { entries: entries.entries.map(requestOf), dropped: entries.dropped, request, response },
      })
    }
    const accept = patternOf(source)
    if (!accept.ok) return accept
    const read = room.traffic.read({
      ...queryOf({ ...fields, limit: most }),
      accept: (one) => passes(one, filter) && (accept.value?.test(one.url) ?? true),
    })
    return ok({
      data: { entries: read.entries.map(requestOf), dropped: read.dropped, ...cursorOf(read.cursor) },
    })
  },
})

function passes({ type, state, status = 0 }: Exchange, filter: (typeof filters)[number]): boolean {
  if (filter === 'all') return true
  if (filter === 'failed') return state === 'failed' || status >= 400
  return filter === 'fetch' ? type === 'fetch' || type === 'xhr' : type === filter
}

const requestOf = ({ at, url, ...rest }: Exchange) => ({ ...rest, timestamp: at, url: url.slice(0, LONGEST) })

// A long body goes to a file; its beginning stays.
async function fitting(message: Message, folder: Folder): Promise<Record<string, unknown>> {
  const { body } = message
  if (body === undefined || body.length <= INLINE_BODY) return { ...message }
  const written = await folder.write('body.txt', new TextEncoder().encode(body))
  const cut = { ...message, body: body.slice(0, INLINE_BODY / 4) }
  const told = map(written, ({ path, resource }) => ({ path, resource }))
  return { ...cut, note: `${body.length} characters, cut`, ...(told.ok && told.value) }
}
