import { hasServerMarks } from '../in-page/recording/server-rendered.ts'
import { describeField } from '../in-page/dom/describe-field.ts'
import { isSecretElement } from '../in-page/secrets/secret-field.ts'
import { findFocusedElement } from '../forms/focused-element.ts'
import { composeInPage } from '../playwright/compose-in-page.ts'
import { composedIsSecretField } from '../secrets/secret-field.ts'
import { describeElement, describeSelector } from '../recording/describe-element.ts'
import type { TabList } from '../tab/tab-list.ts'
import { settleWithin } from '../../runtime/calls/settle-within.ts'
import type { RecordedPage } from '../../runtime/ports/page/recorded-page.ts'

const READ_TIMEOUT_MS = 500
const composedIsSecretElement = composeInPage(isSecretElement, {
  describeField,
  isSecretField: composedIsSecretField,
})

/** The methods for a recording. They do not wait for the turn of an action, because they run beside it. */
export const createRecordedPage = (tabs: TabList): RecordedPage => ({
  describeElement: (target, deadline, purpose) =>
    describeElement(tabs.active().page, target, deadline, purpose),
  describeSelector: (selector) => describeSelector(tabs.active().page, selector),
  async isSecretFocused() {
    const reading = findFocusedElement(tabs.active().page).then((element) =>
      element?.evaluate(composedIsSecretElement),
    )
    return (await settleWithin(READ_TIMEOUT_MS, reading)) === true
  },
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
