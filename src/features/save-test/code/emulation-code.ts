// Emulated settings: as options of a test while nothing is open, and as statements later.

import type { CurrentEmulation, EmulationChange, EmulationName } from '../../emulate/emulation.ts'
import type { ActionScope } from './code-scope.ts'
import { type Field, formatValue, objectCode } from './format-value.ts'
import type { TestOptions } from './test-plan.ts'

/** The options of `test.use` for settings, and the settings for which there are none. `device` is left to the caller. */
export function optionsOfEmulation(settings: CurrentEmulation): {
  readonly options: TestOptions
  readonly others: EmulationChange
} {
  const { viewport, userAgent, locale, timezone, colorScheme, geolocation, headers, offline } = settings
  const { reducedMotion, forcedColors, contrast, media, network, cpuThrottlingRate } = settings
  const contextOptions = {
    ...(reducedMotion && { reducedMotion: 'reduce' }),
    ...(forcedColors && { forcedColors: 'active' }),
    ...(contrast && { contrast }),
  }
  const options = {
    ...(viewport && { viewport }),
    ...(userAgent !== undefined && { userAgent }),
    ...(locale !== undefined && { locale }),
    ...(timezone !== undefined && { timezoneId: timezone }),
    ...(colorScheme && { colorScheme }),
    ...(geolocation && { geolocation, permissions: ['geolocation'] }),
    ...(headers && { extraHTTPHeaders: headers }),
    ...(offline && { offline }),
    ...(Object.keys(contextOptions).length > 0 && { contextOptions }),
  }
  const others = {
    ...(media && { media }),
    ...(network && { network }),
    ...(cpuThrottlingRate !== undefined && { cpuThrottlingRate }),
  }
  return { options, others }
}

/** The statements of a change during a test; what Playwright cannot change is a comment. */
export function emulationCode(change: EmulationChange, scope: ActionScope): readonly string[] {
  const { viewport, geolocation, permissions, headers, offline, reset = [] } = change
  const isReset = (name: EmulationName) => reset.includes(name) && change[name] === undefined
  const onContext = (method: string, value?: unknown) =>
    `await ${scope.use('context')}.${method}(${value === undefined ? '' : formatValue(value, scope.text)});`
  const onPage = (method: string, code: string) => `await ${scope.page}.${method}(${code});`
  const media = mediaFields(change, isReset)
  return [
    ...(viewport ? [onPage('setViewportSize', formatValue(viewport, scope.text))] : []),
    ...(media.length > 0 ? [onPage('emulateMedia', objectCode(media, scope.text))] : []),
    ...(geolocation ? [onContext('grantPermissions', ['geolocation'])] : []),
    ...(geolocation || isReset('geolocation') ? [onContext('setGeolocation', geolocation ?? null)] : []),
    ...(isReset('permissions') ? [onContext('clearPermissions')] : []),
    ...(permissions ? [onContext('grantPermissions', permissions)] : []),
    ...(headers || isReset('headers') ? [onContext('setExtraHTTPHeaders', headers ?? {})] : []),
    ...(offline !== undefined || isReset('offline') ? [onContext('setOffline', offline ?? false)] : []),
    ...otherSettings(change).map((text) => `// Not repeated here: ${scope.text.title(text)}.`),
  ]
}

// --- internal ---

function mediaFields(change: EmulationChange, isReset: (name: EmulationName) => boolean): readonly Field[] {
  const { colorScheme, reducedMotion, forcedColors, contrast, media } = change
  const values: readonly (readonly [EmulationName, string | undefined])[] = [
    ['media', media],
    ['colorScheme', colorScheme],
    ['reducedMotion', reducedMotion === undefined ? undefined : reducedMotion ? 'reduce' : 'no-preference'],
    ['forcedColors', forcedColors === undefined ? undefined : forcedColors ? 'active' : 'none'],
    ['contrast', contrast],
  ]
  return values.flatMap(([name, value]): readonly Field[] => {
    if (value !== undefined) return [[name, `'${value}'`]]
    return isReset(name) ? [[name, 'null']] : []
  })
}

// A context of Playwright has these from its beginning, or not at all.
function otherSettings(change: EmulationChange): readonly string[] {
  const { userAgent, network, cpuThrottlingRate, reset = [] } = change
  const fixedNames = ['viewport', 'userAgent', 'network', 'cpuThrottlingRate']
  const resetNames = reset.filter((name) => fixedNames.includes(name) && change[name] === undefined)
  return [
    ...(userAgent === undefined ? [] : [`the user agent ${userAgent}`]),
    ...(network === undefined ? [] : [`a network like ${network}`]),
    ...(cpuThrottlingRate === undefined ? [] : [`a processor ${cpuThrottlingRate} times slower`]),
    ...(resetNames.length === 0 ? [] : [`the reset of ${resetNames.join(', ')}`]),
  ].map((text) => text.replace(/\s+/g, ' '))
}
