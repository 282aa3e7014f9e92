// One audit of a page: axe-core in all its documents, the metrics of its main document, and its layout in its own size and in a narrow window.

import type { Frame, Page } from 'playwright'
import type { Outcome } from '../../core/base/failure.ts'
import { err, ok } from '../../core/base/result.ts'
import type { Deadline } from '../../core/base/system/deadline.ts'
import { settleWithin } from '../../core/base/system/settle-within.ts'
import { composeInPage } from '../../core/browser/playwright/compose-in-page.ts'
import { playwrightOptions } from '../../core/browser/playwright/engine.ts'
import { attempt, browserError } from '../../core/browser/playwright/errors.ts'
import { evaluateInternally } from '../../core/browser/playwright/internals.ts'
import { sessionRefOf } from '../../core/browser/playwright/session-refs.ts'
import { takeUnseenTree } from '../../core/browser/snapshot/aria-snapshot.ts'
import type { Tab } from '../../core/browser/tab/tab.ts'
import type { Page as SessionPage } from '../../core/sessions/types/page.ts'
import type { ElementOrigin } from '../../core/sessions/types/sources.ts'
import type { Emulate } from '../emulate/session-emulation.ts'
import { readElementOrigin, readOriginsAtPaths } from '../sources/element-origin.ts'
import { type Finding, type FoundElement, NARROW_WIDTH_PX, type PageAudit } from './finding.ts'
import type { AuditMatches, DescribedElement } from './in-page/audit-state.ts'
import { readLayout as readLayoutInPage, runInMainWorld } from './in-page/generated.ts'
import type { PageLayout } from './in-page/page-layout.ts'
import type { AxeViolation, LayoutIssue, VitalReport } from './in-page/page-reports.ts'
import type { AxeFrame } from './in-page/run-axe.ts'
import { accessibilityFinding, layoutFindings, onlyNarrow, vitalFindings } from './page-findings.ts'

export const readPageLayout = (
  { parts: { runOnTab } }: SessionPage,
  deadline: Deadline,
): Promise<Outcome<PageLayout>> =>
  runOnTab(({ page }) =>
    attempt(
      page.locator(':root').evaluate(readLayoutInPage, undefined, playwrightOptions(deadline)),
      browserError,
    ),
  )

/** What is wrong with the page, which is afterwards as it was. Its elements have no sources yet. With `accessibility` only its violations
 * are found. */
export const auditPage = (
  { parts, emulate }: SessionPage,
  deadline: Deadline,
  only?: 'accessibility',
): Promise<Outcome<PageAudit>> =>
  parts.readRedacted(
    (tab) => auditTab(tab.page, only ? undefined : narrowWindow(tab, emulate), deadline),
    deadline,
    ok,
  )

// --- internal ---

/** Makes the window narrow, and returns how to take that back; a sentence if its size cannot be changed. */
type Narrow = () => Promise<(() => Promise<unknown>) | string>

/** Audits the page; without `narrow` only its accessibility, and no element has an origin. Its size and what is scrolled are afterwards as they
 * were. */
async function auditTab(
  page: Page,
  narrow: Narrow | undefined,
  deadline: Deadline,
): Promise<Outcome<PageAudit>> {
  const { auditScripts: scripts } = await import('./audit-scripts.ts')
  const audited: AuditedPage = { page, deadline, scripts, documents: [], origins: narrow ? ORIGIN_LIMIT : 0 }
  const auditing = narrow ? auditAll(audited, narrow) : auditAccessibility(audited)
  const outcome = await attempt(settleWithin(deadline.remaining(), auditing), browserError)
  // At the deadline the audit may be in the narrow window.
  await settleWithin(END_TIMEOUT_MS, Promise.resolve(audited.widen?.()))
  const endInFrame = ({ frame }: AuditedDocument) =>
    settleWithin(END_TIMEOUT_MS, runInFrame(frame, scripts.endAudit, undefined, 'end'))
  await Promise.all(audited.documents.map(endInFrame))
  if (!outcome.ok) return outcome
  const { value } = outcome
  if (value instanceof Error) return err(browserError(value))
  if (value) return { ok: true, value }
  return err({ code: 'TIMEOUT', waitedFor: 'the audit of the page', waited: deadline.timeout })
}

// The size is an emulation of the session, which knows what it was before.
const narrowWindow =
  (tab: Tab, emulate: Emulate): Narrow =>
  async () => {
    const size = tab.page.viewportSize()
    if (!size) return `Not audited at ${NARROW_WIDTH_PX} px: the window has the size that its user gave it.`
    if (size.width <= NARROW_WIDTH_PX) return `The window is not wider than ${NARROW_WIDTH_PX} px.`
    const before = await emulate(tab, {})
    const viewport = before.ok ? before.value.viewport : undefined
    const change = await emulate(tab, { viewport: { ...size, width: NARROW_WIDTH_PX } })
    if (!change.ok) return `Not audited at ${NARROW_WIDTH_PX} px: the size of the window cannot be changed.`
    return () => emulate(tab, viewport ? { viewport } : { reset: ['viewport'] })
  }

