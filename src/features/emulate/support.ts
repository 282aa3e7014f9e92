// What an engine cannot emulate, as failures that say what to do instead.

import type { Failure } from '../../core/base/failure.ts'
import { browserError, isUnsupported, unsupportedFailure } from '../../core/browser/playwright/errors.ts'
import type { EmulationChange, EmulationName } from './emulation.ts'

/** Settings that need Playwright's internals, because its API has them only for new contexts. */
const INTERNAL_NAMES: readonly EmulationName[] = ['userAgent', 'network', 'cpuThrottlingRate']

/** The failure of the first setting that this browser cannot emulate, or undefined. */
export function checkSupport(
  change: EmulationChange,
  { engine, isRemote }: { readonly engine: string; readonly isRemote: boolean },
): Failure | undefined {
  const { network, cpuThrottlingRate = 1 } = change
  const internalName = INTERNAL_NAMES.find((name) => change[name] !== undefined)
  if (isRemote && internalName !== undefined)
    return unsupportedFailure(
      `a browser behind --connect`,
      `change ${internalName} in an open session`,
      'create_session takes userAgent; throttling needs a local browser.',
    )
  if (engine === 'chromium') return undefined
  const throttling = network ? 'network' : cpuThrottlingRate > 1 ? 'cpuThrottlingRate' : undefined
  return throttling && unsupportedFailure(engine, `emulate ${throttling}`)
}

/** Why the browser refused one of these settings. */
export const settingFailure = (error: Error, names: readonly EmulationName[], engine: string): Failure =>
  isUnsupported(error) ? unsupportedFailure(engine, `emulate ${names.join(', ')}`) : browserError(error)
