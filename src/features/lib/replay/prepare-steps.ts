import { codeOf, type RecordedAction, type RecordedStep } from '../../../core/sessions/types/recorded-step.ts'
import { isSecretEntry } from '../recording/secret-entry.ts'

const settingKinds = new Set(['emulate', 'mock', 'clock', 'seed', 'passkeys'])

/** The steps, which begin with a navigation: a recording that is taken from its middle begins at the URL that the page had. */
export function startWithNavigation(steps: readonly RecordedStep[]): readonly RecordedStep[] {
  const start = steps.findIndex(({ action }) => !settingKinds.has(action.kind))
  const first = steps[start]
  if (!first || first.action.kind === 'navigate' || !/^https?:/.test(first.urlBefore)) return steps
  const navigation: RecordedStep = {
    seq: first.seq,
    tab: first.tab,
    action: { kind: 'navigate', url: first.urlBefore },
    urlBefore: 'about:blank',
    urlAfter: first.urlBefore,
    durationMs: 0,
  }
  return [...steps.slice(0, start), navigation, ...steps.slice(start)]
}

/** The steps, in which each load of a page takes as long as the longest one of it: the first load after a start of the server, which compiles
 * the page, may be left out as one of two. */
export function withLongestLoads(steps: readonly RecordedStep[]): readonly RecordedStep[] {
  const loads = steps.flatMap(({ action, durationMs }) =>
    action.kind === 'navigate' ? [{ url: action.url, durationMs }] : [],
  )
  return steps.map((step) => {
    const { action } = step
    if (action.kind !== 'navigate') return step
    const same = loads.filter(({ url }) => url === action.url)
    return { ...step, durationMs: Math.max(step.durationMs, ...same.map(({ durationMs }) => durationMs)) }
  })
}

/** Whether an action may change what the page shows. */
export const isActing = ({ action }: RecordedStep): boolean =>
  action.kind !== 'check' && action.kind !== 'hover' && !settingKinds.has(action.kind)

/** The index of the last action of these steps, or of the first entry of the form that it is the last entry of; -1 without an action. */
export function firstOfEntry(steps: readonly RecordedStep[]): number {
  let start = steps.findLastIndex(isActing)
  while (start > 0 && [start - 1, start].every((index) => isPlainEntry(steps[index]))) start -= 1
  return start
}

export const enteredTextsOf = (steps: readonly RecordedStep[]): readonly string[] =>
  steps.flatMap(({ action }) => {
    if (isSecretEntry(action)) return []
    if (action.kind === 'type') return [action.text]
    if (action.kind === 'fill' && typeof action.value === 'string') return [action.value]
    return action.kind === 'select' ? action.values : []
  })

/** An entry into a field that a form is sent after. */
const isPlainEntry = (step: RecordedStep | undefined): boolean =>
  step?.action.kind === 'fill' ||
  step?.action.kind === 'select' ||
  (step?.action.kind === 'type' && step.action.submit !== true)

const LIMIT_CHARS = 160

/** An action in a few words, such as `click getByRole('button', { name: 'Send' })`, without what was entered. */
export function describeAction(action: RecordedAction): string {
  const { kind } = action
  const subject =
    kind === 'check'
      ? describeCheck(action)
      : kind === 'navigate'
        ? action.url
        : kind === 'press'
          ? [action.key, codeOf(action.element)].filter(Boolean).join(' ')
          : kind === 'other'
            ? action.tool
            : 'element' in action
              ? codeOf(action.element)
              : ''
  return [kind, subject].filter(Boolean).join(' ').slice(0, LIMIT_CHARS)
}

function describeCheck({ check }: Extract<RecordedAction, { kind: 'check' }>): string {
  const { element, text, textGone, url } = check
  if (element) return codeOf(element)
  return JSON.stringify(text ?? textGone ?? url ?? 'aria')
}
