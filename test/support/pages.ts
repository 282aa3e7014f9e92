// Hand-written records that stand for the browser port, for tests of what lies around it.

import { err, ok } from '../../src/core/result.ts'
import type { Failure } from '../../src/core/failure.ts'
import type { Browsers, OwnedPage, PageOptions } from '../../src/runtime/ports/browsers.ts'
import type { Servers } from '../../src/runtime/ports/servers.ts'

export const stillPage = (more: Partial<OwnedPage> = {}): OwnedPage => ({
  url: () => 'about:blank',
  title: async () => ok(''),
  navigate: async (url) => ok({ title: '', url, status: 200 }),
  click: async () => ok(''),
  type: async () => ok(''),
  count: async () => ok(1),
  waitFor: async () => ok(undefined),
  snapshot: async () => ok('- generic'),
  screenshot: async () => ok({ bytes: new Uint8Array(8), mimeType: 'image/png', width: 1, height: 1 }),
  evaluate: async () => ok({ result: null, notes: [] }),
  rescue: async () => 'answering',
  look: async () => ({ missing: {} }),
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
    async open(options, { lost: tell }) {
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

/** Servers that are never asked for. */
export const noServers: Servers = {
  start: async () => err({ code: 'CANCELLED' }),
}
