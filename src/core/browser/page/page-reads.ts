// The methods that show a part of a page. What may have its secrets waits for them, and redacts or masks them.

import type { Page as PlaywrightPage } from 'playwright'
import { evaluate } from '../actions/evaluate.ts'
import { listPageTools } from '../../../features/page-tools/page-tools.ts'
import { readFields } from '../actions/read-fields.ts'
import { auditPage, narrowWindow } from '../../../features/audit/audit-page.ts'
import { compareScreenshot } from '../../../features/baseline/compare-screenshot.ts'
import { addContentMargins, readContent, readDom, removeContentMargins } from '../content/read-content.ts'
import { readOrigin } from '../../../features/sources/element-origin.ts'
import { takeScreenshot } from '../screenshot/screenshot.ts'
import { readLayout } from '../../../features/audit/in-page/generated.ts'
import { isChromium, playwrightOptions } from '../playwright/engine.ts'
import { attempt, browserError, isHeadlessOnly, unsupportedFailure } from '../playwright/errors.ts'
import { secretsNotReported, type RedactValue } from '../tab/page-redaction.ts'
import type { PageParts } from './page-parts.ts'
import { readTree } from './read-tree.ts'
import { type Tab, readPageTitle } from '../tab/tab.ts'
import type { Failure, Outcome } from '../../base/failure.ts'
import { err, ok } from '../../base/result.ts'
import type { Deadline } from '../../base/system/deadline.ts'
import type { Page } from '../../sessions/types/page.ts'

export function createPageReads(parts: PageParts) {
  const { runOnTab, redaction, secrets } = parts
  const readRedacted = <T, R>(
    read: (tab: Tab) => Promise<Outcome<T>>,
    deadline: Deadline,
    redact: RedactValue<T, R>,
  ) => runOnTab((tab) => redaction.reveal(tab, deadline, read(tab), redact))
  const maskOn =
    (tab: Tab, deadline: Deadline) =>
    async <T>(work: () => Promise<Outcome<T>>): Promise<Outcome<T>> =>
      (await redaction.withMasks(tab, deadline.remaining(), work)) ??
      err(secretsNotReported(deadline.timeout))
  const readMasked = <T>(deadline: Deadline, read: (tab: Tab) => Promise<Outcome<T>>) =>
    runOnTab((tab) => maskOn(tab, deadline)(() => read(tab)))
  return {
    title: (deadline) => readRedacted(({ page }) => attempt(readPageTitle(page), browserError), deadline, ok),
    evaluate: (script, arg, target, deadline) =>
      runOnTab(
        (tab) => parts.news.settle().then(() => evaluate(tab, script, arg, target, deadline)),
        () => ({
          result: null,
          notes: ['a dialog or the closing of the tab interrupted the script; its result is lost'],
        }),
      ),
    readFields: (fields) =>
      runOnTab(async ({ page }) => ok(await readFields(page, fields))).then(valueOrNone),
    tree: (options, deadline) => runOnTab((tab) => readTree(tab, options, deadline, parts)),
    origin: (target, deadline) =>
      readRedacted(({ page }) => readOrigin(page, target, deadline.remaining()), deadline, ok),
    content: (options, deadline) =>
      readRedacted(
        ({ page }) => readContent(page, addContentMargins(options)),
        deadline,
        (content) => ok(removeContentMargins(content, options, secrets)),
      ),
    dom: (options, deadline) => readRedacted(({ page }) => readDom(page, options), deadline, ok),
    screenshot: (options, deadline) =>
      readMasked(deadline, ({ page }) => takeScreenshot(page, options, deadline)),
    compareScreenshot: (options, deadline) =>
      runOnTab((tab) => {
        const readBoxes = () => readTree(tab, { boxes: true }, deadline, parts)
        const comparedTab = { page: tab.page, mask: maskOn(tab, deadline), readTree: readBoxes }
        return compareScreenshot(comparedTab, options, deadline)
      }),
    layout: (deadline) => runOnTab(({ page }) => readPageLayout(page, deadline)),
    audit: (deadline, only) =>
      readRedacted(
        (tab) => auditPage(tab.page, only ? undefined : narrowWindow(tab, parts.emulation), deadline),
        deadline,
        ok,
      ),
    // Each snapshot asks for them.
    offeredTools: async (deadline) =>
      parts.offersTools
        ? readRedacted(({ page }) => listPageTools(page, deadline), deadline, ok)
        : err(NO_OFFERS),
    pdf: (deadline) => readMasked(deadline, printPdf),
  } satisfies Partial<Page>
}

const NO_OFFERS: Failure = {
  code: 'BROWSER_ERROR',
  text: 'this browser was started without WebMCP, so pages offer no tools',
  next: 'Start Footlight with --tools +page_tools; in a shell with FOOTLIGHT_TOOLS=+page_tools, after footlight daemon stop.',
}

const valueOrNone = <T>(outcome: Outcome<readonly T[]>): readonly T[] => (outcome.ok ? outcome.value : [])

const readPageLayout = (page: PlaywrightPage, deadline: Deadline) =>
  attempt(page.locator(':root').evaluate(readLayout, undefined, playwrightOptions(deadline)), browserError)

const printPdf = async ({ page }: Tab): Promise<Outcome<Uint8Array>> =>
  isChromium(page)
    ? attempt(page.pdf({ printBackground: true }), pdfFailure)
    : err(unsupportedFailure('firefox', 'print to PDF'))

const pdfFailure = (error: Error): Failure =>
  isHeadlessOnly(error) ? unsupportedFailure('a browser with windows', 'print to PDF') : browserError(error)
