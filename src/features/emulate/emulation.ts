// What a session emulates, as values: which settings there are, and what is set after a change.

import { invalidParameter, type Outcome } from '../../core/base/failure.ts'
import type { Size } from '../../core/base/geometry.ts'
import { err, ok } from '../../core/base/result.ts'
import { findClosestName } from '../../core/base/text/closest-name.ts'

declare module '../../core/base/action.ts' {
  interface ActionTypes<E> {
    /** Applies the change to all tabs, also to those that are opened later; returns what is emulated then. */
    emulate: ActionType<{ readonly change: EmulationChange }, CurrentEmulation>
  }
}

export type NetworkPreset = 'slow-3g' | 'slow-4g' | 'fast-4g'

/** Settings of a session; device, locale and time zone are those that it was created with. `cpuThrottlingRate` 4 means four times slower; the
 * permissions are those of the origin of the page. */
interface Emulation {
  readonly device?: string
  readonly viewport?: Size
  readonly userAgent?: string
  readonly locale?: string
  readonly timezone?: string
  readonly colorScheme?: 'light' | 'dark' | 'no-preference'
  readonly reducedMotion?: boolean
  readonly forcedColors?: boolean
  readonly contrast?: 'more'
  readonly media?: 'print'
  readonly geolocation?: { readonly latitude: number; readonly longitude: number; readonly accuracy?: number }
  readonly permissions?: readonly string[]
  readonly headers?: Readonly<Record<string, string>>
  readonly offline?: boolean
  readonly network?: NetworkPreset
  readonly cpuThrottlingRate?: number
}

/** Those that can change while it is open. */
export type EmulationName = Exclude<keyof Emulation, 'device' | 'locale' | 'timezone'>

/** A change of settings, after those in `reset` were taken back. */
export interface EmulationChange extends Emulation {
  readonly reset?: readonly EmulationName[]
}

/** What is set in a session; permissions by origin. */
export interface CurrentEmulation extends Omit<Emulation, 'permissions'> {
  readonly permissions?: Readonly<Record<string, readonly string[]>>
}

const isListed: Readonly<Record<EmulationName, true>> = {
  viewport: true,
  userAgent: true,
  colorScheme: true,
  reducedMotion: true,
  forcedColors: true,
  contrast: true,
  media: true,
  geolocation: true,
  permissions: true,
  headers: true,
  offline: true,
  network: true,
  cpuThrottlingRate: true,
}

/** All settings, in the order in which they are applied: those that may override others are later. */
const EMULATION_NAMES = Object.keys(isListed) as readonly EmulationName[]

/** The settings that `reset` names, separated by commas or spaces; `all` are all of them. Fails with INVALID_PARAMETERS. */
export function parseReset(reset: string): Outcome<readonly EmulationName[]> {
  const names = reset.split(/[\s,]+/).filter(Boolean)
  if (names.includes('all')) return ok(EMULATION_NAMES)
  const unknownName = names.find((name) => !Object.hasOwn(isListed, name))
  if (names.length > 0 && unknownName === undefined) return ok(names as EmulationName[])
  const suggestion = unknownName === undefined ? undefined : findClosestName(unknownName, EMULATION_NAMES)
  const expected = `all, or some of ${EMULATION_NAMES.join(', ')}`
  return err(
    invalidParameter('reset', expected, JSON.stringify(reset), suggestion && `Did you mean "${suggestion}"?`),
  )
}

/** What is set after a change, without its permissions. A device brings its own viewport and user agent. */
export function mergeSettings(
  current: CurrentEmulation,
  { reset = [], permissions: _, ...settings }: EmulationChange,
): CurrentEmulation {
  const replaced = settings.device === undefined ? [] : ['viewport', 'userAgent']
  const remaining = Object.entries(current).filter(([name]) => ![...reset, ...replaced].includes(name))
  const merged = { ...Object.fromEntries(remaining), ...settings }
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => !isDefault(value)))
}

/** `current` with the settings of these names as they are in `next`. */
export const pickSettings = (
  current: CurrentEmulation,
  next: CurrentEmulation,
  names: readonly EmulationName[],
): CurrentEmulation =>
  Object.fromEntries([
    ...Object.entries(current).filter(([name]) => !names.includes(name as EmulationName)),
    ...Object.entries(next).filter(([name]) => names.includes(name as EmulationName)),
  ])

/** Whether a value leaves the browser as it is: `false`, no throttling, no headers. */
const isDefault = (value: unknown): boolean =>
  value === undefined ||
  value === false ||
  value === 1 ||
  (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
