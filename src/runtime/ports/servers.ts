// Where dev servers come from.

import type { Reach } from './egress-proxy.ts'
import type { Outcome } from '../../core/failure.ts'
import type { DevServer, ServerRequest, ServerStatus } from '../../core/dev-server.ts'

export interface ServerHooks {
  /** A line of its output, as it comes. */
  line(stream: 'stdout' | 'stderr', text: string): void
  /** It ended by itself, and how. */
  ended(how: string): void
  /** It listens elsewhere than before, without a restart of ours. */
  moved(now: DevServer, before: DevServer): void
  /** What it waits for, while it starts. */
  progress(text: string): void
}

export interface LogQuery {
  readonly type: 'stdout' | 'stderr' | 'combined'
  readonly lines: number
  /** Unix milliseconds; only lines that carry a time can pass. */
  readonly since?: number
  /** Only lines after this position, the `seq` of an earlier answer. */
  readonly after?: number
  /** The position before which to read, from an earlier answer. */
  readonly cursor?: number
}

/** Those of the lines that are wanted. */
export type LogSearch = (lines: readonly string[]) => Promise<Outcome<ReadonlySet<string>>>

export interface LogLines {
  readonly lines: readonly string[]
  readonly cursor?: number
  /** Where the whole lines of the log end now: later ones come after it. */
  readonly seq: number
}

/** How much of each log had been written before its file began; positions count from the first line of the session. */
export type LogStarts = Readonly<Record<'stdout' | 'stderr' | 'combined', number>>

/** A dev server that was started for a session, or found running. */
export interface OwnedServer {
  info(): DevServer
  /** How it ended, if it did so by itself. */
  ended(): string | undefined
  status(): Promise<ServerStatus>
  restart(
    signal: AbortSignal,
    progress: (text: string) => void,
  ): Promise<Outcome<{ server: DevServer; previousPid?: number; previousPort?: number }>>
  /** Reads what has come since the last time, where its output does not come by itself. */
  sync(): void
  logs(query: LogQuery): Outcome<LogLines>
  /** The same, of the lines that `search` finds. */
  searchLogs(query: LogQuery, search: LogSearch): Promise<Outcome<LogLines>>
  /** Ends it, and says what was done; `patience` shortens the grace it is given, in milliseconds. */
  stop(patience?: number): Promise<Outcome<string>>
}

export interface Servers {
  /** `reach` judges the addresses that are asked on the way; without it all may be. */
  start(
    request: ServerRequest,
    hooks: ServerHooks,
    signal: AbortSignal,
    reach?: Reach,
  ): Promise<Outcome<OwnedServer>>
}
