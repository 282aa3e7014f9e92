import type { Page } from 'playwright'
import { attempt, browserError, isTimeout, plain } from './failures.ts'
import { locate, nameOf, targetFailure } from './target.ts'
import type { Failure, Outcome } from '../core/failure.ts'
import { map, ok } from '../core/result.ts'
import type { Tree } from '../core/tree.ts'
import type { Call, Target } from '../runtime/ports/page.ts'

/** How many elements match now. */
export async function count(page: Page, target: Target): Promise<Outcome<number>> {
  const located = await locate(page, target)
  if (located.ok) return attempt(located.value.count(), (error) => targetFailure(error, target))
  return located.error.code === 'ELEMENT_NOT_FOUND' ? ok(0) : located
}

/** The accessibility tree of the page or of one element, with refs. */
export async function treeOf(
  page: Page,
  { target, depth }: { target?: Target; depth?: number },
  call: Call,
): Promise<Outcome<Tree>> {
  const settings = { mode: 'ai' as const, ...(depth !== undefined && { depth }), ...call }
  const shaped = (taken: Outcome<unknown>) => map(taken, (tree) => [tree].flat() as Tree)
  if (!target)
    return shaped(await attempt(page.ariaSnapshotJSON(settings), (error) => unreadable(error, call)))
  const located = await locate(page, target)
  if (!located.ok) return located
  // Playwright does not wait here and has no error of its own for a locator that matches nothing.
  const missing: Failure = { code: 'ELEMENT_NOT_FOUND', target: nameOf(target), waited: 0 }
  const taken = await attempt(located.value.ariaSnapshotJSON(settings), (error) =>
    isTimeout(error) || /does not match any element/.test(plain(error))
      ? missing
      : targetFailure(error, target),
  )
  return shaped(taken)
}

const unreadable = (error: Error, call: Call): Failure =>
  isTimeout(error)
    ? { code: 'TIMEOUT', waitedFor: 'the snapshot', waited: call.timeout }
    : browserError(error)
