// What one session emulates, in all its tabs and in those that are opened later.

import type { BrowserContext, Page } from 'playwright'
import { invalidParameter, type Outcome } from '../../core/base/failure.ts'
import { err, ok } from '../../core/base/result.ts'
import { settleWithin } from '../../core/base/system/settle-within.ts'
import type { PageParts } from '../../core/browser/page/page-parts.ts'
import type { PageFeature, Performers } from '../../core/browser/page/performers.ts'
import type { CdpSession } from '../../core/browser/playwright/cdp-session.ts'
import {
  PAGE_DEFAULT_NAMES,
  type PageDefaults,
  protocolSessionsOf,
  type ServerContext,
  serverContextOf,
} from '../../core/browser/playwright/context-internals.ts'
import { engineOfPage } from '../../core/browser/playwright/engine.ts'
import { attempt, isTargetClosed, unsupportedFailure } from '../../core/browser/playwright/errors.ts'
import type { Permissions } from '../../core/browser/tab/permissions.ts'
import type { Tab } from '../../core/browser/tab/tab.ts'
import {
  type CurrentEmulation,
  type EmulationChange,
  type EmulationName,
  mergeSettings,
  type NetworkPreset,
  pickSettings,
} from './emulation.ts'
import { matchMediaQueries } from './in-page/generated.ts'
import { applyPageDefaults, pageDefaultsOf, reapplyProcessDefaults } from './page-defaults.ts'
import { checkSupport, settingFailure } from './support.ts'

declare module '../../core/browser/page/performers.ts' {
  interface FeaturePerformers extends Performers<'emulate'> {}
}

declare module '../../core/sessions/types/page.ts' {
  interface FeaturePage {
    /** Applies a change and returns what is set then. When a setting fails, those that are applied before it stay. */
    readonly emulate: Emulate
  }
}

export type Emulate = (tab: Tab, change: EmulationChange) => Promise<Outcome<CurrentEmulation>>

const NEW_TAB_TIMEOUT_MS = 2000
const OFFLINE_REASON = /DISCONNECTED|OFFLINE/

export function createEmulation({ context, permissions, tabs, runOnTab }: PageParts) {
  const emulated = toEmulatedContext(context, (page) => tabs.forPage(page).recovery.cdp)
  let current: CurrentEmulation = {}
  const waitForNewTabs = watchTabs(emulated, () => current)

  async function applySteps(tab: Tab, change: EmulationChange): Promise<Outcome<void>> {
    const engine = engineOfPage(tab.page) ?? 'this browser'
    const next = mergeSettings(current, change)
    const problem = checkSupport(change, { engine, isRemote: !emulated.server })
    if (problem) return err(problem)
    for (const step of emulationSteps(emulated, permissions, tab)) {
      const names = step.names.filter((name) => change[name] !== undefined || change.reset?.includes(name))
      if (names.length === 0) continue
      const target = pickSettings(current, next, step.names)
      const applied = await attempt(step.apply(target), (error) => settingFailure(error, names, engine))
      const outcome = applied.ok && step.verify ? await step.verify(change, engine) : applied
      if (!outcome.ok) {
        await step.apply(current).catch(() => {})
        return outcome
      }
      current = target
    }
    return ok(undefined)
  }

  async function applyPermissions(
    tab: Tab,
    { permissions: names, reset = [] }: EmulationChange,
  ): Promise<Outcome<void>> {
    if (reset.includes('permissions')) {
      await permissions.reset(tab)
      current = pickSettings(current, {}, ['permissions'])
    }
    if (!names) return ok(undefined)
    const origin = originOf(tab)
    if (!origin.ok) return origin
    const granted = await permissions.grant(tab, origin.value, names)
    if (granted.ok) current = { ...current, permissions: { ...current.permissions, [origin.value]: names } }
    return granted
  }

  async function emulate(tab: Tab, change: EmulationChange): Promise<Outcome<CurrentEmulation>> {
    const applied = await applySteps(tab, change)
    const outcome = applied.ok ? await applyPermissions(tab, change) : applied
    return outcome.ok ? ok(current) : outcome
  }

  return {
    members: { emulate },
    performers: { emulate: ({ change }) => runOnTab((tab) => emulate(tab, change)) },
    // A little, until the tabs that were just opened have the settings.
    beforeWork: waitForNewTabs,
    explainFailure: (failure) =>
      failure.code === 'NAVIGATION_FAILED' && current.offline && OFFLINE_REASON.test(failure.reason)
        ? { ...failure, isOffline: true }
        : failure,
  } satisfies PageFeature
}

