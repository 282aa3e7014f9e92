// Hand-written records that stand for the browser port, for tests of what lies around it.

import { ok } from '../../src/core/result.ts'
import type { Failure } from '../../src/core/failure.ts'
import type { Browsers, OwnedPage, PageOptions } from '../../src/runtime/ports.ts'

export const stillPage = (more: Partial<OwnedPage> = {}): OwnedPage => ({
  url: () => 'about:blank',
  title: async () => ok(''),
  navigate: async (url) => ok({ title: '', url, status: 200 }),
  click: async () => ok(undefined),
  type: async () => ok(undefined),
  count: async () => ok(1),
  waitFor: async () => ok(undefined),
  snapshot: async () => ok('- generic'),
  screenshot: async () => ok({ bytes: new Uint8Array(8), mimeType: 'image/png', width: 1, height: 1 }),
  evaluate: async () => ok({ result: null, notes: [] }),
  rescue: async () => 'answering',
  release: async () => {},
  ...more,
})

export interface StillBrowsers extends Browsers {
  readonly opened: PageOptions[]
  readonly released: () => number
  /** Reports the browser of every open page as dead. */
  die(failure: Failure): void
}

export function stillBrowsers(
  more: Partial<OwnedPage> = {},
  opening: Promise<unknown> = Promise.resolve(),
): StillBrowsers {
  const opened: PageOptions[] = []
  const lost = new Set<(failure: Failure) => void>()
  let released = 0
  return {
    opened,
    released: () => released,
    die: (failure) => lost.forEach((tell) => tell(failure)),
    async open(options, tell) {
      opened.push(options)
      await opening
      lost.add(tell)
      const release = async () => {
        released += 1
        lost.delete(tell)
      }
      return ok(stillPage({ release, ...more }))
    },
    end: async () => {},
  }
}
