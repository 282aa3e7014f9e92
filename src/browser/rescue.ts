// A page whose script never ends answers nothing. Stopping that script frees it with its address and DOM kept; but the channel
// for that must have been opened before, because a hung page accepts no new one.

import type { CDPSession, Page } from 'playwright'

export interface Rescue {
  /** Frees the page if it does not answer. */
  run(): Promise<'answering' | 'freed' | 'stuck'>
  /** The channel itself, for what only Chromium can do. */
  readonly channel: CDPSession | undefined
}

const PATIENCE = 250

/** Opens the channel. Only Chromium has one; elsewhere a hung page stays stuck until its session is closed. */
export async function prepareRescue(page: Page): Promise<Rescue> {
  const channel = page.context().browser()?.browserType().name() === 'chromium' ? await open(page) : undefined
  return {
    channel,
    async run() {
      if (!channel) return (await within(page.evaluate('1'))) ? 'answering' : 'stuck'
      const answers = () => within(channel.send('Runtime.evaluate', { expression: '1' }))
      if (await answers()) return 'answering'
      channel.send('Runtime.terminateExecution').catch(() => {})
      if (await answers()) return 'freed'
      // Chromium also answers nothing while a page is on its way that does not come.
      await stopLoading(channel)
      return (await answers()) ? 'freed' : 'stuck'
    },
  }
}

/** Gives up a navigation that is under way; the page before it stays. */
export const stopLoading = (channel: CDPSession | undefined): Promise<unknown> =>
  channel?.send('Page.stopLoading').catch(() => {}) ?? Promise.resolve()

const open = (page: Page): Promise<CDPSession | undefined> =>
  page
    .context()
    .newCDPSession(page)
    .catch(() => undefined)

async function within(work: Promise<unknown>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), PATIENCE)
  })
  const done = await Promise.race([work.then(() => true).catch(() => true), late])
  clearTimeout(timer)
  return done
}
