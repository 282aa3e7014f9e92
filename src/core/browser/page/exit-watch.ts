// When the elements that leave are waited for: soon after an action, which has caused that.

import type { ExitWatch } from '../snapshot/aria-snapshot.ts'
import { showPageText } from '../../base/text/invisible-characters.ts'

const ACTION_AGE_MS = 3000
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
      // What has not begun three frames after an action does not begin because of it.
      const isExpected = clock() - actedAt < ACTION_AGE_MS && (motion === 'running' || !isAwaited)
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
