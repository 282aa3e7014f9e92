// The recorded steps of a session, bounded in number and size: the oldest are dropped.

import type { RecordedAction, RecordedStep } from '../../core/sessions/types/recorded-step.ts'
import { isSecretEntry } from '../lib/recording/secret-entry.ts'

declare module '../../core/sessions/types/owned-session.ts' {
  interface OwnedSession {
    readonly recording: Recording
  }
}

declare module '../../core/sessions/types/open-session.ts' {
  interface OpenSession {
    readonly recording: Pick<Recording, 'read'>
  }
}

export interface Recording {
  add(step: RecordedStep): void
  /** The steps that began after this position in the timeline, oldest first, and how many were dropped since the session began. */
  read(since?: number): { readonly steps: readonly RecordedStep[]; readonly dropped: number }
}

const STEP_LIMIT = 1000
const SIZE_LIMIT_CHARS = 5_000_000

export function createRecording(): Recording {
  let steps: readonly { readonly step: RecordedStep; readonly size: number }[] = []
  let dropped = 0
  return {
    add(newStep) {
      const joined = joinSecretEntries(steps.at(-1)?.step, newStep)
      const step = joined ?? newStep
      const all = [...(joined ? steps.slice(0, -1) : steps), { step, size: sizeOf(step) }]
      let size = 0
      const start = all.findLastIndex((entry, index) => {
        size += entry.size
        return size > SIZE_LIMIT_CHARS || all.length - index > STEP_LIMIT
      })
      dropped += start + 1
      steps = all.slice(start + 1)
    },
    read: (since = -1) => ({
      steps: steps.map(({ step }) => step).filter(({ seq }) => seq >= since),
      dropped,
    }),
  }
}

// What is large is what a client entered.
function sizeOf({ action }: RecordedStep): number {
  if (action.kind === 'type') return action.text.length
  if (action.kind === 'fill') return String(action.value).length
  const { rule, mock }: MockAction = action
  return rule ? JSON.stringify(rule).length + (mock?.file?.bytes.length ?? 0) : 0
}

/** What is large in an action of the feature mock. */
interface MockAction {
  readonly kind: string
  readonly rule?: object
  readonly mock?: { readonly file?: { readonly bytes: Uint8Array } }
}

type TypeAction = Extract<RecordedAction, { kind: 'type' }>

/** A step that continues the secret of the step before it, as one step: single keys are secret too. Otherwise undefined. */
function joinSecretEntries(previous: RecordedStep | undefined, next: RecordedStep): RecordedStep | undefined {
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

const fieldOf = ({ element }: TypeAction): string | undefined => element?.locators[0]?.selector
