import type { Page } from 'playwright'
import { engineOfPage } from '../playwright/engine.ts'
import { attempt, browserError, messageOf } from '../playwright/errors.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'
import type { Emulation } from '../../runtime/ports/page.ts'

/** Applies the settings in order; the failure of an unsupported one contains its name. */
export async function emulate(page: Page, settings: Emulation): Promise<Outcome<void>> {
  const context = page.context()
  const { viewport, offline, colorScheme, geolocation, headers } = settings
  const settingSteps: [keyof Emulation, (() => Promise<unknown>) | false | undefined][] = [
    ['viewport', viewport && (() => page.setViewportSize(viewport))],
    ['offline', offline !== undefined && (() => context.setOffline(offline))],
    ['colorScheme', colorScheme && (() => emulateColorScheme(page, colorScheme))],
    [
      'geolocation',
      geolocation &&
        (async () => {
          await context.grantPermissions(['geolocation'])
          await context.setGeolocation(geolocation)
        }),
    ],
    ['headers', headers && (() => context.setExtraHTTPHeaders({ ...headers }))],
  ]
  for (const [name, step] of settingSteps) {
    const result = step
      ? await attempt(step(), (error) => emulationFailure(page, name, error))
      : ok(undefined)
    if (!result.ok) return err(result.error)
  }
  return ok(undefined)
}

// Stock Firefox accepts the setting and ignores it.
async function emulateColorScheme(
  page: Page,
  colorScheme: NonNullable<Emulation['colorScheme']>,
): Promise<void> {
  await page.emulateMedia({ colorScheme })
  const query = `(prefers-color-scheme: ${colorScheme})`
  const isApplied =
    colorScheme === 'no-preference' || (await page.evaluate((text) => matchMedia(text).matches, query))
  if (!isApplied) throw new Error('not supported')
}

function emulationFailure(page: Page, name: string, error: Error): Failure {
  const engine = engineOfPage(page) ?? 'this browser'
  const text = messageOf(error)
  if (!/not supported|unsupported|not implemented|unknown command/i.test(text)) return browserError(error)
  return unsupportedFailure(engine, `emulate ${name}`)
}

/** The failure for a feature that an engine does not support. */
export const unsupportedFailure = (engine: string, what: string): Failure => ({
  code: 'BROWSER_ERROR',
  text: `${engine} cannot ${what}`,
  next: 'Create a session with browser chromium instead.',
})
