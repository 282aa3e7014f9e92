// What an engine cannot emulate, as failures that say what to do instead.

import type { BrowserContextOptions } from 'playwright'
import { invalidParameter, type Failure } from '../../core/failure.ts'
import type { EmulationChange, EmulationName } from '../../core/session/emulation.ts'
import {
  browserError,
  isInvalidLocale,
  isInvalidTimezone,
  isUnsupported,
  messageOf,
} from '../playwright/errors.ts'

/** The failure for a feature that an engine does not support. */
export const unsupportedFailure = (
  engine: string,
  what: string,
  next = 'Create a session with browser chromium instead.',
): Failure => ({ code: 'BROWSER_ERROR', text: `${engine} cannot ${what}`, next })

/** Settings that need Playwright's internals, because its API has them only for new contexts. */
const INTERNAL_NAMES: readonly EmulationName[] = [
  'device',
  'userAgent',
  'locale',
  'timezone',
  'network',
  'cpuThrottlingRate',
]

/** The failure of the first setting that this browser cannot emulate, or undefined. */
export function checkSupport(
  change: EmulationChange,
  device: BrowserContextOptions,
  { engine, isRemote, isBidi }: { engine: string; isRemote: boolean; isBidi: boolean },
): Failure | undefined {
  const { network, cpuThrottlingRate = 1 } = change
  const internalName = INTERNAL_NAMES.find((name) => change[name] !== undefined)
  if (isRemote && internalName !== undefined)
    return unsupportedFailure(
      `a browser behind --connect`,
      `change ${internalName} in an open session`,
      'create_session takes device, userAgent, locale and timezone; throttling needs a local browser.',
    )
  if (engine === 'chromium') return undefined
  if (device.hasTouch || device.isMobile)
    return unsupportedFailure(
      engine,
      `emulate the touch screen of ${change.device ?? 'a device'}`,
      'Set viewport and userAgent, or create a session with browser chromium.',
    )
  const language = change.locale ?? change.timezone
  if (!isBidi && language !== undefined)
    return unsupportedFailure(
      engine,
      'change locale and timezone in an open session',
      'create_session takes them.',
    )
  const throttling = network ? 'network' : cpuThrottlingRate > 1 ? 'cpuThrottlingRate' : undefined
  return throttling && unsupportedFailure(engine, `emulate ${throttling}`)
}

/** Why the browser refused one of these settings. */
export function settingFailure(
  error: Error,
  { locale, timezone }: EmulationChange,
  names: readonly EmulationName[],
  engine: string,
): Failure {
  const text = messageOf(error)
  const hint = text.split('\n').at(-1)?.slice(0, 200)
  if (timezone !== undefined && isInvalidTimezone(error))
    return invalidParameter(
      'timezone',
      'an IANA time zone such as Europe/Berlin',
      JSON.stringify(timezone),
      hint,
    )
  if (locale !== undefined && isInvalidLocale(error))
    return invalidParameter('locale', 'a BCP 47 tag such as de-DE', JSON.stringify(locale), hint)
  return isUnsupported(error)
    ? unsupportedFailure(engine, `emulate ${names.join(', ')}`)
    : browserError(error)
}
