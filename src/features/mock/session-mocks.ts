// The methods for the mocks of a session: routes, the clock, random numbers and HAR recordings of its context.

import type { BrowserContext, Disposable } from 'playwright'
import { type Failure, invalidParameter, type Outcome } from '../../core/base/failure.ts'
import { err, ok } from '../../core/base/result.ts'
import type { MockSocketHooks } from '../../core/browser/network/socket-entries.ts'
import { engineOfBrowser } from '../../core/browser/playwright/engine.ts'
import { attempt, browserError } from '../../core/browser/playwright/errors.ts'
import type { PageHooks, PageOptions } from '../../core/sessions/types/browsers.ts'
import type { Page } from '../../core/sessions/types/page.ts'
import { seedRandom } from './in-page/generated.ts'
import { createHarRecording, createMockRoutes, type MarkRequest } from './mock-routes.ts'
import { createMockSockets } from './mock-sockets.ts'

interface SessionMocks extends Pick<Page, 'startHar' | 'stopHar'> {
  /** Applies the mocks that the session has now. Returns notes on side effects. */
  apply(): Promise<Outcome<readonly string[]>>
  /** In ISO 8601; undefined lets the clock run again. */
  setFixedTime(time: string | undefined): Promise<Outcome<void>>
  seedRandom(seed: number | undefined): Promise<Outcome<void>>
}

/** Why a session cannot have mocks: in the user's own browser they would reach other tabs, and while Firefox intercepts requests Playwright
 * sends the credentials of the session to every host that asks for some. */
export function mockRefusalOf(
  context: BrowserContext,
  { isAttached = false }: PageHooks,
  { httpCredentials }: PageOptions,
): Failure | undefined {
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

/** With `refusal` every method fails with it. */
export function createSessionMocks(
  context: BrowserContext,
  hooks: MockSocketHooks,
  markRequest: MarkRequest,
  refusal: Failure | undefined,
): SessionMocks {
  if (refusal) return refuseMocks(refusal)
  const closing = new Promise<void>((resolve) => context.once('close', () => resolve()))
  const routes = createMockRoutes(context, hooks, markRequest, closing)
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
    async apply() {
      const routing = await attempt(sockets.update(), browserError)
      return routing.ok ? routes.update(recording.isRunning()) : routing
    },
    setFixedTime: (time) => attempt(setTime(time), browserError),
    seedRandom: (seed) => attempt(replaceSeed(seed), browserError),
    async startHar() {
      const result = await recording.start()
      return result.ok ? routes.update(true) : result
    },
    async stopHar() {
      const result = await recording.stop()
      if (!result.ok) return result
      const update = await routes.update(false)
      return update.ok ? ok(result.value) : update
    },
  }
}

// --- internal ---

function refuseMocks(refusal: Failure): SessionMocks {
  const refuse = () => Promise.resolve(err(refusal))
  return {
    apply: refuse,
    setFixedTime: refuse,
    seedRandom: refuse,
    startHar: refuse,
    stopHar: refuse,
  }
}
