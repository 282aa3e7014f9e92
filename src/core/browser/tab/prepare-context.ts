// What the options of a session add to its context, whether that was opened ahead or not.

import type { BrowserContext, BrowserContextOptions } from 'playwright'
import { invalidParameter, type Outcome } from '../../base/failure.ts'
import { err, map, ok } from '../../base/result.ts'
import { findClosestName } from '../../base/text/closest-name.ts'
import type { HttpCredentials, PageOptions } from '../../sessions/types/browsers.ts'
import { findSyntaxError } from '../in-page/generated.ts'
import { serverContextOf } from '../playwright/context-internals.ts'
import { engineOfBrowser } from '../playwright/engine.ts'
import { attempt, browserError, unsupportedFailure } from '../playwright/errors.ts'
import type { Tab } from './tab.ts'

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
