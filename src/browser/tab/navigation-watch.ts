// Whether an action starts a navigation of the page, and when that navigation has ended.

import type { CdpSession } from '../playwright/cdp-session.ts'
import { createDeferred, type Deferred, settleWithin } from '../../runtime/system/settle-within.ts'
import type { Tab } from './tab.ts'

export interface NavigationWatch {
  /** Resolves when a navigation starts, and never if none does. */
  readonly start: Promise<'started'>
  hasStarted(): boolean
  /** Whether every navigation since the watch began, if any, ends within the timeout. */
  waitForEnd(timeoutMs: number): Promise<boolean>
  /** Removes the listeners. */
  dispose(): void
}

const END_EVENTS = [
  'Page.frameNavigated',
  'Page.navigatedWithinDocument',
  'Page.frameStoppedLoading',
  'Page.downloadWillBegin',
] as const

/** The time for a page to run the task that an action has queued. */
const TASK_TIMEOUT_MS = 200
const NAVIGATION_TIMEOUT_MS = 2000

/** Watches for navigations of the main frame. Chromium reports their start before it reports that the action is done. */
export async function watchNavigation(cdp: CdpSession): Promise<NavigationWatch> {
  const mainFrameId = await findMainFrameId(cdp)
  let hasStarted = false
  let isPending = false
  const start = createDeferred<'started'>()
  let end: Deferred<true> | undefined
  const handleStart = ({ frameId, disposition }: { frameId: string; disposition: string }) => {
    if (disposition !== 'currentTab' || frameId !== mainFrameId) return
    hasStarted = true
    isPending = true
    start.resolve('started')
  }
  const handleEnd = (event: { frameId?: string; frame?: { id: string } }) => {
    if ((event.frame?.id ?? event.frameId) === mainFrameId) isPending = false
    if (!isPending) end?.resolve(true)
  }
  cdp.on('Page.frameRequestedNavigation', handleStart)
  for (const event of END_EVENTS) cdp.on(event, handleEnd)
  return {
    start: start.promise,
    hasStarted: () => hasStarted,
    async waitForEnd(timeoutMs) {
      if (!isPending) return true
      end = createDeferred<true>()
      return (await settleWithin(timeoutMs, end.promise)) === true
    },
    dispose() {
      cdp.off('Page.frameRequestedNavigation', handleStart)
      for (const event of END_EVENTS) cdp.off(event, handleEnd)
    },
  }
}

/** Runs an action, and then waits a little for the navigation that it starts, if any. Only Chromium reports the start in time. */
export async function awaitNavigation<T>({ recovery }: Tab, action: () => Promise<T>): Promise<T> {
  const cdp = await recovery.cdp
  if (!cdp) return action()
  const navigation = await watchNavigation(cdp)
  try {
    const result = await action()
    const nextTask = { expression: 'new Promise((done) => setTimeout(done))', awaitPromise: true }
    await Promise.race([
      navigation.start,
      settleWithin(TASK_TIMEOUT_MS, cdp.send('Runtime.evaluate', nextTask)),
    ])
    await navigation.waitForEnd(NAVIGATION_TIMEOUT_MS)
    return result
  } finally {
    navigation.dispose()
  }
}

// --- internal ---

const mainFrameIds = new WeakMap<CdpSession, string>()

async function findMainFrameId(cdp: CdpSession): Promise<string> {
  const cached = mainFrameIds.get(cdp)
  if (cached !== undefined) return cached
  const reply = await settleWithin(TASK_TIMEOUT_MS, cdp.send('Page.getFrameTree'))
  // A page that was too busy to answer is asked again the next time.
  if (reply === undefined || reply instanceof Error) return ''
  const { id } = reply.frameTree.frame
  mainFrameIds.set(cdp, id)
  return id
}
