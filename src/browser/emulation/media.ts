import type { Page } from 'playwright'
import type { CdpSession } from '../playwright/cdp-session.ts'
import type { PageDefaults } from './server-context.ts'
import { matchMediaQueries } from '../in-page/dom/match-media-queries.ts'
import type { CurrentEmulation, Emulation, EmulationName } from '../../core/emulation.ts'

/** Sets the media features of a page; those that are not emulated get the values of a new page. In a new document Chromium sets the media
 * type of each CDP session again, so that of `cdp` is set too. */
export async function applyMedia(
  page: Page,
  cdp: CdpSession | undefined,
  initial: PageDefaults,
  { colorScheme, reducedMotion, forcedColors, contrast, media }: CurrentEmulation,
): Promise<void> {
  await page.emulateMedia({
    media: media ?? null,
    colorScheme: colorScheme ?? initial.colorScheme ?? 'light',
    reducedMotion: reducedMotion ? 'reduce' : (initial.reducedMotion ?? 'no-preference'),
    forcedColors: forcedColors ? 'active' : (initial.forcedColors ?? 'none'),
    contrast: contrast ?? initial.contrast ?? 'no-preference',
  })
  await cdp?.send('Emulation.setEmulatedMedia', { media: media ?? '' })
}

/** The first of these settings that the page does not have: stock Firefox accepts all of them and ignores them. */
export async function findIgnoredMedia(
  page: Page,
  { colorScheme, reducedMotion, forcedColors, contrast, media }: Emulation,
): Promise<EmulationName | undefined> {
  const queries: Partial<Record<EmulationName, string>> = {
    ...(colorScheme &&
      colorScheme !== 'no-preference' && { colorScheme: `(prefers-color-scheme: ${colorScheme})` }),
    ...(reducedMotion && { reducedMotion: '(prefers-reduced-motion: reduce)' }),
    ...(forcedColors && { forcedColors: '(forced-colors: active)' }),
    ...(contrast && { contrast: `(prefers-contrast: ${contrast})` }),
    ...(media && { media }),
  }
  const names = Object.keys(queries) as EmulationName[]
  if (names.length === 0) return undefined
  const matches = await page.evaluate(matchMediaQueries, Object.values(queries))
  return names.find((_, index) => !matches[index])
}
