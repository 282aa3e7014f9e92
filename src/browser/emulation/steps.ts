// How each group of settings is applied to all tabs of a context, and to a tab that is opened later.

import type { BrowserContext, Page } from 'playwright'
import { applyMedia } from './media.ts'
import { applyPageDefaults, PAGE_DEFAULT_NAMES, pageDefaultsOf } from './page-defaults.ts'
import type { Permissions } from './permissions.ts'
import { serverContextOf, type PageDefaults, type ServerContext } from './server-context.ts'
import { throttleCpu, throttleNetwork } from './throttling.ts'
import type { CdpSession } from '../playwright/cdp-session.ts'
import type { Tab } from '../tab/tab.ts'
import type { CurrentEmulation, EmulationName } from '../../core/emulation.ts'

/** A context whose settings can change. */
export interface EmulatedContext {
  readonly context: BrowserContext
  /** Undefined where Playwright runs on another machine. */
  readonly server: ServerContext | undefined
  /** The options with which the context was created. */
  readonly initial: PageDefaults
  /** Footlight's own CDP session of a page; undefined outside Chromium. */
  readonly cdpOf: (page: Page) => Promise<CdpSession | undefined>
}

/** Settings that are applied together, with a function that does it on all open tabs. `device` is what the device of `target` sets. */
export interface EmulationStep {
  readonly names: readonly EmulationName[]
  apply(target: CurrentEmulation, device: PageDefaults): Promise<unknown>
}

const MEDIA_NAMES: readonly EmulationName[] = [
  'colorScheme',
  'reducedMotion',
  'forcedColors',
  'contrast',
  'media',
]

export function toEmulatedContext(context: BrowserContext, cdpOf: EmulatedContext['cdpOf']): EmulatedContext {
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
export function emulationSteps(
  { context, server, initial, cdpOf }: EmulatedContext,
  permissions: Permissions,
  tab: Tab,
): readonly EmulationStep[] {
  const onAllPages = (apply: (page: Page) => Promise<void>) => Promise.all(context.pages().map(apply))
  const applyDefaults: EmulationStep['apply'] = (target, device) => {
    const defaults = pageDefaultsOf(initial, device, target)
    if (server) return applyPageDefaults(context, server, defaults)
    return onAllPages(async (page) => {
      if (defaults.viewport) await page.setViewportSize(defaults.viewport)
    })
  }
  return [
    { names: ['device', 'viewport', 'userAgent', 'locale', 'timezone'], apply: applyDefaults },
    {
      names: MEDIA_NAMES,
      async apply(target, device) {
        if (server) await applyDefaults(target, device)
        await onAllPages(async (page) => applyMedia(page, await cdpOf(page), initial, target))
      },
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
export async function emulateOnNewPage(
  page: Page,
  { server, initial, cdpOf }: EmulatedContext,
  current: CurrentEmulation,
): Promise<void> {
  if (MEDIA_NAMES.some((name) => name in current)) await applyMedia(page, await cdpOf(page), initial, current)
  if (!server && current.viewport) await page.setViewportSize(current.viewport)
  if (current.network) await throttleNetwork(page, current)
  if (current.cpuThrottlingRate !== undefined) await throttleCpu(page, current)
}
