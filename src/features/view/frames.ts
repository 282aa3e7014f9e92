// What people who watch a session see: pictures of its active tab, made only while somebody asks for them. All who watch share them.

import { createDeferred, type Deferred, settleWithin } from '../../core/base/system/settle-within.ts'
import { startTimer } from '../../core/base/system/timer.ts'
import type { Dialogs } from '../../core/browser/tab/dialogs.ts'
import type { TabList } from '../../core/browser/tab/tab-list.ts'
import type { Tab } from '../../core/browser/tab/tab.ts'
import type { Frame } from '../../core/sessions/types/person.ts'
import { makeBesideAgents, pause, type PictureSource, type RunPicture } from '../lib/screencast/picture.ts'
import { openScreencast } from '../lib/screencast/screencast.ts'
import { openScreenshots } from '../lib/screencast/screenshots.ts'

export interface Frames {
  /** The first picture that is newer than `after`; undefined if the page does not change within 10 s. */
  next(after: number, signal: AbortSignal): Promise<Frame | undefined>
  /** Says that an action has ended: the browser may not tell what it changed. */
  noteAction(): void
  /** The same of an input of a person, who waits for what it does. */
  noteInput(): void
  end(): void
}

const ANSWER_TIMEOUT_MS = 10_000
const FRAME_INTERVAL_MS = 200
/** After this time without a request no pictures are made. */
const IDLE_TIMEOUT_MS = 2000
/** The longest time until another tab is noticed. */
const TAKE_TIMEOUT_MS = 500
/** How long a person who has done something has pictures without a rest. */
const PERSON_ACTIVE_MS = 3000

export function createFrames(tabs: Pick<TabList, 'active'>, dialogs: Pick<Dialogs, 'current'>): Frames {
  const requests = createRequests()
  let newest: Frame | undefined
  let sequence = 0
  let isRunning = false
  let isEnded = false
  let source: PictureSource | undefined
  const inputs = createInputTimes()

  async function run(): Promise<void> {
    let shownTab: Tab | undefined
    while ((await requests.areOpen(IDLE_TIMEOUT_MS)) && !isEnded) {
      const tab = tabs.active()
      const isOther = tab !== shownTab
      if (isOther) {
        source?.stop()
        source = await openPictures(tab, dialogs)
        shownTab = tab
      }
      const runPicture = isOther ? makeAtOnce : inputs.runPicture
      if (tab.failure()) await pause(TAKE_TIMEOUT_MS)
      const picture = tab.failure() ? undefined : await source?.take(TAKE_TIMEOUT_MS, runPicture)
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
    noteInput() {
      inputs.note()
      source?.noteAction()
    },
    end() {
      isEnded = true
      requests.answer(undefined)
    },
  }
}

// --- internal ---

const makeAtOnce: RunPicture = (make) => make()

function createInputTimes() {
  let lastAt = -Infinity
  let next = createDeferred()
  return {
    note() {
      lastAt = performance.now()
      next.resolve()
      next = createDeferred()
    },
    /** Without a rest for a person who has just done something: no agent acts then. */
    runPicture: ((make) =>
      performance.now() - lastAt < PERSON_ACTIVE_MS
        ? make()
        : makeBesideAgents(next.promise, make)) satisfies RunPicture,
  }
}

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
  return cdp ? openScreencast(page, cdp) : openScreenshots(page, () => dialogs.current() !== undefined)
}
