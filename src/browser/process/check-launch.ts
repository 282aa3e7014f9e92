import { launch, type LaunchRequest } from './launch.ts'
import { attempt, browserError } from '../playwright/errors.ts'
import type { Outcome } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'
import { race } from '../../runtime/calls/deadline.ts'

export interface LaunchCheck {
  readonly version: string
  /** Milliseconds from nothing to a page that answered. */
  readonly ms: number
}

/** Starts the browser, opens a page in it, asks the page something, and ends it. */
export async function checkLaunch(request: LaunchRequest): Promise<Outcome<LaunchCheck>> {
  const since = performance.now()
  const launched = await launch(request)
  if (!launched.ok) return launched
  const browser = launched.value
  const opened = await race(request.timeout, [], () =>
    attempt(
      (async () => {
        const page = await browser.newPage()
        await page.setContent('<title>footlight</title>')
        return page.title()
      })(),
      browserError,
    ),
  )
  const ms = Math.round(performance.now() - since)
  const version = browser.version()
  await race(5000, [], () => browser.close().catch(() => {}))
  if ('stopped' in opened)
    return err({ code: 'BROWSER_ERROR', text: `no page was opened within ${request.timeout} ms` })
  return opened.value.ok ? ok({ version, ms }) : opened.value
}
