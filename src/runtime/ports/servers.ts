// Where dev servers come from.

import type { Outcome } from '../../core/failure.ts'
import type { Server, ServerRequest, ServerStatus } from '../../core/server.ts'

export interface ServerHooks {
  /** A line of its output, as it comes. */
  line(stream: 'stdout' | 'stderr', text: string): void
  /** It ended by itself, and how. */
  ended(how: string): void
  /** What it waits for, while it starts. */
  progress(text: string): void
}

export interface LogQuery {
  readonly type: 'stdout' | 'stderr' | 'combined'
  readonly lines: number
  readonly pattern?: RegExp
  /** Unix milliseconds; only lines that carry a time can pass. */
  readonly since?: number
  /** The byte before which to read, from an earlier answer. */
  readonly cursor?: number
}

export interface LogLines {
  readonly lines: readonly string[]
  readonly cursor?: number
}

/** A dev server that was started for a session, or found running. */
export interface OwnedServer {
  info(): Server
  /** How it ended, if it did so by itself. */
  ended(): string | undefined
  status(): Promise<ServerStatus>
  restart(
    signal: AbortSignal,
    progress: (text: string) => void,
  ): Promise<Outcome<{ server: Server; previousPid?: number; previousPort?: number }>>
  /** Reads what has come since the last time, where its output does not come by itself. */
  sync(): void
  logs(query: LogQuery): Outcome<LogLines>
  /** Ends it, and says what was done; `patience` shortens the grace it is given, in milliseconds. */
  stop(patience?: number): Promise<Outcome<string>>
}

export interface Servers {
  start(request: ServerRequest, hooks: ServerHooks, signal: AbortSignal): Promise<Outcome<OwnedServer>>
}
