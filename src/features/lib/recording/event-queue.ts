// What a person does in a browser, as events in the order in which it was noticed, although each is described in its own time.

import { clock } from '../../../core/base/system/timer.ts'
import type { PersonEvent } from '../../../core/sessions/types/person.ts'
import type { RecordedAction } from '../../../core/sessions/types/recorded-step.ts'

type ReadEvent = () => Promise<PersonEvent | undefined>

// Passes events on in the order in which they were added.
export function createEventQueue(onEvent: (event: PersonEvent) => void) {
  let last = Promise.resolve()
  return {
    add(read: ReadEvent): void {
      const event = read().catch(() => undefined)
      last = last.then(async () => {
        const value = await event
        if (value) onEvent(value)
      })
    },
    idle: (): Promise<void> => last,
  }
}

export function toActionEvent(
  tab: string,
  url: string,
  toAction: () => Promise<RecordedAction | undefined>,
): ReadEvent {
  const at = clock()
  return async () => {
    const action = await toAction()
    return action && { kind: 'action', tab, url, at, action }
  }
}
