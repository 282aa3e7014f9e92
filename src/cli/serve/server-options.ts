import { createCallLimiter } from './client-limits.ts'
import type { Log } from './create-log.ts'
import type { Services } from './create-services.ts'
import { hasHandles, isHttpTransport, isSessionOptional } from '../options/option-conflicts.ts'
import type { Settings } from '../options/options.ts'
import { VERSION } from '../version.ts'
import { createSuspendedCalls } from '../../mcp/calls/suspended-calls.ts'
import { createToolNames } from '../../mcp/calls/tool-names.ts'
import type { ServerOptions } from '../../mcp/server-options.ts'
import type { Tool } from '../../tools/define/tool.ts'

/** What every MCP server of this process is made with. */
export const createServerOptions = (
  settings: Settings,
  tools: readonly Tool[],
  { sessions, files, tests, secrets, metrics, log }: Services,
): ServerOptions => ({
  version: VERSION,
  tools,
  sessions,
  files,
  tests,
  names: createToolNames(tools, settings.names),
  isSessionOptional: isSessionOptional(settings),
  showsSessionIds: hasHandles(settings),
  formChanges: {
    ...(settings.evidence === 'full' && { images: 'all' }),
    ...(settings.names === 'e2e' && { hasAllServerErrors: true }),
  },
  askHosts: settings.askHosts,
  limiter: createCallLimiter(settings, isHttpTransport(settings)),
  secrets,
  suspendedCalls: createSuspendedCalls(),
  onCall(event) {
    metrics.count(event)
    const { event: name, ...fields } = event
    log[logLevelOf(fields.errorCode)](name, fields)
  },
  onBug: (id, error) => logInternalError(log, error, id),
})

export const logInternalError = (log: Log, error: unknown, id?: string): void =>
  log.error('internal error', {
    ...(id && { id }),
    stack: (error instanceof Error && error.stack) || String(error),
  })

// A failure of the machine is an error, a timeout is a warning, and a mistake of the caller is information.
function logLevelOf(errorCode: string | undefined): 'error' | 'warn' | 'info' {
  if (errorCode === undefined) return 'info'
  if (/^(SERVER_|BROWSER_|PAGE_CRASHED|INTERNAL|RESOURCE_)/.test(errorCode)) return 'error'
  return /^(TIMEOUT|PAGE_HUNG)$/.test(errorCode) ? 'warn' : 'info'
}
