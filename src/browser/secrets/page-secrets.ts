// Reads the fields and the storage of a page, before anything of it is shown. The core decides which of their values are secrets.

import { describeField } from '../in-page/dom/describe-field.ts'
import { collectFields, type FieldsReport } from '../in-page/secrets/collect-fields.ts'
import { composeInPage } from '../playwright/compose-in-page.ts'
import { runScript } from '../playwright/run-script.ts'
import { settleWithin } from '../../runtime/calls/settle-within.ts'
import type { Tab } from '../tab/tab.ts'
import type { CookieReport, PageReport } from '../../core/redaction/page-secrets.ts'

const FRAMES_AT_ONCE = 50
const composedCollectFields = composeInPage(collectFields, { describeField })

/** What the page, its frames and its context report; undefined if one of them does not within the timeout. */
export async function readPageReport(tab: Tab, timeoutMs: number): Promise<PageReport | undefined> {
  const [reports, cookies] = await Promise.all([
    readFieldReports(tab, timeoutMs),
    settleWithin(timeoutMs, tab.context.cookies() as Promise<readonly CookieReport[]>),
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

// The page reports the frames that its scripts can access too; if there are others, each frame is asked, some at a time.
async function readFieldReports(
  { page, recovery }: Tab,
  timeoutMs: number,
): Promise<FieldsReport[] | undefined> {
  const deadline = performance.now() + timeoutMs
  const remainingMs = () => Math.max(1, deadline - performance.now())
  const reading = runScript(page, await recovery.cdp, composedCollectFields, undefined)
  const top = await settleReport(remainingMs(), reading)
  const frames = page.frames()
  if (!top || (top.closed === 0 && top.documents >= frames.length)) return top && [top]
  const reports = [top]
  for (let from = 1; from < frames.length; from += FRAMES_AT_ONCE) {
    const group = frames.slice(from, from + FRAMES_AT_ONCE)
    const frameReports = await Promise.all(
      group.map((frame) => settleReport(remainingMs(), frame.evaluate(composedCollectFields))),
    )
    if (frameReports.includes(undefined)) return undefined
    reports.push(...frameReports.flatMap((report) => report ?? []))
  }
  return reports
}

// A document that was replaced meanwhile is not shown any more.
async function settleReport(
  timeoutMs: number,
  work: Promise<FieldsReport>,
): Promise<FieldsReport | undefined> {
  const report = await settleWithin(timeoutMs, work)
  return report instanceof Error ? { fields: [], storage: [], documents: 0, closed: 0 } : report
}
