import type { BrowserContextOptions } from 'playwright'
import { invalidParameter, type Outcome } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'
import { findClosestName } from '../../core/text/closest-name.ts'

/** What a device of Playwright's list sets; nothing without a name. INVALID_PARAMETERS names the closest device. */
export async function findDevice(name: string | undefined): Promise<Outcome<BrowserContextOptions>> {
  if (name === undefined) return ok({})
  const { devices } = await import('playwright')
  const device = Object.hasOwn(devices, name) ? devices[name] : undefined
  if (device) {
    const { defaultBrowserType: _, ...settings } = device
    return ok(settings)
  }
  const suggestion = findClosestName(name, Object.keys(devices))
  const expected = 'a device that Playwright knows, such as "iPhone 15" or "Pixel 7"'
  const hint = suggestion && `Did you mean "${suggestion}"?`
  return err(invalidParameter('device', expected, JSON.stringify(name), hint))
}
