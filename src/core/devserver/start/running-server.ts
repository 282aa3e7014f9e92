import { clip } from '../../base/text/clip.ts'
import type { DevServer } from '../../sessions/types/servers.ts'
import { isReadyStatus, portOf } from '../dev-server.ts'
import type { ServerProcess } from '../process/child-process.ts'
import { errorLinesOf, errorOutputOf } from './start-failures.ts'

export interface RunningServer {
  readonly child: ServerProcess
  readonly server: DevServer
  /** Whether a browser can show its response. */
  readonly isPage: boolean
  /** What is wrong with the other processes of its command, as sentences; empty if nothing is known. `url` is that of its page. */
  describeProblems(url: string): Promise<string>
}

const CAUSE_LIMIT_CHARS = 300

interface ServerFacts {
  readonly startedAt: string
  /** The status of its page. */
  readonly status?: number
  /** What else listens, in words. */
  readonly listeners?: string
  readonly variablePort?: number | undefined
  /** The command has ended with 0, and what it has started elsewhere responds. */
  readonly isElsewhere?: boolean
}

/** The record of a server that is a child process. */
export function serverOf(
  url: string,
  child: ServerProcess,
  { startedAt, status = 200, listeners = '', variablePort, isElsewhere = false }: ServerFacts,
): DevServer {
  const isReady = isReadyStatus(status)
  const [cause = ''] = isReady ? [] : errorLinesOf(child)
  const reason = cause && `: ${clip(cause, CAUSE_LIMIT_CHARS)}`
  const message = isReady
    ? `The server is ready at ${url}${listeners}`
    : `The server is up at ${url}${listeners}, but its page responds with ${status}${reason}`
  const ending = isElsewhere ? '. Its command has ended, so it will be left running.' : ''
  return {
    mode: isElsewhere ? 'found' : 'direct',
    url,
    port: portOf(url),
    variablePort,
    ...(!isElsewhere && { pid: child.pid }),
    startedAt,
    logs: child.logs,
    isOwned: !isElsewhere,
    message: message + ending,
    ...(!isReady && { output: errorOutputOf(child) }),
  }
}
