// What one session emulates, in all its tabs and in those that are opened later.

import type { BrowserContext, Page } from 'playwright'
import { findDevice } from './find-device.ts'
import { findIgnoredMedia } from './media.ts'
import { reapplyProcessDefaults } from './page-defaults.ts'
import type { Permissions } from './permissions.ts'
import {
  emulateOnNewPage,
  emulationSteps,
  toEmulatedContext,
  type EmulatedContext,
  type EmulationStep,
} from './steps.ts'
import { checkSupport, explainRefusal, unsupportedFailure } from './support.ts'
import { throttleCpu } from './throttling.ts'
import { engineOfPage } from '../playwright/engine.ts'
import { attempt } from '../playwright/errors.ts'
import type { Tab } from '../tab/tab.ts'
import {
  mergeSettings,
  pickSettings,
  type CurrentEmulation,
  type EmulationChange,
} from '../../core/emulation.ts'
import { invalidParameter, type Outcome } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'
import { settleWithin } from '../../runtime/calls/settle-within.ts'

export interface SessionEmulation {
  /** Applies a change and returns what is set then. When a setting fails, those that are applied before it stay. */
  emulate(tab: Tab, change: EmulationChange): Promise<Outcome<CurrentEmulation>>
  isOffline(): boolean
  /** Waits a little until the tabs that were just opened have the settings. */
  waitForNewTabs(): Promise<void>
}

const NEW_TAB_TIMEOUT_MS = 2000

export function createEmulation(
  context: BrowserContext,
  permissions: Permissions,
  cdpOf: EmulatedContext['cdpOf'],
): SessionEmulation {
  const emulated = toEmulatedContext(context, cdpOf)
  let current: CurrentEmulation = {}
  const waitForNewTabs = watchTabs(emulated, () => current)

  async function applySteps(tab: Tab, change: EmulationChange): Promise<Outcome<void>> {
    const engine = engineOfPage(tab.page) ?? 'this browser'
    const next = mergeSettings(current, change)
    const [device, previousDevice] = [await findDevice(next.device), await findDevice(current.device)]
    if (!device.ok) return device
    const isBidi = emulated.server?._userContextId !== undefined
    const problem = checkSupport(change, device.value, { engine, isBidi, isRemote: !emulated.server })
    if (problem) return err(problem)
    for (const step of emulationSteps(emulated, permissions, tab)) {
      const names = step.names.filter((name) => change[name] !== undefined || change.reset?.includes(name))
      if (names.length === 0) continue
      const target = pickSettings(current, next, step.names)
      const applied = await attempt(step.apply(target, device.value), (error) =>
        explainRefusal(error, change, names, engine),
      )
      const outcome = applied.ok ? await checkMedia(step, tab, change, engine) : applied
      if (!outcome.ok) {
        await step.apply(current, previousDevice.ok ? previousDevice.value : {}).catch(() => {})
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

  return {
    isOffline: () => current.offline === true,
    waitForNewTabs,
    async emulate(tab, change) {
      const applied = await applySteps(tab, change)
      const outcome = applied.ok ? await applyPermissions(tab, change) : applied
      return outcome.ok ? ok(current) : outcome
    },
  }
}

// --- internal ---

function originOf({ page }: Tab): Outcome<string> {
  const { origin, protocol } = new URL(page.url())
  const expected = 'permissions only on a page with an http or https URL; navigate there first'
  return /^https?:$/.test(protocol) ? ok(origin) : err(invalidParameter('permissions', expected, page.url()))
}

async function checkMedia(
  { names }: EmulationStep,
  { page }: Tab,
  change: EmulationChange,
  engine: string,
): Promise<Outcome<void>> {
  if (!names.includes('media')) return ok(undefined)
  const ignoredName = await findIgnoredMedia(page, change)
  return ignoredName === undefined ? ok(undefined) : err(unsupportedFailure(engine, `emulate ${ignoredName}`))
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
