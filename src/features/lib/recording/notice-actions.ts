// Notices in all frames of a context what a person does in them.

import type { BrowserContext, Frame, Page } from 'playwright'
import { replaceElements } from '../../../core/base/action.ts'
import { isSecretField } from '../../../core/base/redaction/secret-names.ts'
import { readFrameSelector, runInMainWorld } from '../../../core/browser/playwright/internals.ts'
import type { RecordedAction, RecordedElement } from '../../../core/sessions/types/recorded-step.ts'
import type { ActionReport, ReportedElement } from '../in-page/action-watch.ts'
import { watchActions } from '../in-page/generated.ts'
import { ENTER_FRAME, toElementLocator } from './recorded-element.ts'

interface NoticedReport {
  readonly page: Page
  readonly url: string
  readonly report: ActionReport
  /** The report as an action, once the frame that it is in is known; undefined for `settle`. */
  toAction(): Promise<RecordedAction | undefined>
}

/** Calls back in the order of the actions, from now on, in these pages and those that the context opens, until the returned function is called. */
export async function noticeActions(
  context: BrowserContext,
  pages: readonly Page[],
  onReport: (noticed: NoticedReport) => void,
): Promise<() => Promise<void>> {
  const reportName = `__${crypto.randomUUID().replaceAll('-', '')}`
  const prefixes = new WeakMap<Frame, Promise<string>>()
  // A frame that is gone can no longer be asked.
  const rememberPrefix = (frame: Frame): Promise<string> => {
    const prefix = readPrefix(frame).catch(() => '')
    prefixes.set(frame, prefix)
    return prefix
  }
  const install = (frame: Frame) => {
    void runInMainWorld(frame, watchActions, reportName).catch(() => {})
    void rememberPrefix(frame)
  }
  const binding = await context.exposeBinding(reportName, ({ page, frame }, report: ActionReport) => {
    const prefix = prefixes.get(frame) ?? rememberPrefix(frame)
    const toAction = async () => toRecordedAction(report, page, await prefix)
    onReport({ page, url: page.url(), report, toAction })
  })
  const watched = new Set<Page>()
  const watch = (page: Page) => {
    watched.add(page)
    page.on('frameattached', install)
    page.on('framenavigated', install)
    for (const frame of page.frames()) install(frame)
  }
  context.on('page', watch)
  pages.forEach(watch)
  return async () => {
    context.off('page', watch)
    for (const page of watched) page.off('frameattached', install).off('framenavigated', install)
    await binding.dispose()
  }
}

// --- internal ---

async function readPrefix(frame: Frame): Promise<string> {
  const parent = frame.parentFrame()
  if (!parent) return ''
  const [outer, selector] = await Promise.all([readPrefix(parent), readFrameSelector(frame)])
  return `${outer}${selector}${ENTER_FRAME}`
}

async function toRecordedAction(
  report: ActionReport,
  page: Page,
  prefix: string,
): Promise<RecordedAction | undefined> {
  const toElement = ({ selectors, isInFrame: _, field, ...element }: ReportedElement): RecordedElement => ({
    ...element,
    locators: selectors.map((selector) => toElementLocator(page, `${prefix}${selector}`)),
    isSecret: isSecretField(field),
  })
  if (report.kind === 'settle') return undefined
  return replaceElements(report, toElement)
}
