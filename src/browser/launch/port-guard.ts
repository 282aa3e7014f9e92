// While Firefox starts, whoever connects to its debugging port first has its one session, with the rights of the user who started it. So its
// connections are looked up, and one of another user ends the browser. Only Linux tells the users of connections.

import { readFileSync } from 'node:fs'
import process from 'node:process'
import type { LaunchOptions } from 'playwright'

type Logger = NonNullable<LaunchOptions['logger']>

export interface PortGuard {
  /** Receives what the browser prints: the port, and before that its process. */
  readonly logger: Logger
  /** Whether another user has connected. */
  isIntruded(): boolean
  stop(): void
}

const CHECK_INTERVAL_MS = 2

/** Guards until it is stopped. `end` is called with the process of the browser when another user has connected. */
export function createPortGuard(end: (pid: number) => void): PortGuard {
  let pid: number | undefined
  let timer: ReturnType<typeof setInterval> | undefined
  let isIntruded = false
  let isStopped = false
  const check = (port: number) => {
    if (isIntruded || !hasForeignConnection(port)) return
    isIntruded = true
    if (pid !== undefined) end(pid)
  }
  return {
    logger: {
      isEnabled: (name) => name === 'browser',
      log(_, __, message) {
        const text = String(message)
        pid ??= toNumber(/<launched> pid=(\d+)/.exec(text))
        const port = toNumber(/WebDriver BiDi listening on ws:\/\/[^/]+:(\d+)/.exec(text))
        if (port === undefined || timer || isStopped) return
        check(port)
        timer = setInterval(() => check(port), CHECK_INTERVAL_MS)
      },
    },
    isIntruded: () => isIntruded,
    stop() {
      isStopped = true
      clearInterval(timer)
    },
  }
}

// --- internal ---

const toNumber = (match: RegExpExecArray | null): number | undefined =>
  match?.[1] === undefined ? undefined : Number(match[1])

// A connection that has ended has no user any more, and is shown as one of root.
function hasForeignConnection(port: number): boolean {
  const users = [0, process.getuid?.(), process.geteuid?.()]
  return readConnections().some(
    (row) => row.remotePort === port && row.isLoopback && !users.includes(row.user),
  )
}

const LOOPBACK_PATTERN = /^(0100007F|00000000000000000000000001000000|0000000000000000FFFF00000100007F)$/

// A row of /proc/net/tcp: number, local and remote address:port in hex, state, queues, timer, retransmissions, user.
const readConnections = () =>
  ['tcp', 'tcp6'].flatMap((name) =>
    readTable(`/proc/net/${name}`).map((row) => {
      const [, , remote = '', , , , , user = '0'] = row.trim().split(/\s+/)
      const [address = '', port = ''] = remote.split(':')
      return {
        remotePort: Number.parseInt(port, 16),
        isLoopback: LOOPBACK_PATTERN.test(address),
        user: Number(user),
      }
    }),
  )

function readTable(path: string): string[] {
  try {
    return readFileSync(path, 'latin1').trimEnd().split('\n').slice(1)
  } catch {
    return []
  }
}
