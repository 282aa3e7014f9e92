import type { Browser } from 'playwright'
import { launchBrowser } from '../launch/launch.ts'
import type { LaunchRequest } from '../launch/launch-options.ts'
import { attempt, browserError } from '../playwright/errors.ts'
import type { Outcome } from '../../core/failure.ts'

/** Launches a browser with a window, for a person. Where `open` fails it is closed again. */
export async function openHeaded<T>(
  request: Omit<LaunchRequest, 'headless'>,
  open: (browser: Browser) => Promise<T>,
): Promise<Outcome<T>> {
  const browser = await launchBrowser({ ...request, headless: false })
  if (!browser.ok) return browser
  const outcome = await attempt(open(browser.value), browserError)
  if (!outcome.ok) await browser.value.close().catch(() => {})
  return outcome
}
