// What both modes start a server with.

import type { Watchdog } from '../process/watchdog.ts'
import type { CheckReach } from '../../runtime/ports/egress-proxy.ts'

/** The run and the tag that the server's processes carry, the folder of its logs, and the environment before this process changed it. */
export interface ServerContext {
  readonly run: string
  readonly tag: string
  readonly folder: string
  readonly parentEnv: Readonly<Record<string, string | undefined>>
  readonly watchdog: Watchdog
  /** Judges what is requested over the network; without it everything may be requested. */
  readonly reach?: CheckReach | undefined
}
