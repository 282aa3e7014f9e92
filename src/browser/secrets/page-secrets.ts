// Asks the pages of a session which secrets they hold, before anything of them is shown. What counts as one is decided in the core.

import { describeField } from '../in-page/dom/describe-field.ts'
import { collectFields, type FieldsReport } from '../in-page/secrets/collect-fields.ts'
import { composeInPage } from '../playwright/compose-in-page.ts'
import { runScript } from '../playwright/run-script.ts'
import { settleWithin } from '../../runtime/calls/settle-within.ts'
import type { Tab } from '../tab/tab.ts'
import type { CookieReport, PageReport } from '../../core/redaction/page-secrets.ts'

const FRAMES_AT_ONCE = 50
const composedCollectFields = composeInPage(collectFields, { describeField })

/** What the page, its frames and its context report, or undefined where one of them does not within `ms` milliseconds. */
export async function readPageReport(tab: Tab, ms: number): Promise<PageReport | undefined> {
  const [reports, cookies] = await Promise.all([
    fieldReports(tab, ms),
    settleWithin(ms, tab.context.cookies() as Promise<readonly CookieReport[]>),
  ])
  // A page that has just been closed has nothing left to report.
  if (tab.failure()) return { fields: [], storage: [], cookies: [] }
  if (!reports || cookies === undefined) return undefined
  return {
    fields: reports.flatMap(({ fields }) => fields),
    storage: reports.flatMap(({ storage }) => storage),
    cookies: cookies instanceof Error ? [] : cookies,
  }
}

// The page answers for the frames that it may look into; if there are others, each is asked, some at a time.
async function fieldReports({ page, recovery }: Tab, ms: number): Promise<FieldsReport[] | undefined> {
  const until = performance.now() + ms
  const left = () => Math.max(1, until - performance.now())
  const top = await reportOf(left(), runScript(page, await recovery.cdp, composedCollectFields, undefined))
  const frames = page.frames()
  if (!top || (top.closed === 0 && top.documents >= frames.length)) return top && [top]
  const all = [top]
  for (let from = 1; from < frames.length; from += FRAMES_AT_ONCE) {
    const group = frames.slice(from, from + FRAMES_AT_ONCE)
    const inner = await Promise.all(
      group.map((frame) => reportOf(left(), frame.evaluate(composedCollectFields))),
    )
    if (inner.includes(undefined)) return undefined
    all.push(...inner.flatMap((report) => report ?? []))
  }
  return all
}

// A document that went away while it was asked is not shown any more.
async function reportOf(ms: number, work: Promise<FieldsReport>): Promise<FieldsReport | undefined> {
  const report = await settleWithin(ms, work)
  return report instanceof Error ? { fields: [], storage: [], documents: 0, closed: 0 } : report
}
