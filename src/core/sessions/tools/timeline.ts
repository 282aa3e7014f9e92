import * as v from 'valibot'
import { ok } from '../../base/result.ts'
import { showEntries } from '../../tool/field-texts.ts'
import { cursor, cursorOf, limit, queryOf, since } from '../../tool/fields.ts'
import { shortenStacks } from '../journal/console-view.ts'
import { readTimeline } from '../journal/read-timeline.ts'
import { defineSessionTool } from './define-session-tool.ts'

const ENTRY_LIMIT_CHARS = 500

const entrySchema = v.object({
  seq: v.number(),
  timestamp: v.number(),
  kind: v.string(),
  level: v.string(),
  text: v.string(),
})

type Entry = v.InferOutput<typeof entrySchema>

export const timeline = defineSessionTool({
  name: 'timeline',
  title: 'Timeline',
  description: 'Actions, console, requests and server lines in time order, the newest 50. since: a seq.',
  effect: 'reads',
  readsPageOutput: true,
  input: {
    since,
    limit,
    cursor,
  },
  output: {
    entries: v.array(entrySchema),
    dropped: v.number(),
    cursor: v.optional(v.string()),
  },
  texts: {
    entries: showEntries((entry: Entry, _, [first]) => [entryText(entry, first?.timestamp ?? 0)]),
  },
  async run({ limit: entryLimit, ...fields }, session) {
    const query = queryOf({ ...fields, limit: entryLimit }, session.reportedSeq)
    const result = readTimeline(session.journal, session.network, query)
    const entriesWithSource = await session.locateEntries(result.entries)
    const entries = entriesWithSource.map(({ seq, at, kind, level, text }) => ({
      seq,
      timestamp: at,
      kind,
      level,
      text: shortenStacks(session.redact(text)).slice(0, ENTRY_LIMIT_CHARS),
    }))
    return ok({ data: { entries, dropped: result.dropped, ...cursorOf(result.cursor) } })
  },
})

// Times are relative to the first entry: `since` and the order are enough to find a cause.
const entryText = ({ seq, timestamp, kind, text }: Entry, startedAt: number): string =>
  `${seq} +${((timestamp - startedAt) / 1000).toFixed(1)} s ${kind}: ${text}`
