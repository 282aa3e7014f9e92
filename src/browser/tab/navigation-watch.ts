// Whether an action makes the page leave, and when the next one is there.

import type { CdpSession } from '../playwright/cdp-session.ts'
import { createDeferred, type Deferred } from '../../runtime/calls/deferred.ts'
import { settleWithin } from '../../runtime/calls/settle-within.ts'
import type { Tab } from './tabs.ts'

export interface NavigationWatch {
  /** Settles when a page is asked for, and never if none is. */
  readonly begun: Promise<'leaving'>
  /** Whether one was. */
  has(): boolean
  /** Whether the page that was asked for since the watch began, if any, is there within `ms`. */
  arrived(ms: number): Promise<boolean>
  /** Ends the watch. */
  forget(): void
}

const ends = [
  'Page.frameNavigated',
  'Page.navigatedWithinDocument',
  'Page.frameStoppedLoading',
  'Page.downloadWillBegin',
] as const

// The frame that a page is; those within it come and go as they like.
const frames = new WeakMap<CdpSession, string>()
async function mainFrameOf(cdp: CdpSession): Promise<string> {
  const known = frames.get(cdp)
  if (known !== undefined) return known
  const told = await settleWithin(TURN, cdp.send('Page.getFrameTree'))
  // A page that was too busy to say is asked again the next time.
  if (told === undefined || told instanceof Error) return ''
  const { id } = told.frameTree.frame
  frames.set(cdp, id)
  return id
}

/** Watches whether an action makes the page leave. Chromium tells of that before it tells that the action is done. */
export async function watchNavigation(cdp: CdpSession): Promise<NavigationWatch> {
  const main = await mainFrameOf(cdp)
  let has = false
  let pending = false
  const start = createDeferred<'leaving'>()
  let arrival: Deferred<true> | undefined
  const begins = ({ frameId, disposition }: { frameId: string; disposition: string }) => {
    if (disposition !== 'currentTab' || frameId !== main) return
    has = true
    pending = true
    start.resolve('leaving')
  }
  const ended = (event: { frameId?: string; frame?: { id: string } }) => {
    if ((event.frame?.id ?? event.frameId) === main) pending = false
    if (!pending) arrival?.resolve(true)
  }
  cdp.on('Page.frameRequestedNavigation', begins)
  for (const end of ends) cdp.on(end, ended)
  return {
    begun: start.promise,
    has: () => has,
    async arrived(ms) {
      if (!pending) return true
      arrival = createDeferred<true>()
      return (await settleWithin(ms, arrival.promise)) === true
    },
    forget() {
      cdp.off('Page.frameRequestedNavigation', begins)
      for (const end of ends) cdp.off(end, ended)
    },
  }
}

// Milliseconds in which a page does what it has put off to its next turn, and those that the page it leads to is waited for.
const TURN = 200
const ARRIVAL = 2000

/** Runs an action, and then waits a little for the page that it leads to, if any. Only Chromium tells of that in time. */
export async function awaitNavigation<T>({ recovery }: Tab, work: () => Promise<T>): Promise<T> {
  const cdp = await recovery.cdp
  if (!cdp) return work()
  const leaving = await watchNavigation(cdp)
  try {
    const done = await work()
    const turn = { expression: 'new Promise((done) => setTimeout(done))', awaitPromise: true }
    await Promise.race([leaving.begun, settleWithin(TURN, cdp.send('Runtime.evaluate', turn))])
    await leaving.arrived(ARRIVAL)
    return done
  } finally {
    leaving.forget()
  }
}
