// Runs in Playwright's utility world: looks at elements again and again until what is required of them holds.

import type { ElementMatches } from '../dom/element-arguments.ts'
import type { ElementCheck } from '../../../core/checks/element-check.ts'
import type { Observation } from '../../../core/checks/observation-log.ts'
import type { FieldDescription } from '../../../core/redaction/secret-names.ts'

/** `matches` is undefined if neither the check nor its opposite holds, as when there is no element. */
export interface CheckState {
  readonly matches?: boolean
  readonly text: string
}

interface Dependencies {
  readCheck(check: ElementCheck, matches: ElementMatches): CheckState
  describeField(element: Element): FieldDescription
}

export interface PollOptions {
  readonly checks: readonly ElementCheck[]
  readonly not: boolean
  /** The longest time to look, in milliseconds. What holds at its end is still confirmed. */
  readonly durationMs: number
  /** How long it must hold at every look; 0: one look is enough. */
  readonly confirmationMs: number
}

export interface PollReport {
  readonly isMet: boolean
  readonly count: number
  /** For each check, the changes of what it saw, at milliseconds from the start of this poll. */
  readonly observations: readonly (readonly Observation[])[]
  /** The attributes of the first match. */
  readonly field?: FieldDescription
}

/** Waits until all checks hold, or with `not` the opposite of each. */
export function pollChecks(
  { readCheck, describeField }: Dependencies,
  { injected, frameVisible, info }: ElementMatches,
  { checks, not, durationMs, confirmationMs }: PollOptions,
): Promise<PollReport> {
  // Whatever happens to a page, it is looked at this often.
  const LOOK_INTERVAL_MS = 100
  const MINIMUM_INTERVAL_MS = 16
  // Not evenly, so that a page that changes evenly cannot hide from it.
  const CONFIRMATION_INTERVAL_MS = 7
  // While a script blocks the page, time passes without a look.
  const CONFIRMATION_LOOKS = 20
  const CHANGE_LIMIT = 40

  const { builtins } = injected.utils
  const now = () => builtins.performance.now()
  const startedAt = now()
  const observations: Observation[][] = checks.map(() => [])
  let elements: Element[] = []
  let lookedAt = startedAt
  let costMs = 0
  let metAt: number | undefined
  let looksSinceMet = 0
  let timer: number | undefined

  function look(): boolean {
    lookedAt = now()
    elements = injected.querySelectorAll(info['parsed'], document)
    let isMet = true
    for (const [index, check] of checks.entries()) {
      const { matches, text } = readCheck(check, { elements, injected, frameVisible, info })
      if (matches === undefined || matches === not) isMet = false
      const changes = observations[index] as Observation[]
      if (changes.at(-1)?.text === text) continue
      if (changes.length === CHANGE_LIMIT) changes.pop()
      changes.push({ at: lookedAt - startedAt, text })
    }
    costMs = now() - lookedAt
    return isMet
  }

  return new Promise((resolve, reject) => {
    const observer = new MutationObserver(lookAfterChange)
    observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true })

    function finish(isMet: boolean): void {
      observer.disconnect()
      builtins.clearTimeout(timer)
      const target = elements[0] && injected.retarget(elements[0], 'follow-label')
      const field = target && describeField(target)
      resolve({ isMet, count: elements.length, observations, ...(field && { field }) })
    }

    function lookAgain(): void {
      try {
        if (!look()) metAt = undefined
        else if (confirmationMs === 0 || isConfirmed()) return finish(true)
        if (metAt === undefined && lookedAt - startedAt >= durationMs) return finish(false)
      } catch (error) {
        observer.disconnect()
        return reject(error as Error)
      }
      const rest = Math.max(0, durationMs - (lookedAt - startedAt))
      lookIn(
        metAt === undefined ? Math.min(rest, LOOK_INTERVAL_MS) : 1 + Math.random() * CONFIRMATION_INTERVAL_MS,
      )
    }

    function isConfirmed(): boolean {
      if (metAt === undefined) {
        metAt = lookedAt
        looksSinceMet = 0
      }
      looksSinceMet += 1
      return looksSinceMet >= CONFIRMATION_LOOKS && lookedAt - metAt >= confirmationMs
    }

    function lookIn(delayMs: number): void {
      builtins.clearTimeout(timer)
      timer = builtins.setTimeout(lookAgain, delayMs)
    }

    // No change may be missed while something is confirmed; otherwise a busy page is not slowed down.
    function lookAfterChange(): void {
      if (metAt !== undefined) return lookAgain()
      const pause = Math.max(MINIMUM_INTERVAL_MS, 4 * costMs) - (now() - lookedAt)
      if (pause > 0) lookIn(pause)
      else lookAgain()
    }

    lookAgain()
  })
}
