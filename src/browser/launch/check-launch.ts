import { launchBrowser } from './launch.ts'
import type { LaunchRequest } from './launch-options.ts'
import { attempt, browserError } from '../playwright/errors.ts'
import type { Outcome } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'
import { race } from '../../runtime/calls/deadline.ts'

export interface LaunchCheck {
  readonly version: string
  /** Milliseconds from the start to a page that answered. */
  readonly ms: number
}

const CLOSE_TIMEOUT_MS = 5000

/** Starts the browser, opens a page, reads its title and closes the browser. */
export async function checkLaunch(request: LaunchRequest): Promise<Outcome<LaunchCheck>> {
  const startedAt = performance.now()
  const launchResult = await launchBrowser(request)
  if (!launchResult.ok) return launchResult
  const browser = launchResult.value
  const openResult = await race(request.timeout, [], () =>
    attempt(
      (async () => {
        const page = await browser.newPage()
        await page.setContent('<title>footlight</title>')
        return page.title()
      })(),
      browserError,
    ),
  )
  const ms = Math.round(performance.now() - startedAt)
  const version = browser.version()
  await race(CLOSE_TIMEOUT_MS, [], () => browser.close().catch(() => {}))
  if ('stopReason' in openResult)
    return err({ code: 'BROWSER_ERROR', text: `no page was opened within ${request.timeout} ms` })
  return openResult.value.ok ? ok({ version, ms }) : openResult.value
}
