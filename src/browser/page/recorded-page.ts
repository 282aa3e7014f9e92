import { hasServerMarks } from '../in-page/recording/server-rendered.ts'
import { describeElement, describeSelector } from '../recording/describe-element.ts'
import type { TabList } from '../tab/tab-list.ts'
import { settleWithin } from '../../runtime/calls/settle-within.ts'
import type { RecordedPage } from '../../runtime/ports/page/recorded-page.ts'

const READ_TIMEOUT_MS = 500

/** The methods for a recording. They do not wait for the turn of an action, because they run beside it. */
export const createRecordedPage = (tabs: TabList): RecordedPage => ({
  describeElement: (target, deadline, purpose) =>
    describeElement(tabs.active().page, target, deadline, purpose),
  describeSelector: (selector) => describeSelector(tabs.active().page, selector),
  async isServerRendered() {
    const { page, recovery } = tabs.active()
    const cdp = await recovery.cdp
    const expression = `(${hasServerMarks})()`
    // Playwright would first load its script into the new document, which takes 20 ms.
    const reading = cdp
      ? cdp.send('Runtime.evaluate', { expression, returnByValue: true }).then(({ result }) => result.value)
      : page.evaluate(expression)
    return (await settleWithin(READ_TIMEOUT_MS, reading)) === true
  },
  tabIds: () => ({ active: tabs.idOf(tabs.active()), all: tabs.all().map(([id]) => id) }),
})
