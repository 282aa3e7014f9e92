import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright'
import { attempt, browserError, messageOf } from '../playwright/errors.ts'
import { throttleConsole } from '../observe/console-throttle.ts'
import { openTab, type Tab } from '../tab/tabs.ts'
import { invalidParameter, type Failure, type Outcome } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'
import { findClosestName } from '../../core/text/closest-name.ts'
import type { PageOptions } from '../../runtime/ports/browsers.ts'

/** Opens a private context with one page in `browser`. */
export async function openContext(browser: Browser, options: PageOptions): Promise<Outcome<Tab>> {
  const settings = await contextOptions(options)
  if (!settings.ok) return settings
  const context = await attempt(browser.newContext(settings.value), (error) => refused(error, options))
  if (!context.ok) return context
  const opening = openPage(context.value, browser.browserType().name() === 'chromium')
  const tab = await attempt(opening, (error) => refused(error, options))
  if (!tab.ok) await context.value.close().catch(() => {})
  return tab
}

async function openPage(context: BrowserContext, flooding: boolean): Promise<Tab> {
  if (flooding) await throttleConsole(context)
  return openTab(context)
}

/** Whether a context with default settings, opened ahead, serves these options. */
export const isPlain = ({
  viewport,
  device,
  userAgent,
  locale,
  timezone,
  storageState,
  ignoreHTTPSErrors = false,
  proxy,
}: PageOptions): boolean =>
  !ignoreHTTPSErrors &&
  [viewport, device, userAgent, locale, timezone, storageState, proxy].every((value) => value === undefined)

async function contextOptions(options: PageOptions): Promise<Outcome<BrowserContextOptions>> {
  const device = await deviceOf(options.device)
  if (!device.ok) return device
  const { viewport, userAgent, locale, timezone, storageState, ignoreHTTPSErrors = false, proxy } = options
  return ok({
    ...device.value,
    ...(viewport && { viewport }),
    // Written out, because a variable of Playwright's can turn its own default for loopback off.
    ...(proxy !== undefined && { proxy: { server: proxy, bypass: '<-loopback>' } }),
    ...(ignoreHTTPSErrors && { ignoreHTTPSErrors }),
    ...(userAgent !== undefined && { userAgent }),
    ...(locale !== undefined && { locale }),
    ...(timezone !== undefined && { timezoneId: timezone }),
    ...(storageState && { storageState: storageState as NonNullable<BrowserContextOptions['storageState']> }),
  })
}

async function deviceOf(name: string | undefined): Promise<Outcome<BrowserContextOptions>> {
  if (name === undefined) return ok({})
  const { devices } = await import('playwright')
  const device = Object.hasOwn(devices, name) ? devices[name] : undefined
  if (device) {
    const { defaultBrowserType: _, ...settings } = device
    return ok(settings)
  }
  const close = findClosestName(name, Object.keys(devices))
  const expected = 'a device that Playwright knows, such as "iPhone 15" or "Pixel 7"'
  const hint = close && `Did you mean "${close}"?`
  return err(invalidParameter('device', expected, JSON.stringify(name), hint))
}

// Which of the options the browser would not take can only be read from its words.
function refused(error: Error, options: PageOptions): Failure {
  const text = messageOf(error)
  const rows = [
    ['timezone', /timezone/i, 'an IANA time zone such as Europe/Berlin'],
    ['locale', /locale/i, 'a BCP 47 tag such as de-DE'],
    ['storageState', /cookie|origin|storage/i, 'cookies and origins as storage_state saves them'],
  ] as const
  const row = rows.find(([field, words]) => options[field] !== undefined && words.test(text))
  if (!row) return browserError(error)
  const [field, , expected] = row
  return invalidParameter(
    field,
    expected,
    JSON.stringify(options[field]).slice(0, 200),
    text.split('\n')[0] ?? '',
  )
}
