import { hasServerMarks } from '../in-page/recording/server-rendered.ts'
import { evaluateInternally } from '../playwright/internals.ts'
import { attempt } from '../playwright/errors.ts'
import { describeElement, describeSelector } from '../recording/describe-element.ts'
import type { TabList } from '../tab/tab-list.ts'
import type { RecordedPage } from '../../runtime/ports/page/recorded-page.ts'

/** The methods for a recording. They do not wait for the turn of an action, because they run beside it. */
export const createRecordedPage = (tabs: TabList): RecordedPage => ({
  describeElement: (target, deadline, purpose) =>
    describeElement(tabs.active().page, target, deadline, purpose),
  describeSelector: (selector) => describeSelector(tabs.active().page, selector),
  async isServerRendered() {
    const root = tabs.active().page.locator(':root')
    const marks = await attempt(evaluateInternally(root, hasServerMarks, undefined), () => undefined)
    return marks.ok && marks.value?.result === true
  },
  tabIds: () => ({ active: tabs.idOf(tabs.active()), all: tabs.all().map(([id]) => id) }),
})
