// The HTTP cache of the pages of a session that has its own dev server. A file that the browser stored before an edit would be shown after
// it, and a reload would not help.

import type { BrowserContext, Page } from 'playwright'
import { serverContextOf, serverPageOf, protocolSessionsOf } from './context-internals.ts'
import { settleWithin } from '../../runtime/system/settle-within.ts'

export interface HttpCache {
  /** Turns it off in all pages, now and later. A mock that ends turns it on again, so it is called after that too. */
  turnOff(): Promise<void>
  /** The same, if it was turned off before. */
  keepOff(): Promise<void>
}

const COMMAND_TIMEOUT_MS = 1000

export function createHttpCache(context: BrowserContext): HttpCache {
  let isOff = false
  const turnOffIn = (pages: readonly Page[]) =>
    settleWithin(COMMAND_TIMEOUT_MS, turnOffCaches(context, pages))
  async function turnOff(): Promise<void> {
    if (!isOff) context.on('page', (page) => void turnOffIn([page]))
    isOff = true
    await turnOffIn(context.pages())
  }
  return {
    turnOff,
    keepOff: async () => void (isOff && (await turnOffIn(context.pages()))),
  }
}

// --- internal ---

async function turnOffCaches(context: BrowserContext, pages: readonly Page[]): Promise<void> {
  const server = serverContextOf(context)
  if (server?._userContextId) {
    const contexts = pages.flatMap((page) => serverPageOf(page)?.delegate._session?.sessionId ?? [])
    const message = { cacheBehavior: 'bypass', contexts }
    if (contexts.length > 0)
      await server._browser._browserSession?.send('network.setCacheBehavior', message).catch(() => {})
    return
  }
  const sessions = pages.flatMap(protocolSessionsOf)
  await Promise.all(
    sessions.map((session) =>
      session.send('Network.setCacheDisabled', { cacheDisabled: true }).catch(() => {}),
    ),
  )
}