// --- internal ---

function originOf({ page }: Tab): Outcome<string> {
  const { origin, protocol } = new URL(page.url())
  const expected = 'permissions only on a page with an http or https URL; navigate there first'
  return /^https?:$/.test(protocol) ? ok(origin) : err(invalidParameter('permissions', expected, page.url()))
}

/** Keeps the settings on tabs that are opened or closed later; the returned function waits until the new ones have them. */
function watchTabs(emulated: EmulatedContext, current: () => CurrentEmulation): () => Promise<void> {
  const { context, server } = emulated
  const pending = new Set<Promise<unknown>>()
  const track = (work: Promise<unknown>) => {
    const tracked: Promise<unknown> = settleWithin(NEW_TAB_TIMEOUT_MS, work).then(() =>
      pending.delete(tracked),
    )
    pending.add(tracked)
  }
  // Pages in one process share some settings, which may end with the page that was opened first.
  const reapply = async () => {
    if (server) await reapplyProcessDefaults(context, server)
    if (current().cpuThrottlingRate === undefined) return
    for (const page of context.pages()) await throttleCpu(page, current())
  }
  const watch = (page: Page) => {
    page.once('close', () => track(reapply()))
    // Chromium restores the other settings in the process of a new document.
    page.on('framenavigated', (frame) => {
      const { media, cpuThrottlingRate } = current()
      const isLost = media !== undefined || cpuThrottlingRate !== undefined
      if (isLost && frame === page.mainFrame()) track(emulateOnNewPage(page, emulated, current()))
    })
  }
  context.pages().forEach(watch)
  context.on('page', (page) => {
    watch(page)
    if (Object.keys(current()).length > 0) track(emulateOnNewPage(page, emulated, current()))
  })
  return async () => void (pending.size > 0 && (await Promise.all(pending)))
}

/** Sets the media features of a page; those that are not emulated get the values of a new page. In a new document Chromium sets the media
 * type of each CDP session again, so that of `cdp` is set too. */
