import type { Page } from 'playwright'
import { composedReadFieldState } from '../forms/field-kind.ts'
import { attempt, browserError, isTimeout, messageOf } from '../playwright/errors.ts'
import { snapshotWithFrames } from './frame-snapshots.ts'
import { settleWithin } from '../../runtime/calls/settle-within.ts'
import { remainingTime, locate, describeTarget, targetFailure } from '../playwright/locator.ts'
import { truncateTree } from '../../core/snapshot/bound-tree.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import { map, ok } from '../../core/result.ts'
import type { PageSecrets } from '../../core/redaction/page-secrets.ts'
import { isSecretField, isSecretName } from '../../core/redaction/secret-names.ts'
import { redactTree, findRefsWithValues } from '../../core/redaction/tree-redaction.ts'
import type { AriaTree } from '../../core/snapshot/snapshot-lines.ts'
import type { SecretHooks } from '../../runtime/ports/browsers.ts'
import type { Call, Target } from '../../runtime/ports/page.ts'

/** How many elements match now. */
export async function countMatches(page: Page, target: Target): Promise<Outcome<number>> {
  const located = await locate(page, target)
  if (located.ok) return attempt(located.value.count(), (error) => targetFailure(error, target))
  return located.error.code === 'ELEMENT_NOT_FOUND' ? ok(0) : located
}

/** The accessibility tree of the page or of one element, with refs. */
export async function takeAriaSnapshot(
  page: Page,
  { target, depth }: { target?: Target; depth?: number },
  call: Call,
): Promise<Outcome<AriaTree>> {
  const since = performance.now()
  const depths = depth !== undefined && { depth }
  const settings = () => ({ mode: 'ai' as const, ...depths, ...call, timeout: remainingTime(call, since) })
  const shaped = (taken: Outcome<unknown>) => map(taken, (tree) => truncateTree([tree].flat() as AriaTree))
  if (!target) {
    const complete = () =>
      settleWithin(
        remainingTime(call, since),
        snapshotWithFrames(page, body(page), { first: true, ...depths }),
      )
    const tree = await complete()
    if (isTree(tree)) return shaped(ok(tree))
    // It waits for a page that is just arriving.
    const taken = await attempt(page.ariaSnapshotJSON(settings()), (error) => unreadable(error, call))
    const again = taken.ok ? await complete() : undefined
    return shaped(isTree(again) ? ok(again) : taken)
  }
  const located = await locate(page, target)
  if (!located.ok) return located
  const part = await settleWithin(
    remainingTime(call, since),
    snapshotWithFrames(page, located.value, { first: false, ...depths }),
  )
  if (isTree(part)) return shaped(ok(part))
  // Playwright does not wait here and has no error of its own for a locator that matches nothing.
  const missing: Failure = { code: 'ELEMENT_NOT_FOUND', target: describeTarget(target), waited: 0 }
  const taken = await attempt(located.value.ariaSnapshotJSON(settings()), (error) =>
    isTimeout(error) || /does not match any element/.test(messageOf(error))
      ? missing
      : targetFailure(error, target),
  )
  return shaped(taken)
}

/** The tree of the page as candidates for a missing target are looked for in it. */
export const takeCandidateTree = async (page: Page): Promise<AriaTree> =>
  truncateTree((await snapshotWithFrames(page, body(page), { first: true })) ?? (await clientTree(page)))

const clientTree = async (page: Page): Promise<AriaTree> =>
  [await page.ariaSnapshotJSON({ mode: 'ai' })].flat() as AriaTree

const body = (page: Page) => page.locator('body,frameset')
const isTree = (taken: AriaTree | Error | undefined): taken is AriaTree =>
  taken !== undefined && !(taken instanceof Error)

/** The tree as it may be shown. Whether a field that holds an ordinary word is a secret one is asked of the field itself. */
export async function redactPageTree(
  page: Page,
  tree: AriaTree,
  { ordinaryValues }: PageSecrets,
  secrets: SecretHooks | undefined,
): Promise<Outcome<AriaTree>> {
  if (!secrets) return ok(tree)
  const refs =
    ordinaryValues.length > 0
      ? findRefsWithValues(tree, new Set(ordinaryValues.map((value) => value.trim())))
      : []
  const secret = await Promise.all(refs.map((ref) => isSecretRef(page, ref)))
  return ok(redactTree(tree, secrets.text, new Set(refs.filter((_, index) => secret[index]))))
}

const FIELD_TIMEOUT_MS = 1000

// A field that does not answer is taken for a secret one.
async function isSecretRef(page: Page, ref: string): Promise<boolean> {
  const field = await page
    .getByRef(ref)
    .evaluate(composedReadFieldState, undefined, { timeout: FIELD_TIMEOUT_MS })
    .catch(() => undefined)
  return !field || isSecretField(field.field, isSecretName)
}

const unreadable = (error: Error, call: Call): Failure =>
  isTimeout(error)
    ? { code: 'TIMEOUT', waitedFor: 'the snapshot', waited: call.timeout }
    : browserError(error)
