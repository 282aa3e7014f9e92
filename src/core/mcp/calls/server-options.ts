// What every MCP server object of a process is made with.

import type { CallContext, Tool } from '../../tool/tool.ts'
import type { FailureForm } from '../answers/failure-form.ts'
import type { McpApp } from './mcp-app.ts'
import type { DispatchOptions } from './run-tool.ts'
import type { SuspendedCalls } from './suspended-calls.ts'

export interface ServerOptions extends DispatchOptions, Omit<CallContext, 'caller'> {
  readonly version: string
  readonly tools: readonly Tool[]
  /** Whether the user is asked about hosts that no rule names. */
  readonly askHosts: boolean
  /** Shared by all server objects, because over HTTP each request of the modern era gets one of its own. */
  readonly suspendedCalls: SuspendedCalls
  /** Not set where clients are not told apart. */
  readonly apps?: readonly McpApp[]
  /** Replaces parts of the client's failure form. */
  readonly formChanges?: Partial<FailureForm>
}
