import { settleWithin } from '../../core/base/system/settle-within.ts'
import { startTimer } from '../../core/base/system/timer.ts'
import { noteLoss } from '../../core/browser/playwright/browser-source.ts'
import type { RemoteConnection } from './remote-connection.ts'

const CHECK_INTERVAL_MS = 1500
const PING_TIMEOUT_MS = 1500
/** A browser that has been silent for this time is given up, however slow it may be. */
const SILENCE_LIMIT_MS = 15_000

/** `silent`: nothing answers. `gone`: the hub answers that the browser no longer exists. */
type Loss = 'gone' | 'silent'

interface WatchOptions {
  /** What stands between the browser and this machine, asked where the browser does not answer. */
  readonly probe?: () => Promise<'running' | Loss>
  readonly describe: (loss: Loss) => string
  readonly onNotice: (text: string) => void
}

/** Pings a browser until it is disconnected, and gives it up when it is gone. A connection may stay open without anybody at its other end. */
export function watchConnection(
  connection: RemoteConnection,
  { probe, describe, onNotice }: WatchOptions,
): void {
  const { browser, ping, cut, lastMessageAt } = connection
  let lastAnswerAt = performance.now()
  const check = async () => {
    if (!browser.isConnected()) return
    // A browser whose page never ends its script answers this.
    const answer = await settleWithin(PING_TIMEOUT_MS, ping())
    const state = answer === undefined ? ((await probe?.()) ?? 'silent') : 'running'
    if (state === 'running') lastAnswerAt = performance.now()
    if (!browser.isConnected()) return
    const silentMs = performance.now() - Math.max(lastAnswerAt, lastMessageAt())
    if (state === 'gone' || silentMs > SILENCE_LIMIT_MS) {
      const reason = describe(state === 'gone' ? 'gone' : 'silent')
      noteLoss(browser, reason)
      onNotice(`${reason}; its browser is given up`)
      return cut()
    }
    startTimer(CHECK_INTERVAL_MS, () => void check())
  }
  startTimer(CHECK_INTERVAL_MS, () => void check())
}
