// axe-core finds nothing in a report and in an index, light and dark, at the width of a desktop and of a phone.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { renderReport } from '../../src/core/report/render-html.ts'
import { renderIndex } from '../../src/core/report/render-index.ts'
import { summarizeReport, type Report, type ReportEntry } from '../../src/core/report/report.ts'
import { openPages, type BrowserPages } from '../support/checks.ts'
import { install, type Fetched } from '../support/npm.ts'

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
const documents = {
  report: renderReport(report, hashOf),
  index: renderIndex([{ ...summarizeReport(report), path: 'a/report.html' }], hashOf),
}

test.each(Object.entries(documents))(
  '%s',
  async (name, html) => {
    const [page] = browsers.pages
    if (!page) throw new Error('no page')
    const path = join(axe.folder, `${name}.html`)
    writeFileSync(path, html)
    const source = readFileSync(join(axe.folder, 'node_modules/axe-core/axe.min.js'), 'utf8')
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [1280, 360]) {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize({ width, height: 800 })
        await page.goto(pathToFileURL(path).href)
        await page.evaluate(source)
        const run =
          'axe.run().then(({ violations, passes }) => [violations.map(({ id, nodes }) => id + " " + nodes[0].html), passes.length])'
        const [violations, passCount] = await page.evaluate<[string[], number]>(run)
        expect([colorScheme, width, violations]).toEqual([colorScheme, width, []])
        expect(passCount).toBeGreaterThan(10)
        // Nothing is cut off at its right.
        expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
      }
  },
  120_000,
)
