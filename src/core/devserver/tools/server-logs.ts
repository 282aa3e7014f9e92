import * as v from 'valibot'
import { defineSessionTool } from '../../sessions/tools/define-session-tool.ts'
import { answer } from '../../tool/define-tool.ts'
import { omit, showBlock } from '../../tool/field-texts.ts'
import { cursor as cursorField, integerBetween, pattern as patternField } from '../../tool/fields.ts'
import { compileSearch } from '../../tool/pattern.ts'
import { requireServer } from './server.ts'

// A smaller number is a seq: no session has that many, and as a time it is in 2001.
const EARLIEST_TIMESTAMP_MS = 1e12

export const readServerLogs = defineSessionTool({
  name: 'read_server_logs',
  title: 'Read server logs',
  description:
    'The last lines (100) of dev server output. since: the seq of the last result, or Unix ms (combined only).',
  effect: 'reads',
  input: {
    logType: v.optional(v.picklist(['stdout', 'stderr', 'combined'])),
    lines: v.optional(integerBetween(1, 5000), 100),
    pattern: patternField,
    since: v.optional(v.pipe(v.number(), v.minValue(0))),
    cursor: cursorField,
  },
  output: {
    text: v.string(),
    lineCount: v.number(),
    truncated: v.boolean(),
    cursor: v.optional(v.string()),
    seq: v.optional(v.number()),
  },
  texts: {
    text: showBlock,
    lineCount: omit,
  },
  async run({ logType = 'combined', lines, pattern, since, cursor }, session) {
    const server = requireServer(session)
    if (!server.ok) return server
    const search = await compileSearch(pattern)
    if (!search.ok) return search
    const baseQuery = {
      type: logType,
      lines,
      ...(since !== undefined &&
        (since < EARLIEST_TIMESTAMP_MS ? { after: session.logPositions.at(logType, since) } : { since })),
    }
    const query = cursor === undefined ? baseQuery : { ...baseQuery, cursor: Number(cursor) }
    const result = await server.value.logs(query, search.value)
    return answer(result, ({ lines: logLines, cursor: next, seq: end }) => ({
      text: logLines.join('\n'),
      lineCount: logLines.length,
      truncated: next !== undefined,
      ...(next !== undefined && { cursor: String(next) }),
      // Only the first page has a seq: lines may have been written since, and a later seq would skip them.
      ...(cursor === undefined && { seq: session.logPositions.add(logType, end) }),
    }))
  },
})
