// A tool as the protocol and the runtime see it: data, and a way to bind an input to its body.

import type * as v from 'valibot'
import type { Outcome } from '../../core/failure.ts'
import type { Result } from '../../core/result.ts'
import type { Secrets } from '../../core/text/secret-placeholders.ts'
import type { Files } from '../../runtime/ports/files.ts'
import type { SessionManager } from '../../runtime/ports/session-manager.ts'
import type { Caller, ToolResult } from '../../runtime/ports/tool-call.ts'

/** What a tool's body can use beside its session. */
export interface ToolContext {
  readonly caller: Caller
  readonly sessions: SessionManager
  readonly files: Files
  /** What an agent may type without seeing it. */
  readonly secrets: Secrets
}

/** What the tool does to the world, as MCP's annotations say it. */
export type Effect = 'reads' | 'acts' | 'ends'

export interface ToolDetails {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly effect: Effect
  /** Whether a success carries a picture. Several clients show their model the structured content alone, so it has none then. */
  readonly showsImage?: boolean
}

/** A call whose input was read. */
export interface BoundCall {
  /** The input as the tool reads it, its session included. */
  readonly input: object
  run(context: ToolContext): Promise<Outcome<ToolResult>>
}

export interface Tool extends ToolDetails {
  readonly input: v.StrictObjectSchema<v.ObjectEntries, undefined>
  readonly output: v.ObjectSchema<v.ObjectEntries, undefined>
  /** Binds an input to the body; where it is not as the schema says, what is wrong with it. */
  bind(given: RawInput, isSessionOptional: boolean): Result<BoundCall, readonly v.BaseIssue<unknown>[]>
}

/** An input as it came, by the names of its fields. */
export type RawInput = Readonly<Record<string, unknown>>
