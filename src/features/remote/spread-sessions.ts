// Spreads sessions over the places that browsers come from: each goes to the one with the fewest sessions that is well.

import type { Failure } from '../../core/base/failure.ts'
import { err } from '../../core/base/result.ts'
import type { PlaceUse, RemoteBrowsers } from '../../core/browser/playwright/browser-source.ts'

interface Place {
  readonly index: number
  sessionsOpen: number
  unavailableUntil: number
}

/** A place that has failed gets no session for this time, unless no other one is left. */
const RETRY_DELAY_MS = 10_000

export function createSpread(
  count: number,
  now: () => number,
  onPassedOver: (reason: string) => void,
): Pick<RemoteBrowsers, 'open'> {
  const places = Array.from({ length: count }, (_, index): Place => ({
    index,
    sessionsOpen: 0,
    unavailableUntil: 0,
  }))

  function choose(tried: ReadonlySet<Place>): Place | undefined {
    const isUnavailable = ({ unavailableUntil }: Place) => Number(unavailableUntil > now())
    const candidates = places.filter((place) => !tried.has(place))
    return candidates.sort(
      (a, b) => isUnavailable(a) - isUnavailable(b) || a.sessionsOpen - b.sessionsOpen || a.index - b.index,
    )[0]
  }

  return {
    async open(openAt) {
      const tried = new Set<Place>()
      const failures: Failure[] = []
      for (let place = choose(tried); place; place = choose(tried)) {
        tried.add(place)
        const use = beginUse(place, now)
        const outcome = await openAt(use)
        if (outcome.ok) return outcome
        use.end()
        if (!isOfPlace(outcome.error)) return outcome
        use.fail()
        failures.push(outcome.error)
        if (tried.size < count) onPassedOver(`${reasonOf(outcome.error)}; another one is tried`)
      }
      return err(joinFailures(failures))
    },
  }
}

function beginUse(place: Place, now: () => number): PlaceUse {
  let isOpen = true
  place.sessionsOpen += 1
  return {
    index: place.index,
    end() {
      if (isOpen) place.sessionsOpen -= 1
      isOpen = false
    },
    fail: () => void (place.unavailableUntil = now() + RETRY_DELAY_MS),
  }
}

const isOfPlace = ({ code }: Failure): boolean => code === 'BROWSER_ERROR' || code === 'BROWSER_CRASHED'

function reasonOf(failure: Failure): string {
  if (failure.code === 'BROWSER_ERROR') return failure.text
  return (failure.code === 'BROWSER_CRASHED' ? failure.reason : undefined) ?? 'the browser crashed'
}

function joinFailures(failures: readonly Failure[]): Failure {
  const [first] = failures
  if (!first) throw new Error('there is no place for browsers')
  if (failures.length === 1) return first
  const next = failures
    .flatMap((failure) => (failure.code === 'BROWSER_ERROR' ? (failure.next ?? []) : []))
    .at(-1)
  return {
    code: 'BROWSER_ERROR',
    text: `none of ${failures.length} endpoints has opened a page: ${failures.map(reasonOf).join('; ')}`,
    next,
  }
}
