// axe-core finds nothing in the page of the view, light and dark, at the width of a desktop and of a phone.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { clock } from '../../src/core/base/system/timer.ts'
import { serveView, type View } from '../../src/features/view/serve-view.ts'
import { type BrowserPages, openPages } from '../support/checks.ts'
import { createFakeViews } from '../support/fake-views.ts'
import { type Fetched, install } from '../support/npm.ts'

let axe: Fetched
let browsers: BrowserPages
let view: View
const views = createFakeViews('shop', 'blog')
beforeAll(async () => {
  axe = install('axe-core@4.14.1')
  browsers = await openPages('chromium', 1, { network: true })
  view = await serveView({ views, ownSocket: () => undefined, clock, onBug: () => {} })
}, 300_000)
afterAll(async () => {
  await browsers.close()
  view.close()
  axe.remove()
})

async function findViolations(page: Page): Promise<string[]> {
  const source = readFileSync(join(axe.folder, 'node_modules/axe-core/axe.min.js'), 'utf8')
  const run =
    'axe.run().then(({ violations, passes }) => [...violations.map(({ id, nodes }) => id + " " + nodes[0].html), ...passes.length > 10 ? [] : ["few rules"]])'
  const results: string[] = []
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [1280, 360]) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 800 })
      await page.evaluate(source)
      results.push(...(await page.evaluate<string[]>(run)))
      // Nothing is cut off at its right.
      if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)) results.push('wide')
    }
  return results
}

test('the grid, a session, while a person has it and while one comments, pins in all states', async () => {
  const page = browsers.pages[0] as Page
  views.setControl('blog', { by: 'nobody', reason: 'solve the captcha' })
  for (const [seq, kind] of (['action', 'page', 'console', 'request', 'server'] as const).entries())
    for (const [offset, level] of (['error', 'warning', 'info'] as const).entries())
      views.entries.push({
        seq: seq * 3 + offset + 1,
        at: 2000,
        kind,
        level,
        text: 'text '.repeat(30),
        changes: '+ a',
      })
  views.draw('shop')
  await page.goto(view.createAddress())
  await page.getByRole('link', { name: 'blog' }).waitFor()
  expect(await findViolations(page)).toEqual([])
  await page.getByRole('link', { name: 'shop' }).click()
  await page.getByRole('listitem').nth(14).waitFor()
  await page.locator('#picture[src^="data:image/jpeg"]').hover()
  await page.getByText('Add to cart').waitFor()
  expect(await findViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Take over' }).click()
  await page.getByText('You are in control.').last().waitFor()
  expect(await findViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Comment', exact: true }).click()
  await page.getByRole('img', { name: 'The page of shop' }).click()
  await page.getByLabel('What do you say about it?').waitFor()
  expect(await findViolations(page)).toEqual([])
  // A pin in each state, one of them of an element that is gone.
  views.pinned = (['draft', 'sent', 'read', 'done', 'question'] as const).map((state, index) => ({
    number: index + 1,
    name: 'button "Add to cart"',
    source: 'src/cart.tsx:12',
    note: 'words '.repeat(20),
    state,
    answer: state === 'done' || state === 'question' ? 'answer' : undefined,
    box: { x: 100 * index, y: 60, width: 50, height: 20 },
    isGone: state === 'read',
  }))
  await page.getByRole('button', { name: 'Reply to comment 5' }).waitFor()
  expect(await findViolations(page)).toEqual([])
}, 120_000)
