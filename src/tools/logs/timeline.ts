import * as v from 'valibot'
import { cursor, cursorOf, limit, queryOf, since } from '../define/fields.ts'
import { defineSessionTool } from '../define/define-tool.ts'
import { ok } from '../../core/result.ts'

export const timeline = defineSessionTool({
  name: 'timeline',
  title: 'Timeline',
  description:
    'Actions, console messages, requests and dev server lines of a session in time order, newest last. since: a seq; only later entries.',
  effect: 'reads',
  readsPageOutput: true,
  input: {
    since,
    limit,
    cursor,
  },
  output: {
    entries: v.array(
      v.object({ seq: v.number(), at: v.number(), kind: v.string(), level: v.string(), text: v.string() }),
    ),
    dropped: v.number(),
    cursor: v.optional(v.string()),
  },
  async run({ limit: most = 50, ...fields }, session) {
    session.server?.sync()
    const { entries, cursor: next, dropped } = session.journal.read(queryOf({ ...fields, limit: most }))
    const shown = entries.map(({ seq, at, kind, level, text }) => ({
      seq,
      at,
      kind,
      level,
      text: session.redact(text).slice(0, 500),
    }))
    return ok({ data: { entries: shown, dropped, ...cursorOf(next) } })
  },
})
