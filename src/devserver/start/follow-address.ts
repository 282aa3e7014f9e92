// Follows a server that moves to another port by itself, as Vite does when its configuration changes, to the URL that it announces.

import { pollUntil } from '../process/child-process.ts'
import { probeUrl } from './http-probe.ts'
import { readActivity } from '../process/process-activity.ts'
import { serverOf, type RunningServer } from './running-server.ts'
import type { ServerContext } from './server-context.ts'
import { createBoundedMap } from '../../core/limits/bounded-map.ts'
import { portOf } from '../../core/dev-server.ts'

const PROBE_TIMEOUT_MS = 3000
/** The interval between checks, because a server may print URLs with every request. */
const CHECK_INTERVAL_MS = 250
const ADDRESS_LIMIT = 20

export interface AddressFollower {
  onAnnounced(url: string): void
  /** Checks whether the server moved. */
  check(): Promise<void>
  /** Forgets the announced URLs, when the server is started again. */
  reset(): void
}

/** `current` returns undefined while the server is being stopped; `onMoved` gets the server at its new URL. A requested `port` stays the
 * server's while it listens there, whatever else it announces. */
export function createAddressFollower(
  context: ServerContext,
  current: () => RunningServer | undefined,
  onMoved: (server: RunningServer) => void,
  port: number | undefined,
): AddressFollower {
  const candidates = createBoundedMap<string, true>(ADDRESS_LIMIT)
  let pendingCheck: Promise<void> | undefined
  let checkedAt = 0

  async function checkCandidates(): Promise<void> {
    await pollUntil(() => performance.now() - checkedAt > CHECK_INTERVAL_MS, CHECK_INTERVAL_MS * 2)
    checkedAt = performance.now()
    const previous = current()
    if (!previous) return
    const { child, server, isPage } = previous
    const activity = readActivity(child.tree)
    const isPortLost = activity.listens(server.port) === false
    if (!isPortLost && (isPage || server.port === port)) return
    // The latest announcement first.
    for (const url of candidates.keys().toReversed()) {
      if (portOf(url) === server.port || activity.listens(portOf(url)) !== true) continue
      const answer = await probeUrl(url, {
        timeoutMs: PROBE_TIMEOUT_MS,
        reach: context.reach,
        isOwnServer: true,
      })
      if (!answer || !(isPortLost || answer.isPage) || current() !== previous) continue
      candidates.clear()
      return onMoved({ child, isPage: answer.isPage, server: serverOf(url, child, server) })
    }
  }

  const check = (): Promise<void> => {
    if (candidates.size === 0) return Promise.resolve()
    pendingCheck ??= checkCandidates().finally(() => (pendingCheck = undefined))
    return pendingCheck
  }

  return {
    check,
    onAnnounced(url) {
      const server = current()?.server
      if (server && portOf(url) === server.port) return
      candidates.set(url, true)
      void check()
    },
    reset: () => candidates.clear(),
  }
}
