import type { Locator, Page } from 'playwright'
import { composedReadFieldState } from '../forms/field-kind.ts'
import { attempt, browserError, isTimeout, matchesNothing } from '../playwright/errors.ts'
import { placeElementTree } from './frame-origins.ts'
import { snapshotWithFrames, type SnapshotOptions } from './frame-snapshots.ts'
import { settleWithin } from '../../runtime/calls/settle-within.ts'
import { locate, describeTarget, targetFailure } from '../playwright/locator.ts'
import { playwrightOptions } from '../playwright/playwright-options.ts'
import { placeFrames } from '../../core/snapshot/element-boxes.ts'
import { truncateTree } from '../../core/snapshot/bound-tree.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import { map, ok } from '../../core/result.ts'
import type { PageSecrets } from '../../core/redaction/page-secrets.ts'
import { isSecretField, isSecretName } from '../../core/redaction/secret-names.ts'
import { redactTree, findRefsWithValues } from '../../core/redaction/tree-redaction.ts'
import type { AriaTree } from '../../core/snapshot/snapshot-lines.ts'
import type { SecretHooks } from '../../runtime/ports/browsers.ts'
import type { Deadline } from '../../runtime/ports/deadline.ts'
import type { Target } from '../../runtime/ports/page/target.ts'
import type { TreeOptions } from '../../runtime/ports/page/page-content.ts'

/** The number of elements that match now. */
export async function countMatches(page: Page, target: Target): Promise<Outcome<number>> {
  const locatorResult = await locate(page, target)
  if (locatorResult.ok) return attempt(locatorResult.value.count(), (error) => targetFailure(error, target))
  return locatorResult.error.code === 'ELEMENT_NOT_FOUND' ? ok(0) : locatorResult
}

/** The accessibility tree of the page or of one element, with refs. */
export async function takeAriaSnapshot(
  page: Page,
  { target, depth, boxes }: TreeOptions,
  deadline: Deadline,
): Promise<Outcome<AriaTree>> {
  const treeOptions = { ...(depth !== undefined && { depth }), ...(boxes && { boxes }) }
  const snapshotOptions = () => ({
    mode: 'ai' as const,
    ...treeOptions,
    ...playwrightOptions(deadline),
  })
  const bounded = (outcome: Outcome<unknown>) =>
    map(outcome, (tree) => truncateTree([tree].flat() as AriaTree))
  if (!target) {
    const snapshotFrames = () =>
      settleWithin(
        deadline.remaining(),
        snapshotWithFrames(page, bodyLocator(page), { first: true, ...treeOptions }),
      )
    const tree = await snapshotFrames()
    if (isTree(tree)) return bounded(ok(tree))
    // Playwright's own snapshot waits for a page that is being loaded.
    const fallback = placed(
      await attempt(page.ariaSnapshotJSON(snapshotOptions()), (error) => snapshotFailure(error, deadline)),
    )
    const secondTree = fallback.ok ? await snapshotFrames() : undefined
    return bounded(isTree(secondTree) ? ok(secondTree) : fallback)
  }
  const locatorResult = await locate(page, target)
  if (!locatorResult.ok) return locatorResult
  const tree = await settleWithin(
    deadline.remaining(),
    snapshotOfElement(page, locatorResult.value, { first: false, ...treeOptions }),
  )
  if (isTree(tree)) return bounded(ok(tree))
  // Playwright does not wait here and has no error class for a locator that matches nothing.
  const missing: Failure = { code: 'ELEMENT_NOT_FOUND', target: describeTarget(target), waited: 0 }
  const fallback = await attempt(locatorResult.value.ariaSnapshotJSON(snapshotOptions()), (error) =>
    isTimeout(error) || matchesNothing(error) ? missing : targetFailure(error, target),
  )
  return bounded(placed(fallback))
}

/** The tree of the page in which candidates for a missing target are searched. */
export const takeCandidateTree = async (page: Page): Promise<AriaTree> =>
  truncateTree(
    (await snapshotWithFrames(page, bodyLocator(page), { first: true })) ?? (await takeClientTree(page)),
  )

const takeClientTree = async (page: Page): Promise<AriaTree> =>
  [await page.ariaSnapshotJSON({ mode: 'ai' })].flat() as AriaTree

async function snapshotOfElement(
  page: Page,
  locator: Locator,
  options: SnapshotOptions,
): Promise<AriaTree | undefined> {
  const tree = await snapshotWithFrames(page, locator, options)
  return tree && options.boxes ? placeElementTree(locator, tree) : tree
}

// In the trees of Playwright's client each frame has its own coordinates.
const placed = (outcome: Outcome<unknown>): Outcome<AriaTree> =>
  map(outcome, (tree) => placeFrames([tree].flat() as AriaTree))

const bodyLocator = (page: Page) => page.locator('body,frameset')
const isTree = (result: AriaTree | Error | undefined): result is AriaTree =>
  result !== undefined && !(result instanceof Error)

/** Redacts the tree. Whether a field that contains an ordinary word is a secret field is read from the field itself. */
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
  const isSecret = await Promise.all(refs.map((ref) => isSecretRef(page, ref)))
  return ok(redactTree(tree, secrets.redactText, new Set(refs.filter((_, index) => isSecret[index]))))
}

const FIELD_TIMEOUT_MS = 1000

// A field that does not answer counts as secret.
async function isSecretRef(page: Page, ref: string): Promise<boolean> {
  const field = await page
    .getByRef(ref)
    .evaluate(composedReadFieldState, undefined, { timeout: FIELD_TIMEOUT_MS })
    .catch(() => undefined)
  return !field || isSecretField(field.field, isSecretName)
}

const snapshotFailure = (error: Error, deadline: Deadline): Failure =>
  isTimeout(error)
    ? { code: 'TIMEOUT', waitedFor: 'the snapshot', waited: deadline.timeout }
    : browserError(error)
