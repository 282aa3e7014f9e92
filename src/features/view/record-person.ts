// What a person does while they have the session: steps of its recording, so that a test has them too, and actions of its timeline.

import { settleWithin } from '../../core/base/system/settle-within.ts'
import type { Clock } from '../../core/base/system/timer.ts'
import type { OwnedSession } from '../../core/sessions/types/owned-session.ts'
import { createPersonSteps } from '../lib/recording/person-steps.ts'
import type {} from '../recording/recording.ts'
import type { PersonRecording } from './session-control.ts'

/** Where a page does not respond, nothing is noticed. */
const WATCH_TIMEOUT_MS = 2000

export async function recordPerson(
  { page, journal, recording, redactor }: OwnedSession,
  clock: Clock,
): Promise<PersonRecording> {
  const person = createPersonSteps()
  const seq = journal.lastSeq()
  const note = (lines: readonly string[]) => {
    for (const line of lines)
      journal.add({
        kind: 'action',
        at: clock(),
        level: 'info',
        text: `person: ${redactor.redactText(line)}`,
      })
  }
  const watching = page.noticePerson((event) => note(person.add(event)))
  await settleWithin(WATCH_TIMEOUT_MS, watching)
  return {
    async settle() {
      await settleWithin(
        WATCH_TIMEOUT_MS,
        watching.then((watch) => watch.idle()),
      )
    },
    end() {
      watching.then((watch) => watch.stop()).catch(() => {})
      const { steps, lines } = person.finish()
      note(lines)
      for (const step of steps) recording.add({ ...step, seq })
    },
  }
}
