// An action that succeeds is recorded, with how its elements can be found again.

import {
  type Action,
  type ElementCondition,
  elementsOf,
  type NavigationResult,
  replaceElements,
  type Target,
  type WaitCondition,
} from '../../core/base/action.ts'
import type { Outcome } from '../../core/base/failure.ts'
import type { StoredPasskey } from '../../core/base/storage.ts'
import type { Deadline } from '../../core/base/system/deadline.ts'
import { settleWithin } from '../../core/base/system/settle-within.ts'
import type { Clock } from '../../core/base/system/timer.ts'
import { characterOfChord, parseChord } from '../../core/base/text/key-names.ts'
import type { Page } from '../../core/sessions/types/page.ts'
import type { RecordedAction, RecordedElement } from '../../core/sessions/types/recorded-step.ts'
import type { PerformedCall, PerformNext } from '../../core/sessions/types/session-feature.ts'
import type { Recording } from './recording.ts'

// What an element was is known long before its action ends, or never.
const DESCRIPTION_TIMEOUT_MS = 2000

/** Records the action if its work succeeds. Its elements are described beside it, so that recording takes no time of its own. */
export async function recordAction(
  recording: Recording,
  clock: Clock,
  action: Action,
  perform: PerformNext,
  { session: { page, journal }, deadline }: PerformedCall,
): Promise<Outcome<unknown>> {
  const seq = journal.lastSeq()
  const { active: tab, all: tabsBefore } = page.tabIds()
  const urlBefore = page.url()
  const startedAt = clock()
  // The action may move the focus.
  const isSecretFocused = dependsOnFocus(action) ? page.isSecretFocused() : undefined
  const description = describe(action, page, deadline, isSecretFocused)
  description.catch(() => {})
  await isSecretFocused
  const outcome = await perform()
  if (!outcome.ok) return outcome
  const durationMs = clock() - startedAt
  const described = await settleWithin(DESCRIPTION_TIMEOUT_MS, description)
  if (!described || described instanceof Error) return outcome
  const openedTab = page.tabIds().all.find((id) => !tabsBefore.includes(id))
  recording.add({
    seq,
    tab: described.kind === 'closeTab' ? (described.id ?? tab) : tab,
    openedTab,
    action: await complete(described, outcome.value, page),
    urlBefore,
    urlAfter: page.url(),
    durationMs,
    at: startedAt + durationMs,
  })
  return outcome
}

// --- internal ---

/** An action as a record; undefined if there is nothing to record of it, or if an element is gone. */
async function describe(
  action: Action,
  page: Page,
  deadline: Deadline,
  isSecretFocused: Promise<boolean> | undefined,
): Promise<RecordedAction | undefined> {
  if (action.kind === 'check') return describeCheck(action.condition, page, deadline)
  if ('tool' in action) return { kind: 'other', tool: action.tool }
  const targets = elementsOf<Target>(action)
  const elements = await Promise.all(targets.map((target) => page.describeElement(target, deadline)))
  const described = replaceElements<Target, RecordedElement>(
    action,
    (target) => elements[targets.indexOf(target)],
  )
  if (described?.kind !== 'type' && described?.kind !== 'press') return described
  const { element } = described
  const isSecret = (await isSecretFocused) ?? false
  if (described.kind === 'type') return isSecret ? { ...described, isSecret } : described
  const text = characterOf(described.key)
  if (text === undefined || !(element?.isSecret ?? isSecret)) return described
  // A key that types a character into a secret field is a part of its value.
  return { kind: 'type', text, ...(element ? { element } : { isSecret }) }
}

const dependsOnFocus = (action: Action): boolean =>
  (action.kind === 'type' && !action.element) ||
  (action.kind === 'press' && !action.element && characterOf(action.key) !== undefined)

function characterOf(key: string): string | undefined {
  const chord = parseChord(key)
  return chord.ok ? characterOfChord(chord.value) : undefined
}

/** Adds what is known after the action; `value` is what the page returned. */
async function complete(action: RecordedAction, value: unknown, page: Page): Promise<RecordedAction> {
  switch (action.kind) {
    case 'navigate':
    case 'history':
      return (value as NavigationResult | undefined)?.awaiting
        ? { ...action, isEndless: true }
        : { ...action, isHydrated: await page.isServerRendered() }
    case 'select':
      // A list of options that is no select has names only.
      return action.element.type !== 'select' && Array.isArray(value)
        ? { ...action, values: value.map(String) }
        : action
    case 'fill':
      // How many keys a slider needs depends on what it had.
      if (value === 'keys') return { kind: 'other', tool: 'fill_form' }
      return value === 'chosen' ? { ...action, isChoice: true } : action
    case 'upload':
      return value === 'dropped' ? { ...action, isDrop: true } : action
    default:
      return isPasskeyAction(action) ? completePasskeys(action, value as readonly StoredPasskey[]) : action
  }
}

// A test removes the passkeys of a domain: their ids are others in each run.
function completePasskeys(
  action: RecordedAction & PasskeyAction,
  passkeys: readonly StoredPasskey[],
): RecordedAction {
  if (action.change === 'set') return Object.assign({}, action, { created: passkeys })
  return action.name === undefined
    ? action
    : Object.assign({}, action, { name: passkeys[0]?.rpId ?? action.name })
}

/** What is completed of an action of the feature states. */
interface PasskeyAction {
  readonly change: 'set' | 'clear'
  readonly name?: string | undefined
}

const isPasskeyAction = (action: { readonly kind: string }): action is RecordedAction & PasskeyAction =>
  action.kind === 'passkeys'

/** A check as a record; undefined if it required nothing of the page. */
async function describeCheck(
  { element: elementCondition, text, textGone, url }: WaitCondition,
  page: Page,
  deadline: Deadline,
): Promise<RecordedAction | undefined> {
  if (!elementCondition && [text, textGone, url].every((field) => field === undefined)) return undefined
  const element = elementCondition && (await describeChecked(page, elementCondition, deadline))
  const { checks = [], aria, not = false } = elementCondition ?? {}
  return {
    kind: 'check',
    check: {
      ...(element && { element }),
      checks,
      aria: aria?.map((line) => `${' '.repeat(line.depth)}${line.text}`).join('\n'),
      not,
      text,
      textGone,
      url: url?.text,
    },
  }
}

// What counts elements, or checks what they contain, keeps the selector of the client: one that Playwright finds may depend on the very
// text that is checked.
async function describeChecked(
  page: Page,
  { target, checks, aria }: ElementCondition,
  deadline: Deadline,
): Promise<RecordedElement | undefined> {
  if (!target) return undefined
  const isContent = aria !== undefined || checks.some(({ kind }) => kind === 'text' || kind === 'count')
  if (!('selector' in target))
    return page.describeElement(target, deadline, isContent ? 'text-check' : 'action')
  if (isContent) return page.describeSelector(target.selector)
  return page.describeElement(target, deadline)
}
