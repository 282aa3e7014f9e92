// Reports and an index for everybody: light and dark, at the width of a desktop and of a phone.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import type { ConsoleMessage, Page, Request } from 'playwright'
import { renderReport } from '../../src/features/lib/html/render-html.ts'
import { type Report, type ReportEntry, summarizeReport } from '../../src/features/lib/html/report.ts'
import { renderIndex } from '../../src/features/report/render-index.ts'
import { type BrowserPages, openPages } from '../support/checks.ts'
import { binary } from '../support/client.ts'
import { type Fetched, install } from '../support/npm.ts'
import { unfoldAll } from '../support/visible-text.ts'

let axe: Fetched
let browsers: BrowserPages
beforeAll(async () => {
  axe = install('axe-core@4.14.1')
  browsers = await openPages('chromium', 1)
}, 300_000)
afterAll(async () => {
  await browsers.close()
  axe.remove()
})

const picture = {
  mimeType: 'image/png',
  base64: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  width: 400,
  height: 250,
} as const
const entries = (['action', 'page', 'console', 'request', 'server'] as const).flatMap((kind, index) =>
  (['error', 'warning', 'info'] as const).map((level, offset): ReportEntry => ({
    seq: index * 3 + offset,
    at: index * 100,
    kind,
    level,
    text: `${kind} ${'text '.repeat(60)}`,
    ...(kind === 'action' && { changes: '+ button "Go"', picture }),
  })),
)
const report: Report = {
  session: 's1',
  startedAt: 0,
  date: '2026-11-26 04:10:00 UTC',
  environment: { browser: 'chromium 156', page: `http://localhost/${'path/'.repeat(60)}` },
  entries,
  failures: [{ seq: 0, at: 1, call: 'click #go', text: `TIMEOUT: ${'text '.repeat(90)}\n at a:1`, picture }],
  dropped: 3,
}
const hashOf = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`
/** What the first command of the README leaves if it is asked for a report. */
function runDemo(): string {
  const output = join(axe.folder, 'demo')
  const env = { ...process.env, FOOTLIGHT_REPORT: 'on', FOOTLIGHT_OUTPUT_DIR: output }
  const { status, stdout } = spawnSync(binary, ['demo'], { env, encoding: 'utf8' })
  expect(status).toBe(0)
  return readFileSync(/Its report is (.+\.html)\./.exec(stdout)?.[1] ?? '', 'utf8')
}

const documents = {
  report: () => renderReport(report, hashOf),
  'report without a failed call': () => renderReport({ ...report, failures: [] }, hashOf),
  index: () => renderIndex([{ ...summarizeReport(report), path: 'a/report.html' }], hashOf),
  'report of the demo': runDemo,
}

/** Tabs through the page, forth and back: what had the focus and could be seen then. */
async function readFocusOrder(page: Page, key: string, count: number): Promise<readonly string[]> {
  const reached: string[] = []
  for (let step = 0; step < count; step += 1) {
    await page.keyboard.press(key)
    reached.push(await page.evaluate(describeFocused))
  }
  return reached
}

/** Runs in the page. */
function describeFocused(): string {
  const focused = document.activeElement ?? document.body
  // A link may take more than one line.
  const [{ left, top, width, height } = new DOMRect()] = focused.getClientRects()
  const hit = document.elementFromPoint(left + Math.min(width, 8) / 2, top + height / 2)
  const isSeen = focused === hit || focused.contains(hit)
  const hasOutline = getComputedStyle(focused).outlineStyle !== 'none'
  return `${focused.outerHTML.slice(0, 80)}${isSeen ? '' : ' is covered'}${hasOutline ? '' : ' has no outline'}`
}

describe.each(Object.entries(documents))('%s', (name, render) => {
  let path: string
  beforeAll(() => {
    path = join(axe.folder, `${name}.html`)
    writeFileSync(path, render())
  }, 60_000)
  const modes = (['light', 'dark'] as const).flatMap((scheme) =>
    [1280, 360].map((width) => [scheme, width] as const),
  )

  test.each(modes)(
    '%s, %p pixels: nothing to find for axe-core, nothing cut off, everything by keyboard, no request, no complaint',
    async (colorScheme, width) => {
      const [page] = browsers.pages
      if (!page) throw new Error('no page')
      const events: string[] = []
      const address = pathToFileURL(path).href
      const onRequest = (request: Request) =>
        void (/^(data:|file:.*html$)/.test(request.url()) || events.push(request.url()))
      const onConsole = (message: ConsoleMessage) => void events.push(message.text())
      page.on('request', onRequest).on('console', onConsole)
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 800 })
      await page.goto(address)
      expect(events).toEqual([])
      page.off('request', onRequest).off('console', onConsole)
      // Nothing is cut off at its right.
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)

      await page.evaluate(unfoldAll)
      const controls = await page.evaluate(() =>
        [...document.querySelectorAll('a[href], input, summary')].map((one) => one.outerHTML.slice(0, 80)),
      )
      const forth = await readFocusOrder(page, 'Tab', controls.length)
      expect(forth).toEqual(controls)
      const back = await readFocusOrder(page, 'Shift+Tab', controls.length - 1)
      expect(back.toReversed()).toEqual(controls.slice(0, -1))
      for (const link of await page.locator('a[href^="#"]').all()) {
        // What is folded is opened by a link to it.
        await link.evaluate((one) => {
          for (const part of document.querySelectorAll('details')) part.open = part.contains(one)
        })
        await link.press('Enter')
        const target = page.locator(':target')
        const isSeen = await target.evaluate((one) => {
          const { left, top } = one.getBoundingClientRect()
          return top < innerHeight && one.contains(document.elementFromPoint(left + 12, top + 12))
        })
        expect([await link.textContent(), isSeen]).toEqual([await link.textContent(), true])
      }

      await page.evaluate(unfoldAll)
      await page.evaluate(readFileSync(join(axe.folder, 'node_modules/axe-core/axe.min.js'), 'utf8'))
      const run =
        'axe.run().then(({ violations, passes }) => [violations.map(({ id, nodes }) => id + " " + nodes[0].html), passes.length])'
      const [violations, passCount] = await page.evaluate<[string[], number]>(run)
      expect(violations).toEqual([])
      expect(passCount).toBeGreaterThan(10)
    },
    120_000,
  )
})
