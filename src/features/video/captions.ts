// The captions of a video: the actions of the session, and what was verified between them.

import type { Redactor } from '../../core/base/redaction/redactor.ts'
import type { Journal } from '../../core/sessions/journal/journal.ts'
import type { RecordedStep } from '../../core/sessions/types/recorded-step.ts'
import { describeSteps } from '../lib/recording/describe-steps.ts'
import type { Recording } from '../recording/recording.ts'
import type { CaptionSource } from './video.ts'

export interface CaptionParts {
  readonly journal: Journal
  readonly recording: Pick<Recording, 'read'>
  readonly redactor: Pick<Redactor, 'redactText'>
}

const ACTION_LIMIT = 50
const CAPTION_LIMIT_CHARS = 200

/** Those of what is done from now on. `settleListeners` are called when the answer of an action is known. */
export function createCaptions(
  { journal, recording, redactor }: CaptionParts,
  settleListeners: Set<() => void>,
): CaptionSource {
  const startSeq = journal.lastSeq()
  let seq = startSeq
  const known = new WeakSet<RecordedStep>()
  return {
    read() {
      const { entries } = journal.read({ kinds: ['action'], since: seq, limit: ACTION_LIMIT })
      seq = entries.at(-1)?.seq ?? seq
      // What an action has done before it ends belongs to its entry.
      const steps = recording
        .read(startSeq)
        .steps.filter((step) => !known.has(step) && (step.seq < seq || step.action.kind === 'check'))
      for (const step of steps) known.add(step)
      return describeSteps(entries, steps).flatMap(({ kind, words }) =>
        words === '' ? [] : [{ kind, text: redactor.redactText(words).slice(0, CAPTION_LIMIT_CHARS) }],
      )
    },
    watch(listener) {
      settleListeners.add(listener)
      const unwatch = journal.watch(['action'], listener)
      return () => {
        settleListeners.delete(listener)
        unwatch()
      }
    },
  }
}