interface AuditedPage {
  readonly page: Page
  readonly deadline: Deadline
  readonly scripts: typeof import('./audit-scripts.ts').auditScripts
  /** Those that axe-core has audited, in its order. */
  readonly documents: AuditedDocument[]
  /** Takes back the narrow window, while it is there. */
  widen?: (() => Promise<unknown>) | undefined
  /** How many elements may still be looked up in the sources. */
  origins: number
}

interface AuditedDocument {
  readonly frame: Frame
  /** The targets of its frame and of those around it, as in violations. */
  readonly target: readonly AxeFrame['target'][]
  /** The selectors of the same. */
  readonly selectors: readonly string[]
}

type InAudit<A, T> = (matches: AuditMatches, arg: A) => T | Promise<T>

const END_TIMEOUT_MS = 500
const FRAME_TIMEOUT_MS = 3000
const FRAME_LIMIT = 30
const ORIGIN_TIMEOUT_MS = 2000
/** What is left to the audit in the narrow window at least. */
const NARROW_LEAST_MS = 1000
const ORIGIN_LIMIT = 300
const SHADOW_ORIGIN_LIMIT = 30
/** Of a rule, the elements that are looked for; the others are counted. */
const ELEMENT_LIMIT = 200

async function auditAll(audited: AuditedPage, narrow: Narrow): Promise<PageAudit> {
  const { page, scripts } = audited
  await settleWithin(FRAME_TIMEOUT_MS, takeUnseenTree(page))
  const main = mainDocument(audited)
  const vitals = JSON.parse(
    await runInFrame(main.frame, scripts.readVitals, undefined),
  ) as readonly VitalReport[]
  const { issues, ...viewport } = await readLayout(audited, main)
  const mainElements = await describeElements(audited, main)
  const elementAt = (index: number) => mainElements[index]
  const accessibility = await runAxe(audited, main)
  const layout = layoutFindings(issues, elementAt, false)
  const narrowLayout = await readNarrowLayout(audited, main, narrow)
  return {
    viewport,
    vitals: vitals.map(({ name, value, rating }) => ({ name, value, rating })),
    findings: [
      ...accessibility.findings,
      ...vitalFindings(vitals, elementAt, page.url()),
      ...layout,
      ...onlyNarrow(narrowLayout.findings, layout),
    ],
    notes: [...narrowLayout.notes, ...accessibility.notes],
  }
}

async function auditAccessibility(audited: AuditedPage): Promise<PageAudit> {
  const { width, height } = audited.page.viewportSize() ?? { width: 0, height: 0 }
  return { viewport: { width, height }, vitals: [], ...(await runAxe(audited, mainDocument(audited))) }
}

const mainDocument = ({ page }: AuditedPage): AuditedDocument => ({
  frame: page.mainFrame(),
  target: [],
  selectors: [],
})

/** The violations in all documents, and how many of them did not answer. */
async function runAxe(
  audited: AuditedPage,
  main: AuditedDocument,
): Promise<Pick<PageAudit, 'findings' | 'notes'>> {
  const { scripts, documents } = audited
  const partials = await auditDocument(audited, main, null)
  const json = await runInFrame(main.frame, scripts.finishAxe, partials.slice(1))
  const violations = JSON.parse(json) as readonly (AxeViolation & { readonly count: number })[]
  const elements = await findViolationElements(audited, violations)
  const missing = partials.filter((partial) => partial === null).length
  return {
    findings: violations.map((violation, index) =>
      accessibilityFinding(violation, violation.count, elements[index] ?? []),
    ),
    notes: missing > 0 ? [`${missing} of ${documents.length} frames did not answer to axe-core.`] : [],
  }
}

/** The results of axe-core in a document and its frames, in its order; null for one that did not answer. */
async function auditDocument(
  audited: AuditedPage,
  document: AuditedDocument,
  context: unknown,
): Promise<readonly unknown[]> {
  const { scripts, documents } = audited
  if (documents.length > FRAME_LIMIT) return [null]
  documents.push(document)
  const run = runInFrame(document.frame, scripts.runAxe, context)
  const answer = context === null ? await run : await settleWithin(FRAME_TIMEOUT_MS, run)
  if (typeof answer !== 'string') return [null]
  const { frames, partial = true } = JSON.parse(answer) as { frames: readonly AxeFrame[]; partial?: unknown }
  const results: unknown[] = [partial]
  for (const { target, selector, context: inner } of frames) {
    const frame = selector === '' ? undefined : await findFrame(document.frame, selector)
    const place = { target: [...document.target, target], selectors: [...document.selectors, selector] }
    results.push(...(frame ? await auditDocument(audited, { frame, ...place }, inner) : [null]))
  }
  return results
}

/** The frame of an element; undefined if it is gone. */
async function findFrame(parent: Frame, selector: string): Promise<Frame | undefined> {
  const timeout = FRAME_TIMEOUT_MS
  const handle = await attempt(parent.locator(selector).first().elementHandle({ timeout }), browserError)
  if (!handle.ok || !handle.value) return undefined
  const frame = await handle.value.contentFrame()
  await handle.value.dispose()
  return frame ?? undefined
}

