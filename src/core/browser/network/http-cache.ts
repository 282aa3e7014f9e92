// The HTTP cache of the pages of a session that has its own dev server. A file that the browser stored before an edit would be shown after
// it, and a reload would not help.

import type { BrowserContext, Page } from 'playwright'
import { serverContextOf, serverPageOf, protocolSessionsOf } from '../playwright/context-internals.ts'
import { settleWithin } from '../../base/system/settle-within.ts'

export interface HttpCache {
  /** Turns it off in all pages, now and later. A mock that ends turns it on again, so it is called after that too. */
  disable(): Promise<void>
  /** The same, if it was turned off before. */
  keepDisabled(): Promise<void>
}

const COMMAND_TIMEOUT_MS = 1000

export function createHttpCache(context: BrowserContext): HttpCache {
  let isDisabled = false
  const disableIn = (pages: readonly Page[]) =>
    settleWithin(COMMAND_TIMEOUT_MS, disableCaches(context, pages))
  async function disable(): Promise<void> {
    if (!isDisabled) context.on('page', (page) => void disableIn([page]))
    isDisabled = true
    await disableIn(context.pages())
  }
  return {
    disable,
    keepDisabled: async () => void (isDisabled && (await disableIn(context.pages()))),
  }
}

// --- internal ---

async function disableCaches(context: BrowserContext, pages: readonly Page[]): Promise<void> {
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
