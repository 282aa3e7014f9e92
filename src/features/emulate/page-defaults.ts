// Sets on the open pages what new pages get from the options of their context.

import type { BrowserContext, Page } from 'playwright'
import {
  PAGE_DEFAULT_NAMES,
  type PageDefaults,
  protocolSessionsOf,
  type ServerContext,
  serverPageOf,
} from '../../core/browser/playwright/context-internals.ts'
import { isSharedOverride, isTargetClosed } from '../../core/browser/playwright/errors.ts'
import type { CurrentEmulation } from './emulation.ts'

/** The options of new pages for these settings; `initial` are those with which the context was created. */
export const pageDefaultsOf = (initial: PageDefaults, next: CurrentEmulation): PageDefaults => ({
  ...initial,
  ...(next.viewport && { viewport: next.viewport, screen: next.viewport }),
  ...(next.userAgent !== undefined && { userAgent: next.userAgent }),
  ...(next.colorScheme && { colorScheme: next.colorScheme }),
  ...(next.reducedMotion && { reducedMotion: 'reduce' }),
  ...(next.forcedColors && { forcedColors: 'active' }),
  ...(next.contrast && { contrast: next.contrast }),
})

/** Sets the options of new pages and changes the open ones accordingly. Rejects as the browser does. */
export async function applyPageDefaults(
  context: BrowserContext,
  server: ServerContext,
  next: PageDefaults,
): Promise<void> {
  const { _options: options } = server
  const isChanged = (...names: (keyof PageDefaults)[]) =>
    names.some((name) => JSON.stringify(options[name]) !== JSON.stringify(next[name]))
  const changes = { size: isChanged('viewport', 'screen'), userAgent: isChanged('userAgent') }
  for (const name of PAGE_DEFAULT_NAMES) Object.assign(options, { [name]: next[name] })
  if (changes.size) await applySize(context, server, next)
  if (changes.userAgent) await server.setUserAgent(next.userAgent)
}

async function applySize(
  context: BrowserContext,
  server: ServerContext,
  { viewport, screen }: PageDefaults,
): Promise<void> {
  await server.doUpdateDefaultViewport()
  if (!viewport) return sendToAll(context.pages(), 'Emulation.clearDeviceMetricsOverride', {})
  for (const page of context.pages()) {
    const serverPage = serverPageOf(page)
    serverPage?._setEmulatedSize({ viewport, screen: screen ?? viewport })
    await serverPage?.delegate.updateEmulatedViewportSize()
  }
}

/** Sets the time zone and the language of the session again, which one page holds for all pages of its process until it is closed. */
export async function reapplyProcessDefaults(context: BrowserContext, server: ServerContext): Promise<void> {
  const { locale, timezoneId } = server._options
  if (server._userContextId) return
  const pages = context.pages()
  if (timezoneId !== undefined)
    await setAgain(pages, 'Emulation.setTimezoneOverride', { timezoneId }, { timezoneId: '' })
  if (locale !== undefined) await setAgain(pages, 'Emulation.setLocaleOverride', { locale }, {})
}

async function setAgain(
  pages: readonly Page[],
  method: string,
  message: object,
  none: object,
): Promise<void> {
  await sendToAll(pages, method, none)
  await sendToAll(pages, method, message)
}

// Pages in one process share one time zone and one language, so that only the first can set them.
async function sendToAll(pages: readonly Page[], method: string, message: object): Promise<void> {
  for (const session of pages.flatMap(protocolSessionsOf))
    await session.send(method, message).catch((error: Error) => {
      if (!isSharedOverride(error) && !isTargetClosed(error)) throw error
    })
}
