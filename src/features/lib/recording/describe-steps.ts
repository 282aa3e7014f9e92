// Describes the steps of a session for people: what was done, from the journal and the recording, and what was verified, which the journal leaves
// out where it held.

import type { JournalEntry } from '../../../core/sessions/journal/journal.ts'
import type { RecordedStep } from '../../../core/sessions/types/recorded-step.ts'
import { wordsOf, wordsOfCall, wordsOfFailure } from './step-words.ts'

export interface DescribedStep {
  /** Of its entry in the journal; of a check, of the newest entry when it began. */
  readonly seq: number
  readonly kind: 'action' | 'check'
  /** Empty for a call that does nothing on the page. */
  readonly words: string
  /** Unix milliseconds. */
  readonly at: number
  readonly isFailed: boolean
}

type ActionEntry = Pick<JournalEntry, 'seq' | 'at' | 'text' | 'isSilent'>

/** In their order. `entries` are the actions of the journal, `steps` what was recorded since the first of them began, both oldest first. */
export function describeSteps(
  entries: readonly ActionEntry[],
  steps: readonly RecordedStep[],
): readonly DescribedStep[] {
  const described: DescribedStep[] = []
  // What a person did has its words in the journal, and is recorded when they return the session.
  const rest = steps.filter(({ at }) => at !== undefined)
  const takeBefore = (seq: number) => rest.splice(0, countBefore(rest, seq))
  for (const entry of entries) {
    const own = takeBefore(entry.seq)
    described.push(...own.filter(isCheck).map(describeCheck), describeEntry(entry, own))
  }
  return [...described, ...rest.filter(isCheck).map(describeCheck)]
}

// --- internal ---

const isCheck = ({ action }: RecordedStep): boolean => action.kind === 'check'

function countBefore(steps: readonly RecordedStep[], seq: number): number {
  const index = steps.findIndex((step) => step.seq >= seq)
  return index === -1 ? steps.length : index
}

const describeCheck = ({ seq, action, at = 0 }: RecordedStep): DescribedStep => ({
  ...{ seq, at, kind: 'check', isFailed: false },
  words: wordsOf(action),
})

function describeEntry(
  { seq, at, text, isSilent }: ActionEntry,
  steps: readonly RecordedStep[],
): DescribedStep {
  const [, tool = '', subject = '', result] = /^([a-z_]+)(?: (.*))?: (done|[A-Z_]+)$/s.exec(text) ?? []
  const isFailed = result !== undefined && result !== 'done'
  const described = { seq, at, kind: 'action', isFailed } as const
  if (result === undefined) return { ...described, words: text }
  const texts = steps.filter((step) => !isCheck(step)).map(({ action }) => wordsOf(action))
  if (isFailed) texts.push(wordsOfFailure(tool, subject, result))
  else if (isSilent) return { ...described, words: '' }
  else if (texts.length === 0) texts.push(wordsOfCall(tool, subject))
  return { ...described, words: texts.join('; ') }
}