async function applyMedia(
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

/** Fails with the first of these settings that the page does not have: stock Firefox accepts all of them and ignores them. */
async function checkMedia(
  page: Page,
  { colorScheme, reducedMotion, forcedColors, contrast, media }: EmulationChange,
  engine: string,
): Promise<Outcome<void>> {
  const queries: Partial<Record<EmulationName, string>> = {
    ...(colorScheme &&
      colorScheme !== 'no-preference' && { colorScheme: `(prefers-color-scheme: ${colorScheme})` }),
    ...(reducedMotion && { reducedMotion: '(prefers-reduced-motion: reduce)' }),
    ...(forcedColors && { forcedColors: '(forced-colors: active)' }),
    ...(contrast && { contrast: `(prefers-contrast: ${contrast})` }),
    ...(media && { media }),
  }
  const names = Object.keys(queries) as EmulationName[]
  if (names.length === 0) return ok(undefined)
  const matches = await page.evaluate(matchMediaQueries, Object.values(queries))
  const ignoredName = names.find((_, index) => !matches[index])
  return ignoredName === undefined ? ok(undefined) : err(unsupportedFailure(engine, `emulate ${ignoredName}`))
}

/** A context whose settings can change. */
interface EmulatedContext {
  readonly context: BrowserContext
  /** Undefined where Playwright runs on another machine. */
  readonly server: ServerContext | undefined
  /** The options with which the context was created. */
  readonly initial: PageDefaults
  /** Footlight's own CDP session of a page; undefined outside Chromium. */
  readonly cdpOf: (page: Page) => Promise<CdpSession | undefined>
}

/** Settings that are applied together, with a function that does it on all open tabs. */
interface EmulationStep {
  readonly names: readonly EmulationName[]
  apply(target: CurrentEmulation): Promise<unknown>
  /** Fails with the first setting that the browser has ignored. */
  verify?(change: EmulationChange, engine: string): Promise<Outcome<void>>
}

const MEDIA_NAMES: readonly EmulationName[] = [
  'colorScheme',
  'reducedMotion',
  'forcedColors',
  'contrast',
  'media',
]

function toEmulatedContext(context: BrowserContext, cdpOf: EmulatedContext['cdpOf']): EmulatedContext {
  const server = serverContextOf(context)
  const options = PAGE_DEFAULT_NAMES.map((name) => [name, server?._options[name]])
  const viewport = context.pages()[0]?.viewportSize()
  return {
    context,
    server,
    cdpOf,
    initial: { ...(viewport && { viewport }), ...(server && Object.fromEntries(options)) },
  }
}

/** All steps, in their order. `tab` is one that is open. */
function emulationSteps(
  { context, server, initial, cdpOf }: EmulatedContext,
  permissions: Permissions,
  tab: Tab,
): readonly EmulationStep[] {
  const onAllPages = (apply: (page: Page) => Promise<void>) => Promise.all(context.pages().map(apply))
  const applyDefaults: EmulationStep['apply'] = (target) => {
    const defaults = pageDefaultsOf(initial, target)
    if (server) return applyPageDefaults(context, server, defaults)
    return onAllPages(async (page) => {
      if (defaults.viewport) await page.setViewportSize(defaults.viewport)
    })
  }
  return [
    { names: ['viewport', 'userAgent'], apply: applyDefaults },
    {
      names: MEDIA_NAMES,
      async apply(target) {
        if (server) await applyDefaults(target)
        await onAllPages(async (page) => applyMedia(page, await cdpOf(page), initial, target))
      },
      verify: (change, engine) => checkMedia(tab.page, change, engine),
    },
    {
      names: ['geolocation'],
      async apply({ geolocation }) {
        if (geolocation) await permissions.allowGeolocation(tab)
        await context.setGeolocation(geolocation ?? null)
      },
    },
    { names: ['headers'], apply: ({ headers = {} }) => context.setExtraHTTPHeaders({ ...headers }) },
    {
      names: ['offline', 'network'],
      async apply(target) {
        await context.setOffline(target.offline ?? false)
        await onAllPages((page) => throttleNetwork(page, target))
      },
    },
    { names: ['cpuThrottlingRate'], apply: (target) => onAllPages((page) => throttleCpu(page, target)) },
  ]
}

/** Applies to a new page what it does not get from its context. */
async function emulateOnNewPage(
  page: Page,
  { server, initial, cdpOf }: EmulatedContext,
  current: CurrentEmulation,
): Promise<void> {
  if (MEDIA_NAMES.some((name) => name in current)) await applyMedia(page, await cdpOf(page), initial, current)
  if (!server && current.viewport) await page.setViewportSize(current.viewport)
  if (current.network) await throttleNetwork(page, current)
  if (current.cpuThrottlingRate !== undefined) await throttleCpu(page, current)
}

// CPU and network throttling, which only Chromium has. Both belong to the CDP sessions of a page; the values are those of Chrome's DevTools.
/** Latency in milliseconds, throughput in bytes per second; -1 is no limit. */
interface NetworkConditions {
  readonly latency: number
  readonly downloadThroughput: number
  readonly uploadThroughput: number
}

const NO_LIMITS: NetworkConditions = { latency: 0, downloadThroughput: -1, uploadThroughput: -1 }

const CONDITIONS: Readonly<Record<NetworkPreset, NetworkConditions>> = {
  'slow-3g': { latency: 2000, downloadThroughput: 50_000, uploadThroughput: 50_000 },
  'slow-4g': { latency: 562.5, downloadThroughput: 180_000, uploadThroughput: 84_375 },
  'fast-4g': { latency: 165, downloadThroughput: 1_012_500, uploadThroughput: 168_750 },
}

const throttleCpu = (page: Page, { cpuThrottlingRate = 1 }: CurrentEmulation): Promise<void> =>
  sendToSessions(page, 'Emulation.setCPUThrottlingRate', { rate: cpuThrottlingRate })

/** Sets the limits and whether the page is offline, because both are one command of the browser. */
const throttleNetwork = (page: Page, { network, offline = false }: CurrentEmulation): Promise<void> =>
  sendToSessions(page, 'Network.emulateNetworkConditions', {
    offline,
    ...(network ? CONDITIONS[network] : NO_LIMITS),
  })

async function sendToSessions(page: Page, method: string, message: object): Promise<void> {
  for (const session of protocolSessionsOf(page))
    await session.send(method, message).catch((error: Error) => {
      if (!isTargetClosed(error)) throw error
    })
}
