// The port behind which dev servers are started, in either mode.

import { randomUUID } from 'node:crypto'
import { startContract } from './contract.ts'
import { startDirect } from './direct.ts'
import { createWatchdog, type Watchdog } from './watchdog.ts'
import type { Servers } from '../runtime/ports/servers.ts'
import { err } from '../core/result.ts'

export interface ServersOptions {
  /** The temporary folder of this run; logs go there, and it is removed should this process be killed. */
  readonly folder: string
  /** Variables as they were before this process changed them, for its children. */
  readonly outer: Readonly<Record<string, string | undefined>>
}

export function createServers({ folder, outer }: ServersOptions): Servers {
  const run = randomUUID()
  let watchdog: Watchdog | undefined
  return {
    async start(request, hooks, signal) {
      watchdog ??= createWatchdog(run, folder)
      const place = { run, tag: randomUUID(), folder, outer, watchdog }
      const { commandPath, command } = request
      if (commandPath !== undefined) return startContract({ ...request, commandPath }, place, hooks, signal)
      if (command !== undefined) return startDirect({ ...request, command }, place, hooks, signal)
      const expected = 'commandPath, or command'
      return err({ code: 'INVALID_PARAMETERS', field: 'command', expected, received: 'neither' })
    },
  }
}
