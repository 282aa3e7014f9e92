// Whether an action makes the page leave, and when the next one is there.

import type { Channel } from '../playwright/cdp-session.ts'
import { soon } from '../../runtime/calls/settle-within.ts'
import type { Surface } from './tabs.ts'

export interface Departures {
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
const frames = new WeakMap<Channel, string>()
async function mainFrameOf(channel: Channel): Promise<string> {
  const known = frames.get(channel)
  if (known !== undefined) return known
  const told = await soon(TURN, channel.send('Page.getFrameTree'))
  // A page that was too busy to say is asked again the next time.
  if (told === undefined || told instanceof Error) return ''
  const { id } = told.frameTree.frame
  frames.set(channel, id)
  return id
}

/** Watches whether an action makes the page leave. Chromium tells of that before it tells that the action is done. */
export async function departures(channel: Channel): Promise<Departures> {
  const main = await mainFrameOf(channel)
  let has = false
  let pending = false
  let settle = () => {}
  let tell = () => {}
  const begun = new Promise<'leaving'>((resolve) => (tell = () => resolve('leaving')))
  const begins = ({ frameId, disposition }: { frameId: string; disposition: string }) => {
    if (disposition !== 'currentTab' || frameId !== main) return
    has = true
    pending = true
    tell()
  }
  const ended = (event: { frameId?: string; frame?: { id: string } }) => {
    if ((event.frame?.id ?? event.frameId) === main) pending = false
    if (!pending) settle()
  }
  channel.on('Page.frameRequestedNavigation', begins)
  for (const end of ends) channel.on(end, ended)
  return {
    begun,
    has: () => has,
    async arrived(ms) {
      if (!pending) return true
      const all = new Promise<true>((resolve) => (settle = () => resolve(true)))
      return (await soon(ms, all)) === true
    },
    forget() {
      channel.off('Page.frameRequestedNavigation', begins)
      for (const end of ends) channel.off(end, ended)
    },
  }
}

// Milliseconds in which a page does what it has put off to its next turn, and those that the page it leads to is waited for.
const TURN = 200
const ARRIVAL = 2000

/** Runs an action, and then waits a little for the page that it leads to, if any. Only Chromium tells of that in time. */
export async function arriving<T>({ rescue }: Surface, work: () => Promise<T>): Promise<T> {
  const channel = await rescue.channel
  if (!channel) return work()
  const leaving = await departures(channel)
  try {
    const done = await work()
    const turn = { expression: 'new Promise((done) => setTimeout(done))', awaitPromise: true }
    await Promise.race([leaving.begun, soon(TURN, channel.send('Runtime.evaluate', turn))])
    await leaving.arrived(ARRIVAL)
    return done
  } finally {
    leaving.forget()
  }
}
