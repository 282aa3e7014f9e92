// The methods for the mocks of a session: routes, the clock, random numbers and HAR recordings of its context.

import type { BrowserContext, Disposable } from 'playwright'
import { seedRandom } from '../in-page/mock/seed-random.ts'
import { createHarRecording } from '../mock/har-recording.ts'
import { createMockRoutes, type MarkRequest } from '../mock/mock-routes.ts'
import { attempt, browserError } from '../playwright/errors.ts'
import { ok } from '../../core/result.ts'
import type { PageHooks } from '../../runtime/ports/browsers.ts'
import type { PageMocks } from '../../runtime/ports/page-mocks.ts'

export function createPageMocks(
  context: BrowserContext,
  hooks: Pick<PageHooks, 'mocks' | 'isRefused'>,
  markRequest: MarkRequest,
): PageMocks {
  const routes = createMockRoutes(context, hooks, markRequest)
  const recording = createHarRecording(context)
  let seedScript: Disposable | undefined
  let isTimeFixed = false

  async function replaceSeed(seed: number | undefined): Promise<void> {
    await seedScript?.dispose()
    seedScript = seed === undefined ? undefined : await context.addInitScript(seedRandom, seed)
  }

  async function setTime(time: number | undefined): Promise<void> {
    if (time === undefined && !isTimeFixed) return
    isTimeFixed = time !== undefined
    // The time of the browser's clock: Playwright cannot remove its own.
    await (time === undefined ? context.clock.setSystemTime(Date.now()) : context.clock.setFixedTime(time))
  }

  return {
    applyMocks: () => routes.update(recording.isRunning()),
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
