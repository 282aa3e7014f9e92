// When the elements that leave are waited for: soon after an action, which has caused that.

import type { ExitWatch } from '../observe/aria-snapshot.ts'
import { showPageText } from '../../core/text/invisible-characters.ts'

const RUNNING_AGE_MS = 3000
const STYLED_AGE_MS = 1000
const NAMED_LIMIT = 3

export interface ActionExitWatch extends ExitWatch {
  /** Notes the end of an action. */
  noteAction(): void
}

export function createExitWatch(
  report: (text: string) => void,
  clock = () => performance.now(),
): ActionExitWatch {
  let actedAt = -Infinity
  let isAwaited = true
  return {
    noteAction() {
      actedAt = clock()
      isAwaited = false
    },
    isExpected(motion) {
      const age = clock() - actedAt
      // What has not begun three frames after an action does not begin because of it.
      const isExpected = motion === 'running' ? age < RUNNING_AGE_MS : !isAwaited && age < STYLED_AGE_MS
      isAwaited ||= isExpected
      return isExpected
    },
    onRemaining(texts) {
      const names = texts.slice(0, NAMED_LIMIT).map((text) => showPageText(text, 'quoted'))
      report(
        `An animation is still removing ${names.join(', ')}, which is shown until then. Take another snapshot.`,
      )
    },
  }
}
