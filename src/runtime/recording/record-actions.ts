// Records the actions of a page that succeed, and the checks that hold, with how their elements can be found again. An element is described
// beside its action, so that recording takes no time of its own.

import { createRecordAction, type Recorder } from './record-action.ts'
import { recordCheck } from './record-check.ts'
import { recordInputs, recordPointer } from './record-inputs.ts'
import { recordSettings, recordTabs } from './record-settings.ts'
import type { Page } from '../ports/page/page.ts'

/** The page, whose actions are recorded from now on. */
export function recordActions(page: Page, recorder: Recorder): Page {
  const record = createRecordAction(page, recorder)
  return {
    ...page,
    ...recordInputs(page, record),
    ...recordPointer(page, record),
    ...recordTabs(page, record),
    ...recordSettings(page, record, recorder),
    waitFor: (condition, deadline) =>
      record(
        () => page.waitFor(condition, deadline),
        () => recordCheck(page, condition, deadline),
      ),
    navigate: (url, waitUntil, deadline) =>
      record(
        () => page.navigate(url, waitUntil, deadline),
        () => ({ kind: 'navigate', url }),
        async () => ({ kind: 'navigate', url, isHydrated: await page.isServerRendered() }),
      ),
    history: (direction, deadline) =>
      record(
        () => page.history(direction, deadline),
        () => ({ kind: 'history', direction }),
      ),
  }
}
