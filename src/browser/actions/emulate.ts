import type { Page } from 'playwright'
import { engineOfPage } from '../playwright/engine.ts'
import { attempt, browserError, messageOf } from '../playwright/errors.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'
import type { Emulation } from '../../runtime/ports/page.ts'

/** Applies the settings in order; one that the engine does not support fails by its name. */
export async function emulate(page: Page, settings: Emulation): Promise<Outcome<void>> {
  const context = page.context()
  const { viewport, offline, colorScheme, geolocation, headers } = settings
  const steps: [keyof Emulation, (() => Promise<unknown>) | false | undefined][] = [
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
  for (const [name, step] of steps) {
    const outcome = step
      ? await attempt(step(), (error) => emulationFailure(page, name, error))
      : ok(undefined)
    if (!outcome.ok) return err(outcome.error)
  }
  return ok(undefined)
}

// Stock Firefox takes the setting and does nothing with it.
async function emulateColorScheme(
  page: Page,
  colorScheme: NonNullable<Emulation['colorScheme']>,
): Promise<void> {
  await page.emulateMedia({ colorScheme })
  const query = `(prefers-color-scheme: ${colorScheme})`
  const applied =
    colorScheme === 'no-preference' || (await page.evaluate((text) => matchMedia(text).matches, query))
  if (!applied) throw new Error('not supported')
}

function emulationFailure(page: Page, name: string, error: Error): Failure {
  const engine = engineOfPage(page) ?? 'this browser'
  const text = messageOf(error)
  if (!/not supported|unsupported|not implemented|unknown command/i.test(text)) return browserError(error)
  return unsupported(engine, `emulate ${name}`)
}

/** The failure of what an engine does not support. */
export const unsupported = (engine: string, what: string): Failure => ({
  code: 'BROWSER_ERROR',
  text: `${engine} cannot ${what}`,
  next: 'Create a session with browser chromium for that.',
})
