// The methods for the mocks of a session: routes, the clock, random numbers and HAR recordings of its context.

import type { Disposable } from 'playwright'
import { type Failure, invalidParameter, type Outcome } from '../../core/base/failure.ts'
import { err, ok } from '../../core/base/result.ts'
import type { PageParts } from '../../core/browser/page/page-parts.ts'
import type { PageFeature, Performers } from '../../core/browser/page/performers.ts'
import { engineOfBrowser } from '../../core/browser/playwright/engine.ts'
import { attempt, browserError } from '../../core/browser/playwright/errors.ts'
import type { HarLog } from './har.ts'
import { seedRandom } from './in-page/generated.ts'
import { createHarRecording, createMockRoutes } from './mock-routes.ts'
import { createMockSockets } from './mock-sockets.ts'

declare module '../../core/browser/page/performers.ts' {
  interface FeaturePerformers extends Performers<'mock' | 'clock' | 'seed'> {}
}

declare module '../../core/sessions/types/page.ts' {
  interface FeaturePage {
    /** Applies the mocks that the session has now. Returns notes on side effects. */
    applyMocks(): Promise<Outcome<readonly string[]>>
    /** Starts recording requests. Fails with INVALID_PARAMETERS if a recording is running. Returns notes on side effects. */
    startHar(): Promise<Outcome<readonly string[]>>
    /** Ends the recording and returns it, with its secrets. Fails with INVALID_PARAMETERS if none is running. */
    stopHar(): Promise<Outcome<HarLog>>
  }
}

/** The mocks of a page. Where a session cannot have them all of this fails. */
export function createSessionMocks(parts: PageParts): PageFeature {
  const { httpCache } = parts
  const refusal = findRefusal(parts)
  const {
    apply,
    setFixedTime,
    seedRandom: seed,
    startHar,
    stopHar,
  } = refusal ? refuseMocks(refusal) : createMocks(parts)
  return {
    performers: {
      mock: () => apply(),
      clock: ({ time }) => setFixedTime(time),
      seed: (action) => seed(action.seed),
    },
    members: {
      startHar,
      stopHar,
      async applyMocks() {
        const applied = await apply()
        await httpCache.keepDisabled()
        return applied
      },
    },
  }
}

// --- internal ---

function createMocks({ context, hooks, requests }: PageParts) {
  const closing = new Promise<void>((resolve) => context.once('close', () => resolve()))
  const routes = createMockRoutes(context, hooks, requests.markMock, closing)
  const sockets = createMockSockets(context, hooks, closing)
  const recording = createHarRecording(context, hooks.onEntry)
  let seedScript: Disposable | undefined
  let isTimeFixed = false

  async function replaceSeed(seed: number | undefined): Promise<void> {
    await seedScript?.dispose()
    seedScript = seed === undefined ? undefined : await context.addInitScript(seedRandom, seed)
  }

  async function setTime(time: string | undefined): Promise<void> {
    if (time === undefined && !isTimeFixed) return
    isTimeFixed = time !== undefined
    // The time of the browser's clock: Playwright cannot remove its own.
    await (time === undefined
      ? context.clock.setSystemTime(Date.now())
      : context.clock.setFixedTime(Date.parse(time)))
  }

  return {
    async apply(): Promise<Outcome<readonly string[]>> {
      const routing = await attempt(sockets.update(), browserError)
      return routing.ok ? routes.update(recording.isRunning()) : routing
    },
    /** In ISO 8601; undefined lets the clock run again. */
    setFixedTime: (time: string | undefined) => attempt(setTime(time), browserError),
    seedRandom: (seed: number | undefined) => attempt(replaceSeed(seed), browserError),
    async startHar(): Promise<Outcome<readonly string[]>> {
      const result = await recording.start()
      return result.ok ? routes.update(true) : result
    },
    async stopHar(): Promise<Outcome<HarLog>> {
      const result = await recording.stop()
      if (!result.ok) return result
      const update = await routes.update(false)
      return update.ok ? ok(result.value) : update
    },
  }
}

function refuseMocks(refusal: Failure): ReturnType<typeof createMocks> {
  const refuse = () => Promise.resolve(err(refusal))
  return { apply: refuse, setFixedTime: refuse, seedRandom: refuse, startHar: refuse, stopHar: refuse }
}

/** Why a session cannot have mocks: in the user's own browser they would reach other tabs, and while Firefox intercepts requests Playwright
 * sends the credentials of the session to every host that asks for some. */
function findRefusal({ context, hooks, options }: PageParts): Failure | undefined {
  const { isAttached = false } = hooks
  const { httpCredentials } = options
  const refuse = (expected: string) => invalidParameter('sessionId', expected, 'this one')
  if (isAttached) return refuse('a session without attach: mocks would reach the other tabs of the browser')
  const browser = context.browser()
  const isChromium = browser ? engineOfBrowser(browser) === 'chromium' : false
  return httpCredentials && !isChromium
    ? refuse(
        'a session without httpCredentials, or with browser chromium: Firefox would send them to other hosts',
      )
    : undefined
}
