import type { Clock } from '../clock.ts'
import { settleWithin } from '../calls/settle-within.ts'
import type { Page } from '../ports/page/page.ts'
import type { Outcome } from '../../core/failure.ts'
import type { MockList } from '../../core/mock/mock-list.ts'
import type { RecordedAction } from '../../core/recording/recorded-step.ts'
import type { Recording } from '../../core/recording/recording.ts'

/** Where actions are recorded, and what their records need to know. */
export interface Recorder {
  readonly recording: Recording
  readonly mocks: Pick<MockList, 'list'>
  readonly clock: Clock
  /** The `seq` of the newest entry of the timeline. */
  position(): number
}

/** Runs the work of an action and records it if it succeeds. `describe` runs beside it, `complete` after it. */
export type RecordAction = <T>(
  work: () => Promise<Outcome<T>>,
  describe: () => RecordedAction | undefined | Promise<RecordedAction | undefined>,
  complete?: (action: RecordedAction, value: T) => RecordedAction | Promise<RecordedAction>,
) => Promise<Outcome<T>>

// What an element was is known long before its action ends, or never.
const DESCRIPTION_TIMEOUT_MS = 2000

/** Records the actions of one page. */
export const createRecordAction =
  (page: Page, { recording, clock, position }: Recorder): RecordAction =>
  async (work, describe, complete = (action) => action) => {
    const seq = position()
    const { active: tab, all: tabsBefore } = page.tabIds()
    const urlBefore = page.url()
    const startedAt = clock()
    const description = Promise.resolve(describe())
    description.catch(() => {})
    const outcome = await work()
    if (!outcome.ok) return outcome
    const durationMs = clock() - startedAt
    const action = await settleWithin(DESCRIPTION_TIMEOUT_MS, description)
    if (!action || action instanceof Error) return outcome
    const openedTab = page.tabIds().all.find((id) => !tabsBefore.includes(id))
    recording.add({
      seq,
      tab: action.kind === 'closeTab' ? (action.id ?? tab) : tab,
      ...(openedTab !== undefined && { openedTab }),
      action: await complete(action, outcome.value),
      urlBefore,
      urlAfter: page.url(),
      durationMs,
    })
    return outcome
  }
