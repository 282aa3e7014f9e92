// The tabs of one context. What a page opens becomes a tab of its own and is told, but does not become the active one; when the active
// one closes, another takes its place.

import type { BrowserContext, Page as PlaywrightPage } from 'playwright'
import { prepareRescue, type Rescue } from './hang-recovery.ts'
import { soon } from '../../runtime/calls/settle-within.ts'
import { addressOf } from './title-and-url.ts'
import type { Failure } from '../../core/failure.ts'

/** One tab: its page, the way to free it, and how it came to its end, if it did. */
export interface Surface {
  readonly context: BrowserContext
  readonly page: PlaywrightPage
  readonly rescue: Rescue
  broken(): Failure | undefined
}

export interface Tabs {
  active(): Surface
  idOf(surface: Surface): string
  all(): readonly (readonly [id: string, surface: Surface])[]
  /** The tab of a page, made if there is none yet. */
  of(page: PlaywrightPage): Surface
  activate(surface: Surface): void
  /** Waits a little for the windows that a page has just opened to be tabs. */
  arrived(): Promise<void>
  /** Tells no more of what happens, because the context is about to close. */
  end(): void
}

/** Tabs of one session. */
export const MOST = 20

// Milliseconds that a window which is being opened is waited for.
const ARRIVAL = 1000

/** A page as a tab that no list holds yet. */
export function surfaceOf(page: PlaywrightPage): Surface {
  let broken: Failure | undefined
  const end = (reason: 'crashed' | 'closed') => () =>
    (broken ??= { code: 'PAGE_CRASHED', url: addressOf(page), reason })
  page.once('crash', end('crashed'))
  page.once('close', end('closed'))
  return {
    context: page.context(),
    page,
    rescue: prepareRescue(page),
    broken: () => broken,
  }
}

export async function openSurface(context: BrowserContext): Promise<Surface> {
  const surface = surfaceOf(await context.newPage())
  await surface.rescue.channel
  return surface
}

export function createTabs(first: Surface, tell: (text: string) => void): Tabs {
  const tabs = new Map<string, Surface>()
  let active = first
  let count = 0
  let ended = false
  let coming = 0
  const waiting = new Set<() => void>()

  const idOf = (surface: Surface) => [...tabs].find(([, one]) => one === surface)?.[0] ?? 't0'

  function add(surface: Surface): Surface {
    count += 1
    tabs.set(`t${count}`, surface)
    surface.page.once('close', () => removed(surface))
    // Chromium tells of a new window before the click that opened it is done; the page itself comes later.
    void surface.rescue.channel.then((channel) => channel?.on('Page.windowOpen', () => (coming += 1)))
    return surface
  }

  function removed(surface: Surface): void {
    const id = idOf(surface)
    const others = [...tabs.values()].filter((one) => one !== surface && !one.broken())
    const next = others.at(-1)
    // The last one stays, broken, until the call that meets it has been told.
    if (ended || (active === surface && !next)) return
    tabs.delete(id)
    if (active === surface && next) active = next
    tell(`Tab ${id} was closed; tab ${idOf(active)} is active.`)
  }

  const of = (page: PlaywrightPage) =>
    [...tabs.values()].find((one) => one.page === page) ?? add(surfaceOf(page))

  add(first)
  first.context.on('page', (page) => {
    if (tabs.size >= MOST) {
      tell(`A window was closed at once: a session has at most ${MOST} tabs.`)
      return void page.close().catch(() => {})
    }
    const known = tabs.size
    const surface = of(page)
    coming = Math.max(0, coming - 1)
    for (const wake of waiting) wake()
    if (tabs.size > known && !ended) tell(`Tab ${idOf(surface)} was opened; select it with tabs to use it.`)
  })

  return {
    active: () => active,
    idOf,
    all: () => [...tabs],
    of,
    activate(surface) {
      if (active.broken()) tabs.delete(idOf(active))
      active = surface
    },
    async arrived() {
      if (coming === 0) return
      let wake = () => {}
      const all = new Promise<void>((resolve) => {
        wake = () => coming === 0 && resolve()
        waiting.add(wake)
      })
      await soon(ARRIVAL, all)
      waiting.delete(wake)
      coming = 0
    },
    end: () => void (ended = true),
  }
}
