// What every MCP server object of a process is made with.

import type { Secrets } from '../../core/redaction/secret-placeholders.ts'
import type { Files } from '../../runtime/ports/files.ts'
import type { Revisions } from '../../runtime/ports/revisions.ts'
import type { SessionManager } from '../../runtime/ports/session-manager.ts'
import type { TestRunner } from '../../runtime/ports/test-runner.ts'
import type { Tool } from '../../tools/define/tool.ts'
import type { FailureForm } from '../answers/failure-form.ts'
import type { DispatchOptions } from './run-tool.ts'
import type { SuspendedCalls } from './suspended-calls.ts'
import type { ViewApp } from './view-app.ts'

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
