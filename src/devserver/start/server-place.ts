// What both modes share: the shape of a started server, and the place it is started from.

import type { Watchdog } from '../process/watchdog.ts'
import type { Reach } from '../../runtime/ports/egress-proxy.ts'
import type { OwnedServer, ServerHooks } from '../../runtime/ports/servers.ts'

export type { OwnedServer, ServerHooks }

/** Where a server belongs: the run and the tag its processes carry, its folder for logs, the environment before ours. */
export interface ServerContext {
  readonly run: string
  readonly tag: string
  readonly folder: string
  readonly outer: Readonly<Record<string, string | undefined>>
  readonly watchdog: Watchdog
  /** Judges what is asked over the network; without it all may be asked. */
  readonly reach?: Reach | undefined
}
