// What shows something of a page: each waits for the page's secrets, and is redacted or masked by them.

import { screenshot } from '../observe/screenshot.ts'
import { content, dom, withMargins, withoutMargins } from '../observe/content.ts'
import { unsupported } from '../actions/emulate.ts'
import { attempt, browserError, messageOf } from '../playwright/errors.ts'
import { unreported, type PageRedaction, type Shape } from '../secrets/page-redaction.ts'
import { isChromium } from './hang-recovery.ts'
import type { Tab } from './tabs.ts'
import { titleOf } from './title-and-url.ts'
import { redactedTree, takeAriaSnapshot } from '../observe/aria-snapshot.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import { err, map, ok } from '../../core/result.ts'
import type { SecretHooks } from '../../runtime/ports/browsers.ts'
import type { Call, Page } from '../../runtime/ports/page.ts'

type Use = <T>(work: (tab: Tab) => Promise<Outcome<T>>) => Promise<Outcome<T>>
type Reads = Pick<Page, 'title' | 'tree' | 'content' | 'dom' | 'screenshot' | 'pdf'>

/** The reading methods of a page. `use` runs work on the active tab. */
export function readsOf(use: Use, redaction: PageRedaction, secrets: SecretHooks | undefined): Reads {
  const shows = <T, R>(work: (tab: Tab) => Promise<Outcome<T>>, call: Call, shape: Shape<T, R>) =>
    use((tab) => redaction.reveal(tab, call, work(tab), shape))
  const masked = <T>(call: Call, work: (tab: Tab) => Promise<Outcome<T>>) =>
    use(
      async (tab) =>
        (await redaction.mask(tab, call.timeout, () => work(tab))) ?? err(unreported(call.timeout)),
    )
  return {
    title: (call) => shows(({ page }) => attempt(titleOf(page), browserError), call, ok),
    tree: (options, call) =>
      shows(
        async ({ page }) => map(await takeAriaSnapshot(page, options, call), (tree) => ({ page, tree })),
        call,
        ({ page, tree }, chosen) => redactedTree(page, tree, chosen, secrets),
      ),
    content: (options, call) =>
      shows(
        ({ page }) => content(page, withMargins(options)),
        call,
        (found) => ok(withoutMargins(found, options, secrets)),
      ),
    dom: (options, call) => shows(({ page }) => dom(page, options), call, ok),
    screenshot: (options, call) => masked(call, ({ page }) => screenshot(page, options, call)),
    pdf: (call) =>
      masked(call, async ({ page }) =>
        isChromium(page)
          ? attempt(page.pdf({ printBackground: true }), (error) => unprinted(error))
          : err(unsupported('firefox', 'print to PDF')),
      ),
  }
}

const unprinted = (error: Error): Failure =>
  /headed|headless/i.test(messageOf(error))
    ? unsupported('a browser with windows', 'print to PDF')
    : browserError(error)
