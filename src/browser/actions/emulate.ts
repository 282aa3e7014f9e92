import type { Page } from 'playwright'
import { engineOfPage } from '../playwright/engine.ts'
import { attempt, browserError, isUnsupported } from '../playwright/errors.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'
import type { Emulation } from '../../runtime/ports/page.ts'

/** Applies the settings in order; the failure of an unsupported one contains its name. */
export async function emulate(page: Page, settings: Emulation): Promise<Outcome<void>> {
  const context = page.context()
  const { viewport, offline, colorScheme, geolocation, headers } = settings
  const engine = engineOfPage(page) ?? 'this browser'
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
    if (!step) continue
    const unsupported = unsupportedFailure(engine, `emulate ${name}`)
    const result = await attempt(step(), (error) =>
      isUnsupported(error) ? unsupported : browserError(error),
    )
    if (!result.ok) return result
    if (result.value === IGNORED) return err(unsupported)
  }
  return ok(undefined)
}

const IGNORED = 'ignored'

// Stock Firefox may accept the setting and ignore it.
async function emulateColorScheme(
  page: Page,
  colorScheme: NonNullable<Emulation['colorScheme']>,
): Promise<typeof IGNORED | undefined> {
  await page.emulateMedia({ colorScheme })
  const query = `(prefers-color-scheme: ${colorScheme})`
  const isApplied =
    colorScheme === 'no-preference' || (await page.evaluate((text) => matchMedia(text).matches, query))
  return isApplied ? undefined : IGNORED
}

/** The failure for a feature that an engine does not support. */
export const unsupportedFailure = (engine: string, what: string): Failure => ({
  code: 'BROWSER_ERROR',
  text: `${engine} cannot ${what}`,
  next: 'Create a session with browser chromium instead.',
})
