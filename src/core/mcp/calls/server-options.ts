// What every MCP server object of a process is made with.

import type { Revisions } from '../../../features/compare/revisions/revisions.ts'
import type { TestRunner } from '../../../features/run-test/test-runner.ts'
import type { ViewApp } from '../../../features/view/mcp-app.ts'
import type { Files } from '../../base/files/files.ts'
import type { Secrets } from '../../base/redaction/secret-placeholders.ts'
import type { Tool } from '../../sessions/tools/tool.ts'
import type { SessionManager } from '../../sessions/types/session-manager.ts'
import type { FailureForm } from '../answers/failure-form.ts'
import type { DispatchOptions } from './run-tool.ts'
import type { SuspendedCalls } from './suspended-calls.ts'

export interface ServerOptions extends DispatchOptions {
  readonly version: string
  readonly tools: readonly Tool[]
  readonly sessions: SessionManager
  readonly files: Files
  readonly tests: TestRunner
  readonly revisions: Revisions
  /** Whether the user is asked about hosts that no rule names. */
  readonly askHosts: boolean
  readonly secrets: Secrets
  /** Shared by all server objects, because over HTTP each request of the modern era gets one of its own. */
  readonly suspendedCalls: SuspendedCalls
  /** Undefined where clients are not told apart. */
  readonly viewApp?: ViewApp | undefined
  /** Replaces parts of the client's failure form. */
  readonly formChanges?: Partial<FailureForm>
}
