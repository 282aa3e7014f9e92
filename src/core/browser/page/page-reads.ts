// The methods that show a part of a page. What may have its secrets waits for them, and redacts or masks them.

import { evaluate } from '../actions/evaluate.ts'
import { readFields } from '../actions/read-fields.ts'
import { addContentMargins, readContent, readDom, removeContentMargins } from '../content/read-content.ts'
import { takeScreenshot } from '../screenshot/screenshot.ts'
import { attempt, browserError } from '../playwright/errors.ts'
import type { PageParts } from './page-parts.ts'
import { readTree } from './read-tree.ts'
import { readPageTitle } from '../tab/tab.ts'
import type { Outcome } from '../../base/failure.ts'
import { ok } from '../../base/result.ts'
import type { Page } from '../../sessions/types/page.ts'

export function createPageReads(parts: PageParts) {
  const { runOnTab, readRedacted, readMasked, secrets } = parts
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
    content: (options, deadline) =>
      readRedacted(
        ({ page }) => readContent(page, addContentMargins(options)),
        deadline,
        (content) => ok(removeContentMargins(content, options, secrets)),
      ),
    dom: (options, deadline) => readRedacted(({ page }) => readDom(page, options), deadline, ok),
    screenshot: (options, deadline) =>
      readMasked(deadline, ({ page }) => takeScreenshot(page, options, deadline)),
  } satisfies Partial<Page>
}

const valueOrNone = <T>(outcome: Outcome<readonly T[]>): readonly T[] => (outcome.ok ? outcome.value : [])
