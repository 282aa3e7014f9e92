// What is entered into a secret field, also key by key: its keys are a value that a test must not have.

import type { RecordedAction, RecordedStep } from './recorded-step.ts'

type TypeAction = Extract<RecordedAction, { kind: 'type' }>

/** Whether the action enters a secret. */
export const isSecretEntry = (action: RecordedAction): boolean =>
  (action.kind === 'type' && (action.element?.isSecret ?? action.isSecret ?? false)) ||
  (action.kind === 'fill' && action.element.isSecret)

/** A step that continues the secret of the step before it, as one step; otherwise undefined. */
export function joinSecretEntries(
  previous: RecordedStep | undefined,
  next: RecordedStep,
): RecordedStep | undefined {
  if (!previous || previous.tab !== next.tab || previous.openedTab !== undefined) return undefined
  const [before, after] = [previous.action, next.action]
  if (before.kind !== 'type' || after.kind !== 'type') return undefined
  if (!isSecretEntry(before) || !isSecretEntry(after) || before.submit || after.clear) return undefined
  if (fieldOf(before) !== fieldOf(after) || before.delay !== after.delay) return undefined
  const { submit } = after
  return {
    ...next,
    seq: previous.seq,
    urlBefore: previous.urlBefore,
    durationMs: previous.durationMs + next.durationMs,
    action: {
      ...before,
      text: before.text + after.text,
      ...(submit !== undefined && { submit }),
    },
  }
}

// --- internal ---

const fieldOf = ({ element }: TypeAction): string | undefined => element?.locators[0]?.selector
