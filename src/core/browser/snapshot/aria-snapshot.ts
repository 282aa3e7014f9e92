import type { AriaTree } from '../../sessions/types/snapshot.ts'
import type { Locator, Page, Frame } from 'playwright'
import { attempt, browserError, isTimeout, matchesNothing } from '../playwright/errors.ts'
import { settleWithin } from '../../base/system/settle-within.ts'
import { locate, locatorOfRef, describeTarget, targetFailure } from '../playwright/locator.ts'
import { playwrightOptions } from '../playwright/engine.ts'
import { placeFrames, placeFrame } from '../../snapshot/element-boxes.ts'
import { truncateTree } from '../../snapshot/outline.ts'
import type { Failure, Outcome } from '../../base/failure.ts'
import { map, ok } from '../../base/result.ts'
import type { PageSecrets } from '../../base/redaction/page-secrets.ts'
import { isSecretField } from '../../base/redaction/secret-names.ts'
import { redactTree, findRefsWithValues } from '../../snapshot/tree-redaction.ts'
import type { SecretHooks } from '../../sessions/types/browsers.ts'
import type { Deadline } from '../../base/system/deadline.ts'
import type { Target } from '../../base/action.ts'
import type { TreeOptions } from '../../sessions/types/page.ts'
import {
  answerListenerRequests,
  readFieldState,
  readFrameOrigin,
  takeAriaTree,
  waitUntilLeft,
} from '../in-page/generated.ts'
import type { AriaJson } from '../in-page/snapshot/aria-injected.ts'
import type { Motion } from '../in-page/snapshot/leaving.ts'
import { renumberRefs } from '../playwright/session-refs.ts'
import { evaluateInternally, mainWorldOf } from '../playwright/internals.ts'
import { randomUUID } from 'node:crypto'

/** The number of elements that match now. */
export async function countMatches(page: Page, target: Target): Promise<Outcome<number>> {
  const locatorResult = await locate(page, target)
  if (locatorResult.ok) return attempt(locatorResult.value.count(), (error) => targetFailure(error, target))
  return locatorResult.error.code === 'ELEMENT_NOT_FOUND' ? ok(0) : locatorResult
}

