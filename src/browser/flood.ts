// A page that prints a hundred thousand lines makes Playwright hold an object for each, behind which the answers of other sessions
// wait. So what comes too fast is thinned out before it is made: the first lines of a moment and its last ones are kept, the rest is
// counted. Playwright has no setting for that, so this reaches into its own page; where that looks different, nothing is changed.

import type { Page } from 'playwright'

/** Lines taken as they come within MOMENT milliseconds, and those kept of the end of what came beyond them. */
const FIRST = 600
const LAST = 50
const MOMENT = 100

type Take = (this: Source, event: unknown) => unknown
interface Source {
  readonly _page: object
}
interface Prototype {
  _onConsoleAPI: Take
}

const limited = new WeakSet<Prototype>()
const listeners = new WeakMap<object, (dropped: number) => void>()

/** Limits the console lines of a page; `dropped` hears how many of a moment were left out. */
export function limitFlood(page: Page, dropped: (count: number) => void): void {
  const inner = innerOf(page)
  const prototype = inner && prototypeOf(inner)
  if (!inner || !prototype) return
  listeners.set(inner, dropped)
  if (limited.has(prototype)) return
  limited.add(prototype)
  prototype._onConsoleAPI = thinned(prototype._onConsoleAPI)
}

function thinned(take: Take): Take {
  const moments = new WeakMap<Source, { count: number; last: unknown[] }>()
  const begin = (source: Source) => {
    const moment = { count: 0, last: [] as unknown[] }
    moments.set(source, moment)
    setTimeout(() => {
      moments.delete(source)
      const kept = moment.last.slice(-LAST)
      const lost = moment.count - FIRST - kept.length
      if (lost > 0) listeners.get(source._page)?.(lost)
      for (const event of kept) take.call(source, event)
    }, MOMENT)
    return moment
  }
  return function (event) {
    const moment = moments.get(this) ?? begin(this)
    moment.count += 1
    if (moment.count <= FIRST) return take.call(this, event)
    moment.last.push(event)
    if (moment.last.length > 2 * LAST) moment.last.splice(0, LAST)
    return undefined
  }
}

interface Inner {
  readonly delegate?: { readonly _mainFrameSession?: object }
}

const innerOf = (page: Page): Inner | undefined =>
  (page as { _connection?: { toImpl?: (page: Page) => Inner } })._connection?.toImpl?.(page)

function prototypeOf(inner: Inner): Prototype | undefined {
  const session = inner.delegate?._mainFrameSession
  const prototype = session && (Object.getPrototypeOf(session) as Partial<Prototype>)
  return typeof prototype?._onConsoleAPI === 'function' ? (prototype as Prototype) : undefined
}