/** The elements of the nodes of each violation, as far as they are shown. */
async function findViolationElements(
  audited: AuditedPage,
  violations: readonly AxeViolation[],
): Promise<readonly (readonly (FoundElement | undefined)[])[]> {
  const { scripts, documents } = audited
  const elementsByRule = violations.map(({ nodes }) =>
    nodes.slice(0, ELEMENT_LIMIT).map((): FoundElement | undefined => undefined),
  )
  for (const document of documents) {
    const key = JSON.stringify(document.target)
    const places = violations.flatMap(({ nodes }, rule) =>
      nodes.slice(0, ELEMENT_LIMIT).flatMap(({ target }, node) => {
        const own = target.at(-1)
        return own !== undefined && JSON.stringify(target.slice(0, -1)) === key ? [{ rule, node, own }] : []
      }),
    )
    if (places.length === 0) continue
    const targets = places.map(({ own }) => own)
    const indexes = await runInFrame(document.frame, scripts.findAxeElements, targets)
    const elements = await describeElements(audited, document)
    for (const [index, { rule, node }] of places.entries())
      (elementsByRule[rule] ?? [])[node] = elements[indexes[index] ?? -1]
  }
  return elementsByRule
}

const readLayout = async (
  { scripts }: AuditedPage,
  { frame }: AuditedDocument,
): Promise<PageAudit['viewport'] & { readonly issues: readonly LayoutIssue[] }> =>
  JSON.parse(await runInFrame(frame, scripts.readLayoutIssues, undefined)) as never

async function readNarrowLayout(
  audited: AuditedPage,
  main: AuditedDocument,
  narrow: Narrow,
): Promise<{ readonly findings: readonly Finding[]; readonly notes: readonly string[] }> {
  const { scripts, deadline } = audited
  if (deadline.remaining() < NARROW_LEAST_MS)
    return { findings: [], notes: [`No time was left for ${NARROW_WIDTH_PX} px.`] }
  await runInFrame(main.frame, scripts.noteScrolling, undefined)
  const restore = await narrow()
  if (typeof restore === 'string') return { findings: [], notes: [restore] }
  audited.widen = async () => {
    audited.widen = undefined
    await restore()
    await runInFrame(main.frame, scripts.restoreScrolling, undefined)
  }
  try {
    await runInFrame(main.frame, scripts.waitForDrawing, undefined)
    const { issues } = await readLayout(audited, main)
    const elements = await describeElements(audited, main)
    return { findings: layoutFindings(issues, (index) => elements[index], true), notes: [] }
  } finally {
    await audited.widen?.()
  }
}

/** What was found in a document since the last call of this function. */
async function describeElements(
  audited: AuditedPage,
  { frame, selectors }: AuditedDocument,
): Promise<readonly FoundElement[]> {
  const json = await runInFrame(frame, audited.scripts.describeFound, undefined)
  const described = JSON.parse(json) as readonly DescribedElement[]
  const origins = await readOrigins(audited, frame, described)
  const around = selectors.map((one) => `${one} >> internal:control=enter-frame >> `).join('')
  return described.map((element, index): FoundElement => {
    const origin = origins[index]
    const { ref, selector } = element
    return {
      ...element,
      selector: `${around}${selector}`,
      ...(ref !== undefined && { ref: sessionRefOf(audited.page, ref) }),
      origin,
    }
  })
}

/** The origins of the first elements: those of a document with one message, those in shadow roots one by one. */
async function readOrigins(
  audited: AuditedPage,
  frame: Frame,
  described: readonly DescribedElement[],
): Promise<readonly (ElementOrigin | undefined)[]> {
  const read = described.slice(0, audited.origins)
  audited.origins -= read.length
  if (read.length === 0) return []
  const pathOf = ({ selector }: DescribedElement) => /^css=(.*)$/.exec(selector)?.[1] ?? ':not(*)'
  const paths = read.map(pathOf)
  const answer = readOriginsAtPaths(frame.locator(':root'), paths, ORIGIN_TIMEOUT_MS)
  const result = await attempt(answer, browserError)
  const origins = result.ok ? [...result.value] : []
  const inShadow = read.flatMap(({ selector }, index) =>
    selector.startsWith('css=') ? [] : [{ selector, index }],
  )
  for (const { selector, index } of inShadow.slice(0, SHADOW_ORIGIN_LIMIT)) {
    const locator = frame.locator(selector).first()
    const origin = await attempt(readElementOrigin(locator, ORIGIN_TIMEOUT_MS), browserError)
    if (origin.ok) origins[index] = origin.value
  }
  return origins
}

/** Runs a function with the root of a frame in Playwright's world, or where that cannot be reached in the page's own. */
async function runInFrame<A, T>(frame: Frame, work: InAudit<A, T>, arg: A, then?: 'end'): Promise<T> {
  const root = frame.locator(':root')
  const answer = await evaluateInternally(root, work, arg)
  if (answer) return answer.result
  const composed = composeInPage(runInMainWorld, String(work))
  return (await root.evaluate(composed, { arg, isLast: then === 'end' })) as T
}
