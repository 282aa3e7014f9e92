import type { ObservedStep } from './insert-checks.ts'
import type { RecordedAction } from './recorded-step.ts'

const LENGTH_LIMIT = 4

/** The indexes of steps that led nowhere: idle clicks; and away and back, which are clicks, the last of which cancels or goes back, after
 * which the page is as it was before the first. What entered something or was checked is no detour. */
export function findDetours(observed: readonly ObservedStep[]): ReadonlySet<number> {
  const isChecked = (index: number) => observed[index + 1]?.step.action.kind === 'check'
  const idleClicks = observed.flatMap(({ isIdleClick }, index) =>
    isIdleClick && !isChecked(index) ? index : [],
  )
  const detours = new Set(idleClicks)
  let start = 0
  while (start < observed.length) {
    const end = findEnd(observed, start)
    for (let index = start; index < end; index += 1) detours.add(index)
    start = Math.max(end, start + 1)
  }
  return detours
}

// --- internal ---

/** The index after the last step of the detour that begins here; `start` if none does. */
function findEnd(observed: readonly ObservedStep[], start: number): number {
  const state = observed[start]?.stateBefore
  if (state === undefined) return start
  for (let end = start + 1; end <= start + LENGTH_LIMIT; end += 1) {
    const action = observed[end - 1]?.step.action
    if (!action || !isLight(action)) return start
    if (end > start + 1 && observed[end]?.stateBefore === state && isReturn(action)) return end
  }
  return start
}

const isLight = ({ kind }: RecordedAction): boolean => ['click', 'hover', 'press', 'history'].includes(kind)

function isReturn(action: RecordedAction): boolean {
  if (action.kind === 'press') return action.key === 'Escape'
  if (action.kind === 'history') return action.direction === 'back'
  return (
    action.kind === 'click' &&
    /^(cancel|close|back|dismiss|discard|not now|no)\b|^[×✕]/i.test(action.element.name)
  )
}
