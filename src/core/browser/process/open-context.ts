import { findDevice } from '../tab/prepare-context.ts'
import type { Browser, BrowserContext, BrowserContextOptions, Cookie } from 'playwright'
import { attempt, browserError, messageOf } from '../playwright/errors.ts'
import { engineOfBrowser } from '../playwright/engine.ts'
import { hideWindowDeactivation } from '../in-page/generated.ts'
import { separateClipboard } from '../actions/session-clipboard.ts'
import { throttleConsole } from '../console/console-throttle.ts'
import { openTab, type Tab } from '../tab/tab.ts'
import { invalidParameter, type Failure, type Outcome } from '../../base/failure.ts'
import { err, ok } from '../../base/result.ts'
import type { Engine } from '../../base/browser-names.ts'
import type { PageOptions } from '../../sessions/types/browsers.ts'
import type { FeatureParts } from '../../tool/feature.ts'

declare module '../../tool/feature.ts' {
  // A context that is opened ahead belongs to no session yet, and has default options. A session with others gets a context of its own, and
  // whatever else a feature does with a context is done when a session has it, in `onPage`.
  interface FeatureParts {
    /** Options of Playwright for a new private context. */
    readonly contextOptions?: (options: PageOptions) => BrowserContextOptions
    /** Called with each context that is opened, before its first page. */
    readonly onContext?: (context: BrowserContext, options: PageOptions) => Promise<void>
  }
}

type Features = readonly FeatureParts[]

/** Opens a private context with one tab in `browser`. */
export async function openContext(
  browser: Browser,
  options: PageOptions,
  features: Features,
): Promise<Outcome<Tab>> {
  const settings = await contextOptionsOf(options)
  if (!settings.ok) return settings
  const opening = openPrivateContext(browser, settings.value, options, features)
  const context = await attempt(opening, (error) => contextFailure(error, options))
  if (!context.ok) return context
  const firstTab = openFirstTab(context.value, engineOfBrowser(browser))
  const tab = await attempt(firstTab, (error) => contextFailure(error, options))
  if (!tab.ok) await context.value.close().catch(() => {})
  return tab
}

/** Opens a private context that begins with the state of the options. */
export async function openPrivateContext(
  browser: Browser,
  settings: BrowserContextOptions,
  options: PageOptions,
  features: Features,
): Promise<BrowserContext> {
  const added = features.map(({ contextOptions }) => contextOptions?.(options))
  const context = await browser.newContext(Object.assign({ ...settings }, ...added))
  for (const { onContext } of features) await onContext?.(context, options)
  return context
}

/** Opens a tab in the context of a profile. */
export const openProfileTab = (
  browser: Browser,
  options: PageOptions,
  features: Features,
): Promise<Outcome<Tab>> => {
  const opening = async () => {
    const context = await openProfileContext(browser, options, features)
    const firstPages = context.pages()
    const tab = await openFirstTab(context, engineOfBrowser(browser))
    await Promise.all(firstPages.map((page) => page.close()))
    return tab
  }
  return attempt(opening(), browserError)
}

const SESSION_COOKIE_EXPIRY = -1

/** The context of a profile, with what its last session had and no browser keeps: cookies that end with it, session storage, passkeys. */
export async function openProfileContext(
  browser: Browser,
  options: PageOptions,
  features: Features,
): Promise<BrowserContext> {
  const [context] = browser.contexts()
  if (!context) throw new Error('The browser of the profile has no context.')
  const known = await context.cookies()
  const isUnknown = ({ name, domain, path }: Cookie) =>
    !known.some((cookie) => cookie.name === name && cookie.domain === domain && cookie.path === path)
  const cookies = (options.storageState?.cookies ?? []) as unknown as readonly Cookie[]
  await context.addCookies(
    cookies.filter((cookie) => cookie.expires === SESSION_COOKIE_EXPIRY && isUnknown(cookie)),
  )
  for (const { onContext } of features) await onContext?.(context, options)
  return context
}

async function openFirstTab(context: BrowserContext, engine: Engine): Promise<Tab> {
  await separateClipboard(context)
  if (engine === 'chromium') await throttleConsole(context)
  // Only one of its windows has the focus; every session has windows of its own.
  if (engine === 'firefox') await context.addInitScript(hideWindowDeactivation)
  return openTab(context)
}

/** Whether a context with default options, opened ahead, can be used for these options. */
export function hasDefaultContextOptions(options: PageOptions): boolean {
  const { viewport, device, userAgent, locale, timezone, storageState, proxy } = options
  const set = [viewport, device, userAgent, locale, timezone, storageState, proxy]
  return !options.ignoreHTTPSErrors && set.every((value) => value === undefined)
}

/** The options of a context for a session. Fails with INVALID_PARAMETERS for a device that is not known. */
export async function contextOptionsOf(options: PageOptions): Promise<Outcome<BrowserContextOptions>> {
  const device = await findDevice(options.device)
  if (!device.ok) return device
  const invalid = findInvalidOption(options)
  if (invalid) return err(invalid)
  const { viewport, userAgent, locale, timezone, ignoreHTTPSErrors = false, proxy } = options
  return ok({
    ...device.value,
    ...(viewport && { viewport }),
    // Set explicitly, because an environment variable of Playwright can turn off its default for loopback.
    ...(proxy !== undefined && { proxy: { server: proxy, bypass: '<-loopback>' } }),
    ...(ignoreHTTPSErrors && { ignoreHTTPSErrors }),
    ...(userAgent !== undefined && { userAgent }),
    ...(locale !== undefined && { locale }),
    ...(timezone !== undefined && { timezoneId: timezone }),
  })
}

/** What no browser takes, said before one is started. */
function findInvalidOption({ locale, timezone }: PageOptions): Failure | undefined {
  if (
    timezone !== undefined &&
    !/^(?:GMT|UTC)[+-]\d/.test(timezone) &&
    !isAccepted(() => new Intl.DateTimeFormat('en', { timeZone: timezone }))
  )
    return invalidParameter('timezone', TIMEZONE_FORM, JSON.stringify(timezone).slice(0, 200))
  if (locale !== undefined && !isAccepted(() => Intl.getCanonicalLocales(locale.replaceAll('_', '-'))))
    return invalidParameter('locale', LOCALE_FORM, JSON.stringify(locale).slice(0, 200))
  return undefined
}

function isAccepted(read: () => unknown): boolean {
  try {
    read()
    return true
  } catch {
    return false
  }
}

const TIMEZONE_FORM = 'an IANA time zone such as Europe/Berlin'
const LOCALE_FORM = 'a BCP 47 tag such as de-DE'

// Which option the browser rejects can only be read from its message.
function contextFailure(error: Error, options: PageOptions): Failure {
  const text = messageOf(error)
  const candidates = [
    ['timezone', /timezone/i, TIMEZONE_FORM],
    ['locale', /locale/i, LOCALE_FORM],
    ['storageState', /cookie|origin|storage/i, 'cookies and origins as storage_state saves them'],
  ] as const
  const rejected = candidates.find(([field, pattern]) => options[field] !== undefined && pattern.test(text))
  if (!rejected) return browserError(error)
  const [field, , expected] = rejected
  return invalidParameter(field, expected, JSON.stringify(options[field]).slice(0, 200), text.split('\n')[0])
}
