// A started server that responds.

import { errorLinesOf, errorOutputOf } from './start-failures.ts'
import type { ServerProcess } from '../process/child-process.ts'
import { clip } from '../../core/text/clip.ts'
import { isReadyStatus, portOf, type DevServer } from '../../core/dev-server.ts'

export interface RunningServer {
  readonly child: ServerProcess
  readonly server: DevServer
  /** Whether a browser can show its response. */
  readonly isPage: boolean
}

const CAUSE_LIMIT_CHARS = 300

interface ServerFacts {
  readonly startedAt: string
  /** The status of its page. */
  readonly status?: number
  /** What else listens, in words. */
  readonly listeners?: string
  readonly variablePort?: number | undefined
}

/** The record of a server that is a child process. */
export function serverOf(
  url: string,
  child: ServerProcess,
  { startedAt, status = 200, listeners = '', variablePort }: ServerFacts,
): DevServer {
  const isReady = isReadyStatus(status)
  const [cause = ''] = isReady ? [] : errorLinesOf(child)
  const reason = cause && `: ${clip(cause, CAUSE_LIMIT_CHARS)}`
  const message = isReady
    ? `The server is ready at ${url}${listeners}`
    : `The server is up at ${url}${listeners}, but its page responds with ${status}${reason}`
  return {
    mode: 'direct',
    url,
    port: portOf(url),
    ...(variablePort !== undefined && { variablePort }),
    pid: child.pid,
    startedAt,
    logs: child.logs,
    isOwned: true,
    message,
    ...(!isReady && { output: errorOutputOf(child) }),
  }
}
