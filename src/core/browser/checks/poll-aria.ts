import type { AriaTree } from '../../sessions/types/snapshot.ts'
import type { ExpectedLine } from '../../base/action.ts'
import type { Page } from 'playwright'
import { waitForChange } from '../in-page/generated.ts'
import { evaluateTarget } from '../playwright/locator.ts'
import { describeSearch, findLines } from '../../snapshot/find-lines.ts'
import type { Failure, Outcome } from '../../base/failure.ts'
import { ok } from '../../base/result.ts'
import { visibleLines } from '../../snapshot/modal-layers.ts'
import { linesOf } from '../../snapshot/snapshot-lines.ts'
import { settleWithin } from '../../base/system/settle-within.ts'
import type { Deadline } from '../../base/system/deadline.ts'

/** The redacted tree of the target or the page, as `snapshot` shows it. */
export type ReadTree = () => Promise<Outcome<AriaTree>>

interface AriaCondition {
  readonly expected: readonly ExpectedLine[]
  readonly not: boolean
  readonly deadline: Deadline
  readonly readTree: ReadTree
}

/** A line may be missing in one snapshot and be there in the next. This number of snapshots shows both states of a page that changes at even intervals. */
const CONFIRMATION_LOOKS = 24
const CONFIRMATION_INTERVAL_MS = 7
const MINIMUM_INTERVAL_MS = 100
const MAXIMUM_INTERVAL_MS = 250

export interface UnmetAria {
  /** Whether there was a snapshot to compare with. */
  readonly isRead: boolean
  describe(): string
}

/** Compares the lines with the snapshot now. Undefined if they are there, or with `not` stay away; otherwise a description of what was
 * seen, after the page had time to change. Fails as the snapshot does, unless that may pass. */
export async function pollAria(
  page: Page,
  condition: AriaCondition,
): Promise<Outcome<UnmetAria | undefined>> {
  const { expected, not, readTree } = condition
  for (let look = 1; ; look += 1) {
    const tree = await readTree()
    if (!tree.ok && !mayPass(tree.error)) return tree
    if (!tree.ok) {
      await pauseUntilChange(page, condition.deadline)
      const reason =
        tree.error.code === 'ELEMENT_NOT_FOUND' ? 'no element' : 'the page did not respond in time'
      return ok({ isRead: false, describe: () => `aria: no snapshot, ${reason}` })
    }
    const lines = visibleLines(linesOf(tree.value))
    const search = findLines(expected, lines)
    if (search.isFound === not) {
      await pauseUntilChange(page, condition.deadline)
      return ok({ isRead: true, describe: () => describeSearch(search, lines, not) })
    }
    if (!not || look === CONFIRMATION_LOOKS) return ok(undefined)
    await pause(Math.random() * CONFIRMATION_INTERVAL_MS)
  }
}

// --- internal ---

// The element may come, and a page that is being loaded has no snapshot.
const mayPass = (failure: Failure): boolean =>
  (failure.code === 'ELEMENT_NOT_FOUND' && !failure.stale) ||
  failure.code === 'TIMEOUT' ||
  failure.code === 'BROWSER_ERROR'

async function pauseUntilChange(page: Page, deadline: Deadline): Promise<void> {
  const target = { selector: ':root' }
  const interval = { minimumMs: MINIMUM_INTERVAL_MS, maximumMs: MAXIMUM_INTERVAL_MS }
  const change = evaluateTarget({ locator: page.locator(':root'), target }, waitForChange, interval)
  const result = await settleWithin(Math.min(deadline.remaining(), 2 * MAXIMUM_INTERVAL_MS), change)
  if (result instanceof Error) await pause(MINIMUM_INTERVAL_MS)
}

const pause = (ms: number) => settleWithin(ms, new Promise(() => {}))
