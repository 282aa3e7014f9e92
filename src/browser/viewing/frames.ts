// What people who watch a session see: pictures of its active tab, made only while somebody asks for them. All who watch share them.

import type { PictureSource } from './picture.ts'
import { startScreencast } from './screencast.ts'
import { startScreenshots } from './screenshots.ts'
import type { Dialogs } from '../tab/dialogs.ts'
import type { Tab } from '../tab/tab.ts'
import type { TabList } from '../tab/tab-list.ts'
import type { Frame } from '../../runtime/ports/viewing.ts'
import { createDeferred, settleWithin, type Deferred } from '../../runtime/system/settle-within.ts'
import { startTimer } from '../../runtime/system/timer.ts'

export interface Frames {
  /** The first picture that is newer than `after`; undefined if the page does not change within 10 s. */
  next(after: number, signal: AbortSignal): Promise<Frame | undefined>
  /** Says that an action or an input has ended: the browser may not tell what it changed. */
  noteAction(): void
  end(): void
}

const ANSWER_TIMEOUT_MS = 10_000
const FRAME_INTERVAL_MS = 200
/** After this time without a request no pictures are made. */
const IDLE_TIMEOUT_MS = 2000
/** The longest time until another tab is noticed. */
const TAKE_TIMEOUT_MS = 250

export function createFrames(tabs: Pick<TabList, 'active'>, dialogs: Pick<Dialogs, 'current'>): Frames {
  const requests = createRequests()
  let newest: Frame | undefined
  let sequence = 0
  let isRunning = false
  let isEnded = false
  let source: PictureSource | undefined

  async function run(): Promise<void> {
    let shownTab: Tab | undefined
    while ((await requests.areOpen(IDLE_TIMEOUT_MS)) && !isEnded) {
      const tab = tabs.active()
      if (tab !== shownTab) {
        source?.stop()
        source = await openPictures(tab, dialogs)
        shownTab = tab
      }
      const picture = tab.failure() ? await pause(TAKE_TIMEOUT_MS) : await source?.take(TAKE_TIMEOUT_MS)
      if (!picture || tab !== tabs.active()) continue
      sequence += 1
      newest = { sequence, ...picture }
      requests.answer(newest)
      await pause(FRAME_INTERVAL_MS)
    }
    source?.stop()
    source = undefined
    newest = undefined
    isRunning = false
  }

  return {
    async next(after, signal) {
      if (newest && newest.sequence > after) return newest
      if (signal.aborted || isEnded) return undefined
      const answer = requests.wait(signal)
      if (!isRunning) void run()
      isRunning = true
      return answer
    },
    noteAction: () => source?.noteAction(),
    end() {
      isEnded = true
      requests.answer(undefined)
    },
  }
}

// --- internal ---

function createRequests() {
  const open = new Set<Deferred<Frame | undefined>>()
  let arrival = createDeferred()
  return {
    /** Whether there are any, or come within `ms` milliseconds. */
    async areOpen(ms: number): Promise<boolean> {
      if (open.size === 0) await settleWithin(ms, (arrival = createDeferred()).promise)
      return open.size > 0
    },
    async wait(signal: AbortSignal): Promise<Frame | undefined> {
      const request = createDeferred<Frame | undefined>()
      const giveUp = () => request.resolve(undefined)
      open.add(request)
      arrival.resolve()
      signal.addEventListener('abort', giveUp, { once: true })
      const timer = startTimer(ANSWER_TIMEOUT_MS, giveUp)
      const frame = await request.promise
      timer.stop()
      signal.removeEventListener('abort', giveUp)
      open.delete(request)
      return frame
    },
    answer(frame: Frame | undefined): void {
      for (const request of open) request.resolve(frame)
      open.clear()
      arrival.resolve()
    },
  }
}

async function openPictures(
  { page, recovery }: Tab,
  dialogs: Pick<Dialogs, 'current'>,
): Promise<PictureSource> {
  const cdp = await recovery.cdp
  return cdp ? startScreencast(cdp) : startScreenshots(page, () => dialogs.current() !== undefined)
}

const pause = (ms: number): Promise<undefined> =>
  new Promise((resolve) => void startTimer(ms, () => resolve(undefined)))
