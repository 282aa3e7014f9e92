// What a session adds to its context once that is open, whether it was opened ahead or not.

import type { BrowserContext } from 'playwright'
import { findSyntaxError } from '../in-page/actions/find-syntax-error.ts'
import { serverContextOf } from '../emulation/server-context.ts'
import { unsupportedFailure } from '../emulation/support.ts'
import { engineOfBrowser } from '../playwright/engine.ts'
import { attempt, browserError } from '../playwright/errors.ts'
import type { Tab } from './tab.ts'
import { invalidParameter, type Outcome } from '../../core/failure.ts'
import { err, map, ok } from '../../core/result.ts'
import type { HttpCredentials, PageOptions } from '../../runtime/ports/browsers.ts'

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

interface OriginCredentials extends HttpCredentials {
  readonly origin: string
}

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