/** The accessibility tree of the page or of one element, with refs. */
export async function takeAriaSnapshot(
  page: Page,
  { target, depth, boxes, isSeen, isInternal }: TreeOptions,
  deadline: Deadline,
  exit?: ExitWatch,
): Promise<Outcome<AriaTree>> {
  const treeOptions = { depth, ...(boxes && { boxes }) }
  const internal = isInternal && { depth: DEPTH_LIMIT }
  const watched = { ...treeOptions, ...internal, exit, ...(isSeen && { isSeen }) }
  const snapshotOptions = () => ({
    mode: 'ai' as const,
    ...treeOptions,
    ...playwrightOptions(deadline),
  })
  const bounded = (outcome: Outcome<unknown>) =>
    map(outcome, (tree) => renumberRefs(page, truncateTree([tree].flat() as AriaTree)))
  if (!target) {
    const snapshotFrames = () =>
      settleWithin(
        deadline.remaining(),
        snapshotWithFrames(page, bodyLocator(page), { first: true, ...watched }),
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
    snapshotOfElement(page, locatorResult.value, { first: false, ...watched }),
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
  renumberRefs(
    page,
    truncateTree(
      (await snapshotWithFrames(page, bodyLocator(page), { first: true })) ?? (await takeClientTree(page)),
    ),
  )

/** The tree of the page for ourselves: what the client saw last stays what it was. Undefined where Playwright's internals are missing. */
export async function takeUnseenTree(page: Page): Promise<AriaTree | undefined> {
  const tree = await snapshotWithFrames(page, bodyLocator(page), { first: true, depth: DEPTH_LIMIT })
  return tree && renumberRefs(page, tree)
}

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

// The document of a picture has no body, nor has one of data.
const BODY = 'body,frameset,:root:not(html)'
const bodyLocator = (page: Page) => page.locator(BODY)
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
  const field = await locatorOfRef(page, ref)
    .evaluate(readFieldState, undefined, { timeout: FIELD_TIMEOUT_MS })
    .catch(() => undefined)
  return !field || isSecretField(field.field)
}

const snapshotFailure = (error: Error, deadline: Deadline): Failure =>
  isTimeout(error)
    ? { code: 'TIMEOUT', waitedFor: 'the snapshot', waited: deadline.timeout }
    : browserError(error)

// --- internal ---

// Where frames are in the viewport of their page, so that the boxes of their elements can be given there.
const ORIGIN_TIMEOUT_MS = 3000

/** The tree of the frame with this ref, with its boxes in the viewport of the frame's parent. */
async function placeFrameTree(page: Page, ref: string, tree: AriaTree): Promise<AriaTree> {
  const frame = page.locator(`aria-ref=${ref}`)
  return placeFrame(tree, await frame.evaluate(readFrameOrigin, undefined, { timeout: ORIGIN_TIMEOUT_MS }))
}

/** The tree of an element with its boxes in the viewport of the page, whatever frame it is in. */
async function placeElementTree(locator: Locator, tree: AriaTree): Promise<AriaTree> {
  const element = await locator.elementHandle({ timeout: ORIGIN_TIMEOUT_MS })
  let frame = await element?.ownerFrame()
  await element?.dispose()
  let placed = tree
  for (let parent = frame?.parentFrame(); frame && parent; frame = parent, parent = frame.parentFrame()) {
    const frameElement = await frame.frameElement()
    placed = placeFrame(placed, await frameElement.evaluate(readFrameOrigin))
    await frameElement.dispose()
  }
  return placed
}

// The accessibility tree of a page and its frames, each read with one message where Playwright's internals can be reached.

/** A depth that no page has. A document remembers what a snapshot without a depth shows. */
const DEPTH_LIMIT = 100_000
const FRAME_TIMEOUT_MS = 3000
// Playwright's injected script is sent to each frame that is read, by the one process that all sessions share.
const FRAME_LIMIT = 50
const FRAMES_AT_ONCE = 5
const SKIPPED_FRAME_NOTE = `not read, because the page has more than ${FRAME_LIMIT} frames; take a snapshot of its ref`

interface SnapshotOptions extends Pick<TreeOptions, 'depth' | 'boxes' | 'isSeen'> {
  readonly first: boolean
  readonly exit?: ExitWatch
}

/** Says whether to wait for what is leaving, and gets what has not left then. */
export interface ExitWatch {
  isExpected(motion: Motion): boolean
  onRemaining(texts: readonly string[]): void
}

const EXIT_LIMIT_MS = 1000

/** The number of frames that may still be read. */
interface FrameBudget {
  remaining: number
}

/** The tree of the element that the locator matches. Undefined where Playwright's client has to be used, also to explain an error. */
async function snapshotWithFrames(
  page: Page,
  locator: Locator,
  options: SnapshotOptions,
  budget: FrameBudget = { remaining: FRAME_LIMIT },
): Promise<AriaTree | undefined> {
  const isMainFrame = budget.remaining === FRAME_LIMIT
  if (isMainFrame) await prepareListenerScan(page)
  const first = await readTree(locator, options)
  const isRepeated = isMainFrame && first?.hasListeners === false && (await repeatPreparation(page))
  const read = isRepeated ? await readTree(locator, options) : first
  const hasChanged =
    read?.motion && options.exit?.isExpected(read.motion) && (await awaitExit(page, options.exit))
  const tree = hasChanged ? await readTree(locator, options) : read
  if (!tree) return undefined
  const { json, iframeRefs, iframeDepths } = tree
  const frames = new Map<string, AriaTree>()
  const readFrame = async (ref: string) => {
    const depth = options.depth && options.depth - (iframeDepths[ref] ?? 0) - 1
    if (!(ref in iframeDepths) || (depth !== undefined && depth < 1)) return
    if ((budget.remaining -= 1) < 0) return void frames.set(ref, [SKIPPED_FRAME_NOTE])
    const { exit: _, ...inFrame } = options
    const frameOptions = { ...inFrame, first: true, ...(depth !== undefined && { depth }) }
    const frameTree = await settleWithin(FRAME_TIMEOUT_MS, readFrameTree(page, ref, frameOptions, budget))
    if (frameTree && !(frameTree instanceof Error)) frames.set(ref, frameTree)
  }
  for (let from = 0; from < iframeRefs.length; from += FRAMES_AT_ONCE)
    await Promise.all(iframeRefs.slice(from, from + FRAMES_AT_ONCE).map(readFrame))
  return frames.size === 0 ? (json as AriaTree) : insertFrames(json as AriaTree, frames)
}

async function readFrameTree(
  page: Page,
  ref: string,
  options: SnapshotOptions,
  budget: FrameBudget,
): Promise<AriaTree | undefined> {
  const body = page.locator(`aria-ref=${ref} >> internal:control=enter-frame >> ${BODY}`)
  const tree = await snapshotWithFrames(page, body, options, budget)
  return tree && options.boxes ? placeFrameTree(page, ref, tree) : tree
}

// Whether the page may look different afterwards.
async function awaitExit(page: Page, { onRemaining }: ExitWatch): Promise<boolean> {
  const waiting = evaluateInternally(page.locator(':root'), waitUntilLeft, EXIT_LIMIT_MS)
  const exit = await settleWithin(EXIT_LIMIT_MS * 2, waiting)
  if (!exit || exit instanceof Error) return false
  const { hasChanged, remaining } = exit.result
  if (remaining.length > 0) onRemaining(remaining)
  return hasChanged
}

async function readTree(
  locator: Locator,
  { exit, ...options }: SnapshotOptions,
): Promise<AriaJson | undefined> {
  const treeOptions = { ...options, events: LISTENER_EVENTS, ...(exit && { findsMotion: true }) }
  const reply = await evaluateInternally(locator, takeAriaTree, treeOptions)
  return reply?.result ? (JSON.parse(reply.result) as AriaJson) : undefined
}

const insertFrames = (tree: AriaTree, frames: ReadonlyMap<string, AriaTree>): AriaTree =>
  tree.map((node) => {
    if (typeof node === 'string') return node
    const frameTree = node.role === 'iframe' ? frames.get(node.ref ?? '') : undefined
    if (frameTree) return { ...node, children: frameTree }
    return node.children ? { ...node, children: insertFrames(node.children, frames) } : node
  })

// Only the main world can list the listeners of elements, and only for a DevTools session that evaluates a script there. So a function in
// the main world of each document answers Playwright's world, at the cost of one message per document.
const id = randomUUID()

/** The types of the events between the two worlds; a page does not know them. */
const LISTENER_EVENTS = { request: `${id}-request`, report: `${id}-report` } as const

const expression = `(${String(answerListenerRequests)})(${JSON.stringify(LISTENER_EVENTS)})`

// The main worlds in which the function was installed.
const preparedWorlds = new WeakSet<object>()

/** Prepares the documents of a page for a snapshot; resolves when the message for the main frame was sent. Firefox needs no preparation. */
async function prepareListenerScan(page: Page): Promise<void> {
  const [main, ...others] = page.frames().map(prepareFrame)
  void Promise.all(others)
  await main
}

/** Prepares the main frame again, a few times for each document; false if that cannot help. */
async function repeatPreparation(page: Page): Promise<boolean> {
  const world = await mainWorldOf(page.mainFrame())
  const count = world?.evaluate ? (repetitions.get(world.key) ?? 0) : REPETITION_LIMIT
  if (!world || count >= REPETITION_LIMIT) return false
  repetitions.set(world.key, count + 1)
  preparedWorlds.delete(world.key)
  return prepareFrame(page.mainFrame())
}

const REPETITION_LIMIT = 3
const repetitions = new WeakMap<object, number>()

async function prepareFrame(frame: Frame): Promise<boolean> {
  const world = await mainWorldOf(frame)
  if (!world || preparedWorlds.has(world.key)) return false
  preparedWorlds.add(world.key)
  // Sent before the snapshot of the document, which the browser handles after it.
  world.evaluate?.(expression).catch(() => preparedWorlds.delete(world.key))
  return true
}
