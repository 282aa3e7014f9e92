// A server that comes up elsewhere by itself, as Vite does when its configuration changes, is followed to where it announces itself.

import { pollUntil } from '../process/child-process.ts'
import { answerOf } from './http-probe.ts'
import { activityOf } from '../process/process-tree.ts'
import { serverOf, type Running } from './wait-until-ready.ts'
import type { Place } from './server-place.ts'
import { portOf } from '../../core/dev-server.ts'

const ASK_TIMEOUT_MS = 1000
/** Between two checks, because a server may print addresses with every request. */
const CHECK_INTERVAL_MS = 250
/** Addresses that are remembered. */
const KEPT = 20

export interface Following {
  announced(url: string): void
  /** Finds out whether the server moved. */
  check(): Promise<void>
  /** It is started again, so what it announced is no longer true. */
  forget(): void
}

/** `running` answers undefined while the server is being stopped; `moved` gets the server at its new address. `port` is the one that
 * was asked for: whatever else comes up beside it, it stays the server's. */
export function createFollowing(
  place: Place,
  running: () => Running | undefined,
  moved: (now: Running) => void,
  port: number | undefined,
): Following {
  const later = new Set<string>()
  let checking: Promise<void> | undefined
  let checkedAt = 0

  async function look(): Promise<void> {
    await pollUntil(() => performance.now() - checkedAt > CHECK_INTERVAL_MS, CHECK_INTERVAL_MS * 2)
    checkedAt = performance.now()
    const before = running()
    if (!before) return
    const { child, server, isPage } = before
    const activity = activityOf(place.tag, child.pid)
    const gone = activity.listens(server.port) === false
    if (!gone && (isPage || server.port === port)) return
    // The last announcement first.
    for (const url of [...later].toReversed()) {
      if (portOf(url) === server.port || activity.listens(portOf(url)) !== true) continue
      const answer = await answerOf(url, ASK_TIMEOUT_MS, place.reach, true)
      if (!answer || !(gone || answer.isPage) || running() !== before) continue
      later.clear()
      return moved({ child, isPage: answer.isPage, server: serverOf(url, child, server.startedAt) })
    }
  }

  const check = (): Promise<void> => {
    if (later.size === 0) return Promise.resolve()
    checking ??= look().finally(() => (checking = undefined))
    return checking
  }

  return {
    check,
    announced(url) {
      const server = running()?.server
      if (server && portOf(url) === server.port) return
      later.delete(url)
      later.add(url)
      for (const oldest of later) if (later.size > KEPT) later.delete(oldest)
      void check()
    },
    forget: () => later.clear(),
  }
}
