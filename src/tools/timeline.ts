import * as v from 'valibot'
import { defineRoomTool } from './tool.ts'
import { ok } from '../core/result.ts'

export const timeline = defineRoomTool({
  name: 'timeline',
  title: 'Timeline',
  description:
    'Actions, console, requests and dev server lines of a session on one clock, newest last. since: a seq, for only what came after.',
  effect: 'reads',
  input: {
    since: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
    limit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1000))),
    cursor: v.optional(v.pipe(v.string(), v.regex(/^\d+$/), v.description('For earlier entries'))),
  },
  output: {
    entries: v.array(
      v.object({ seq: v.number(), at: v.number(), kind: v.string(), level: v.string(), text: v.string() }),
    ),
    dropped: v.number(),
    cursor: v.optional(v.string()),
  },
  async run({ since, limit = 50, cursor: before }, room) {
    room.server?.sync()
    const query = {
      limit,
      ...(since !== undefined && { since }),
      ...(before !== undefined && { before: Number(before) }),
    }
    const { entries, cursor, dropped } = room.journal.read(query)
    const shown = entries.map(({ seq, at, kind, level, text }) => ({
      seq,
      at,
      kind,
      level,
      text: text.slice(0, 500),
    }))
    return ok({ data: { entries: shown, dropped, ...(cursor !== undefined && { cursor: String(cursor) }) } })
  },
})
