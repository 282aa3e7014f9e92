// Runs in Playwright's utility world: looks at elements again and again until all checks hold.

import type { ElementCheck } from '../../../base/action.ts'
import { describeField } from '../page/elements.ts'
import type { ElementMatches } from '../page/element-arguments.ts'
import type { Observation } from '../../../snapshot/element-check.ts'
import type { FieldDescription } from '../../../base/redaction/secret-names.ts'

/** `matches` is undefined if neither the check nor its opposite holds, as when there is no element. */
interface CheckState {
  readonly matches?: boolean
  readonly text: string
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
  { injected, frameVisible, info }: ElementMatches,
  { checks, not, durationMs, confirmationMs }: PollOptions,
): Promise<PollReport> {
  // The longest time between two looks at a page that does not change.
  const LOOK_INTERVAL_MS = 100
  const MINIMUM_INTERVAL_MS = 16
  // The longest of random intervals: even ones could always meet the same state of a page that changes evenly.
  const CONFIRMATION_INTERVAL_MS = 7
  // The time alone is no proof, because it also passes while a script blocks the page.
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

// Whether a check holds now, and what was seen.
function readCheck(check: ElementCheck, { elements, injected, frameVisible }: ElementMatches): CheckState {
  // Marks of the direction are not seen.
  const normalize = (text: string) =>
    injected.utils.normalizeWhiteSpace(text.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, ''))
  const quote = (text: string) => JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)
  const isVisible = (element: Element) => injected.elementState(element, 'visible', frameVisible).matches

  function readText(expected: string): CheckState {
    const texts = elements.map((element) => normalize(injected.utils.elementText(new Map(), element).full))
    const containsExpected = (text: string) =>
      text.toLocaleLowerCase().includes(normalize(expected).toLocaleLowerCase())
    const matching = elements.filter((_, index) => containsExpected(texts[index] ?? ''))
    const text = texts.find(containsExpected) ?? texts[0] ?? ''
    if (matching.some(isVisible)) return { matches: true, text: quote(text) }
    if (matching.length > 0) return { text: `${quote(text)} (hidden)` }
    return { matches: false, text: quote(text) }
  }

  function readValue(element: Element, expected: string): CheckState {
    const field = injected.retarget(element, 'follow-label')
    if (!field || !/^(INPUT|TEXTAREA|SELECT)$/.test(field.nodeName))
      return { text: 'none, because it is no field' }
    const { value, selectedOptions } = field as HTMLSelectElement
    const labels = selectedOptions ? [...selectedOptions].map(({ label }) => normalize(label)) : []
    const isLabel = labels.length === 1 && labels[0] === normalize(expected)
    const label = labels.length > 0 && labels.join() !== value ? ` (${quote(labels.join(', '))})` : ''
    return { matches: value === expected || isLabel, text: `${quote(value)}${label}` }
  }

  function readState(element: Element, state: string): CheckState {
    if (state === 'attached') return { matches: true, text: 'attached' }
    if (state === 'detached') return { matches: false, text: 'attached' }
    if (state === 'focused') {
      const isFocused = (element.getRootNode() as Document).activeElement === element
      return { matches: isFocused, text: isFocused ? 'focused' : 'not focused' }
    }
    if (state === 'empty') {
      const isField = /^(INPUT|TEXTAREA)$/.test(element.nodeName)
      const content = isField ? (element as HTMLInputElement).value : (element.textContent ?? '').trim()
      return { matches: content === '', text: content === '' ? 'empty' : 'not empty' }
    }
    const property = state === 'readonly' ? 'editable' : (state as 'visible')
    try {
      const { matches, received } = injected.elementState(element, property, frameVisible)
      if (received === 'error:notconnected') return { text: 'missing' }
      return { matches: state === 'readonly' ? !matches : matches, text: received.toLowerCase() }
    } catch {
      return { text: property === 'editable' ? 'not a field' : 'not a checkbox or radio button' }
    }
  }

  // Several are hidden if all of them are; anything else is required of one.
  function readSeveral(state: string | undefined): CheckState {
    const isHidden = (state === 'visible' || state === 'hidden') && !elements.some(isVisible)
    if (isHidden) return { matches: state === 'hidden', text: 'hidden' }
    return { text: `of ${elements.length} matches, not of one` }
  }

  if (check.kind === 'count')
    return { matches: elements.length === check.count, text: String(elements.length) }
  const [element] = elements
  if (!element) {
    const state = check.kind === 'state' ? check.state : undefined
    if (state === 'detached' || state === 'hidden') return { matches: true, text: 'missing' }
    return state === 'attached' || state === 'visible'
      ? { matches: false, text: 'missing' }
      : { text: 'missing' }
  }
  if (check.kind === 'text') return readText(check.text)
  const isOfFirst = check.kind === 'state' && check.isFirst
  if (elements.length > 1 && !isOfFirst) return readSeveral(check.kind === 'state' ? check.state : undefined)
  return check.kind === 'value' ? readValue(element, check.value) : readState(element, check.state)
}

interface WaitOptions {
  readonly minimumMs: number
  readonly maximumMs: number
}

/** Waits until the document changes, for at least `minimumMs` and at most `maximumMs` milliseconds. */
export function waitForChange(_: readonly Element[], { minimumMs, maximumMs }: WaitOptions): Promise<void> {
  return new Promise((resolve) => {
    let isEarly = true
    let hasChanged = false
    const observer = new MutationObserver(() => {
      hasChanged = true
      if (!isEarly) finish()
    })
    const timer = self.setTimeout(finish, maximumMs)
    function finish(): void {
      observer.disconnect()
      self.clearTimeout(timer)
      resolve()
    }
    self.setTimeout(() => {
      isEarly = false
      if (hasChanged) finish()
    }, minimumMs)
    observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
  })
}
