// The context for starting a server, in both modes.

import type { FindFreePort } from './free-port.ts'
import type { Watchdog } from '../process/watchdog.ts'
import type { CheckReach } from '../../runtime/ports/egress-proxy.ts'

/** The run and the tag of the server's processes, the folder of its logs, and the environment before this process changed it. */
export interface ServerContext {
  readonly run: string
  readonly tag: string
  readonly folder: string
  readonly parentEnv: Readonly<Record<string, string | undefined>>
  readonly watchdog: Watchdog
  /** The command line of this program as the supervisor of a server, on Windows. */
  readonly supervisor?: readonly string[] | undefined
  readonly findFreePort: FindFreePort
  /** Checks network requests against the host rules; without it all are allowed. */
  readonly reach?: CheckReach | undefined
}
