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

/** The record of a server that is a child process. `status` is the status of its page; `listeners` says what else listens. */
export function serverOf(
  url: string,
  child: ServerProcess,
  startedAt: string,
  status = 200,
  listeners = '',
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
    pid: child.pid,
    startedAt,
    logs: child.logs,
    isOwned: true,
    message,
    ...(!isReady && { output: errorOutputOf(child) }),
  }
}
