import type { Redactor } from '../../core/redaction/redactor.ts'
import type { ToolResult } from '../../runtime/ports/tool-call.ts'

/** The result with its data and its texts redacted. */
export function redactResult(result: ToolResult, redactData: Redactor['redactData']): ToolResult {
  const { data, news } = redactData({ data: result.data, news: result.news })
  return { ...result, data, ...(news !== undefined && { news }) }
}
