// Sets on the open pages what new pages get from the options of their context.

import type { BrowserContext, BrowserContextOptions, Page } from 'playwright'
import { invalidParameter, type Outcome } from '../../core/base/failure.ts'
import { err, map, ok } from '../../core/base/result.ts'
import { findClosestName } from '../../core/base/text/closest-name.ts'
import { findSyntaxError } from '../../core/browser/in-page/generated.ts'
import {
  PAGE_DEFAULT_NAMES,
  type PageDefaults,
  protocolSessionsOf,
  type ServerContext,
  serverContextOf,
  serverPageOf,
} from '../../core/browser/playwright/context-internals.ts'
import { engineOfBrowser } from '../../core/browser/playwright/engine.ts'
import {
  attempt,
  browserError,
  isSharedOverride,
  isTargetClosed,
} from '../../core/browser/playwright/errors.ts'
import type { Tab } from '../../core/browser/tab/tab.ts'
import type { HttpCredentials, PageOptions } from '../../core/sessions/types/browsers.ts'
import type { CurrentEmulation } from './emulation.ts'
import { unsupportedFailure } from './support.ts'

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

/** What a device of Playwright's list sets; nothing without a name. INVALID_PARAMETERS names the closest device. */
export async function findDevice(name: string | undefined): Promise<Outcome<BrowserContextOptions>> {
  if (name === undefined) return ok({})
  const { devices } = await import('playwright')
  const device = Object.hasOwn(devices, name) ? devices[name] : undefined
  if (device) {
    const { defaultBrowserType: _, ...settings } = device
    return ok(settings)
  }
  const suggestion = findClosestName(name, Object.keys(devices))
  const expected = 'a device that Playwright knows, such as "iPhone 15" or "Pixel 7"'
  const hint = suggestion && `Did you mean "${suggestion}"?`
  return err(invalidParameter('device', expected, JSON.stringify(name), hint))
}

// What a session adds to its context once that is open, whether it was opened ahead or not.
/** Adds the init script and the credentials. Fails with INVALID_PARAMETERS if the script has a syntax error, which browsers do not report. */
export async function prepareContext(
  tab: Tab,
  { initScript, httpCredentials }: Pick<PageOptions, 'initScript' | 'httpCredentials'>,
): Promise<Outcome<Tab>> {
  const script = initScript === undefined ? ok(undefined) : await addInitScript(tab, initScript)
  if (!script.ok) return script
  if (httpCredentials?.origin === undefined) return ok(tab)
  const { origin } = httpCredentials
  return map(await setCredentials(tab.context, { ...httpCredentials, origin }), () => tab)
}

async function addInitScript({ context, page }: Tab, script: string): Promise<Outcome<void>> {
  const syntaxError = await attempt(page.evaluate(findSyntaxError, script), browserError)
  if (!syntaxError.ok) return syntaxError
  if (syntaxError.value !== undefined)
    return err(invalidParameter('initScript', 'JavaScript, or the path of a .js file', syntaxError.value))
  const added = await attempt(context.addInitScript({ content: script }), browserError)
  return map(added, () => undefined)
}

type OriginCredentials = HttpCredentials & { readonly origin: string }

/** Sends the credentials to servers of this origin that ask for them, and to no others. */
export async function setCredentials(
  context: BrowserContext,
  credentials: OriginCredentials,
): Promise<Outcome<void>> {
  const browser = context.browser()
  if (!browser || engineOfBrowser(browser) !== 'firefox')
    return attempt(context.setHTTPCredentials(credentials), browserError)
  const server = serverContextOf(context)
  if (!server) return err(unsupportedFailure('firefox behind --connect', 'limit credentials to one origin'))
  if (!server._userContextId) return attempt(context.setHTTPCredentials(credentials), browserError)
  server._options.httpCredentials = withoutInterception(credentials)
  return ok(undefined)
}

/** Looks like a list without elements, so that Playwright does not intercept requests: stock Firefox sends the Authorization header of an
 * intercepted request to the origin of a redirect too. Challenges are answered without interception, by what `find` returns. */
const withoutInterception = (credentials: OriginCredentials) => ({
  length: 0,
  find: (isMatch: (candidate: OriginCredentials) => boolean) => [credentials].find(isMatch),
})
