// A dev server as the rest of the program sees it, and what a line of its output tells.

import { parseUrl } from './url.ts'

/** Where its output is kept; absolute paths. */
export interface LogPaths {
  readonly stdout: string
  readonly stderr: string
  readonly combined: string
}

/** `contract`: started and stopped by the user's own command; `direct`: our child; `found`: it answered already and is not ours. */
export interface Server {
  readonly mode: 'contract' | 'direct' | 'found'
  readonly url: string
  readonly port: number
  readonly pid?: number
  /** ISO 8601, as the contract has it. */
  readonly startedAt: string
  readonly logs?: LogPaths
  /** Whether it ends with the session. */
  readonly ours: boolean
  readonly message: string
}

export interface ServerStatus {
  readonly status: 'running' | 'stopped' | 'unhealthy'
  readonly url?: string
  /** Milliseconds since it started. */
  readonly uptime?: number
  readonly healthy: boolean
  readonly message?: string
}

/** What a caller asks for: `commandPath` for a command that keeps the contract, `command` for any command. */
export interface ServerRequest {
  readonly commandPath?: string
  readonly args?: readonly string[]
  readonly command?: string | readonly string[]
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  readonly port?: number
  readonly readyUrl?: string
  readonly readyTimeout?: number
}

export type StartFailure =
  'command_not_found' | 'permission_denied' | 'non_zero_exit' | 'invalid_json' | 'timeout' | 'exited'

const codes =
  /\u001b\[[0-?]*[ -/]*[@-~]|\u001b[()*+].|\u001b\][^\u0007]*(?:\u0007|\u001b\\)|\u001b\[?[0-?]*$|\r/g

/** A line without terminal codes, also without one that it was cut in. */
export const plainLine = (line: string): string => line.replace(codes, '')

/** The loopback address that a line of output announces, as http://host:port/path, or undefined. */
export function urlIn(line: string): string | undefined {
  const match =
    /\bhttps?:\/\/(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\]):\d{1,5}(?:\/[^\s'")\]<>`\u0000-\u001f]*)?/i.exec(
      plainLine(line),
    )
  const url = match ? parseUrl(match[0].replace(/[.,;:!*]+$/, '')) : undefined
  if (!url) return undefined
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1'
  if (url.hostname === '[::]') url.hostname = '[::1]'
  return url.href
}
