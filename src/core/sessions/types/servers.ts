// The dev servers as sessions use them. src/core/devserver implements them.

import type { LogPaths } from '../../base/failure-records.ts'
import type { Outcome } from '../../base/failure.ts'
import type { CheckServerAddress } from './egress-proxy.ts'
import type { ProjectFiles, ServerCode } from './freshness.ts'

export interface ServerHooks {
  /** Variables for each start of its command, beside those of its request. */
  variables?(): Promise<Readonly<Record<string, string>>>
  onLine(stream: 'stdout' | 'stderr', text: string): void
  /** Called when it exits by itself. */
  onExit(reason: string): void
  /** Called after each start and restart, which wait for it. */
  onStarted(info: DevServer, server: OwnedServer): Promise<void>
  /** Called when its URL changes without `restart`. */
  onMove(current: DevServer, previous: DevServer): void
  /** Redacts what is written to the log files that answers name; without it they are as the server writes them. */
  redact?(text: string): string
  /** Called with the progress of its start. */
  onProgress(text: string): void
  /** The other open session of the caller whose server listens on this port. */
  sessionAt?(port: number): Promise<{ readonly name: string; readonly command: string } | undefined>
}

export interface LogQuery {
  readonly type: 'stdout' | 'stderr' | 'combined'
  readonly lines: number
  /** Unix milliseconds; lines without a timestamp never match. */
  readonly since?: number
  /** Only lines after this position, the `seq` of an earlier result. */
  readonly after?: number
  /** Only lines before this position, the `cursor` of an earlier result. */
  readonly cursor?: number
}

export type LogSearch = (lines: readonly string[]) => Promise<Outcome<ReadonlySet<string>>>

export interface LogLines {
  readonly lines: readonly string[]
  readonly cursor?: number
  /** The position after the last complete line of the log. */
  readonly seq: number
}

/** The position of the first line of each log file; positions count from the first line of the session. */
export type LogStarts = Readonly<Record<'stdout' | 'stderr' | 'combined', number>>

/** A URL at which Playwright's `webServer` takes a server as ready, and whether Node trusts its certificate. */
export interface ReadyUrl {
  readonly url: string
  readonly isTrusted: boolean
}

/** How a server ends that has processes outside of the group of its command, where that group alone gets SIGTERM. */
export interface GroupEnd {
  /** What goes on even after SIGKILL, in words. */
  readonly left?: string
}

/** A dev server that was started for a session, or was running already. */
export interface OwnedServer {
  info(): DevServer
  /** How it exited, if it did so by itself. */
  exitReason(): string | undefined
  status(): Promise<ServerStatus>
  restart(
    signal: AbortSignal,
    progress: (text: string) => void,
  ): Promise<Outcome<{ server: DevServer; previousPid?: number; previousPort?: number }>>
  /** Ends its processes until it is restarted; a server of the contract goes on. */
  pause?(): Promise<void>
  /** Ends it as a runner of tests does, to see what that leaves; undefined, and it goes on, if its process group is all of it. */
  endGroup?(): Promise<GroupEnd | undefined>
  /** Ends it, and tells whether it goes on to another port in silence where its own is taken. */
  leavesTakenPort?(signal: AbortSignal): Promise<boolean>
  /** The variables that keep it a child of who starts it. */
  readonly foregroundVariables?: Readonly<Record<string, string>>
  /** The first of these URLs at which Playwright's `webServer` would take it as ready. */
  findReadyUrl?(urls: readonly string[], signal: AbortSignal): Promise<ReadyUrl | undefined>
  /** The ports on which its processes listen; none if that cannot be told. */
  ports?(): readonly number[]
  /** Whether another program listens on this port, and no process of the server; false where that cannot be told. */
  hasLostPort?(port: number): boolean
  /** Begins to look which ports of this machine it uses, its own ones and those of programs that run below `folder`. The function that it
   * returns tells what is known since then; undefined where that cannot be told. */
  watchPorts?(folder: string): () => UsedPorts | undefined
  /** What it does with changes of its files; undefined if nothing is known about its processes. Its programs are looked up only if asked for:
   * that is a look at all processes of the machine. */
  code?(options?: { readonly withPrograms: boolean }): ServerCode | undefined
  /** The files of its project as they are now, and `others`, by absolute path; absent if nothing is known about its processes. */
  files?(others?: readonly string[]): Promise<ProjectFiles>
  /** Reads new output, if its logs are files. */
  sync(): void
  /** The last lines that match the query and, if there is a search, that it returns. */
  logs(query: LogQuery, search?: LogSearch): Promise<Outcome<LogLines>>
  /** Stops it and returns a text about that; `graceMs` limits its time to exit, in milliseconds. */
  stop(graceMs?: number): Promise<Outcome<string>>
}

export interface Servers {
  /** Starts a server. `checkServerAddress` checks the URLs that are requested meanwhile; without it all are allowed. */
  start(
    request: ServerRequest,
    hooks: ServerHooks,
    signal: AbortSignal,
    checkServerAddress?: CheckServerAddress,
  ): Promise<Outcome<OwnedServer>>
}

/** `contract`: started and stopped by the user's own command; `direct`: a child process of Footlight; `found`: a server that was already running. */
export interface DevServer {
  readonly mode: 'contract' | 'direct' | 'found'
  readonly url: string
  readonly port: number
  /** The variable PORT of its command, if one of its processes listens there. */
  readonly variablePort?: number
  readonly pid?: number
  /** ISO 8601, as in the server contract. */
  readonly startedAt: string
  readonly logs?: LogPaths
  /** Whether it ends with the session. */
  readonly isOwned: boolean
  readonly message: string
  /** The error lines that it printed, if its page responds with an error. */
  readonly output?: readonly string[]
}

export interface ServerStatus {
  readonly status: 'running' | 'stopped' | 'unhealthy'
  readonly url?: string
  readonly port?: number
  /** Milliseconds since the start. */
  readonly uptime?: number
  readonly healthy: boolean
  readonly message?: string
}

/** The request of a caller: `commandPath` for a program that implements the server contract, `command` for any command. */
export interface ServerRequest {
  readonly commandPath?: string
  readonly args?: readonly string[]
  readonly command?: string | readonly string[]
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  /** `none`: the variable PORT is not set, and no port is expected. */
  readonly port?: number | 'none'
  readonly readyUrl?: string
  readonly readyTimeout?: number
}

/** A port of this machine on which another program listens. */
export interface UsedPort {
  readonly port: number
  /** That program, in words; empty if it is not known. */
  readonly holder: string
  /** Whether a process of the server was seen with a connection to it; else anybody may have had it. */
  readonly isConnected: boolean
}

export interface UsedPorts {
  /** On which the processes of the server listen. */
  readonly own: readonly number[]
  readonly foreign: readonly UsedPort[]
}
