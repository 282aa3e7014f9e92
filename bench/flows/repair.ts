// `bun bench/flows/repair.ts [--seed N] [--cases N]`: locators that find nothing after a change of a page. Where the locator alone is out of date the
// right element must be offered; where its text or its role changed, nothing. Every offer is tried on the changed page.

import process from 'node:process'
import { chromium, type Frame, type Locator } from 'playwright'
import { internalsOf, selectorOf } from '../../src/core/browser/playwright/internals.ts'
import { findRepair, readMark } from '../../src/features/run-test/in-page/generated.ts'
import { APPLICATION_CHANGES, createCase, LOCATOR_CHANGES, type PageChange } from './changed-pages.ts'

const optionOf = (name: string, fallback: number): number =>
  process.argv.includes(name) ? Number(process.argv[process.argv.indexOf(name) + 1]) : fallback
const caseCount = optionOf('--cases', 300)
const seed = optionOf('--seed', 1)

/** Two changes of a locator for each of the application. */
const changeOf = (index: number): PageChange => {
  const third = Math.floor(index / 3)
  return index % 3 === 2
    ? (APPLICATION_CHANGES[third % APPLICATION_CHANGES.length] ?? 'text')
    : (LOCATOR_CHANGES[(third * 2 + (index % 3)) % LOCATOR_CHANGES.length] ?? 'id')
}

interface ServerFrame {
  context(world: 'utility'): Promise<{
    injectedScript(): Promise<{
      evaluate<A, T>(work: (injected: never, arg: A) => T, arg: A): Promise<Awaited<T>>
    }>
  }>
}

interface Row {
  cases: number
  offered: number
  right: number
  said: number
}

const rows = new Map<PageChange, Row>()
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium-headless-shell',
  args: ['--no-sandbox'],
})
const page = await browser.newPage()
// Code of a locator, as a test has it.
const locatorFrom = (code: string): Locator => new Function('page', `return page.${code}`)(page)

async function run<A extends object, T>(work: (injected: never, arg: A) => T, arg: A): Promise<Awaited<T>> {
  const world = await internalsOf<ServerFrame>(page.mainFrame() as Frame)?.context('utility')
  const injected = await world?.injectedScript()
  if (!injected) throw new Error('Playwright has it elsewhere')
  return injected.evaluate(work, arg)
}

for (let index = 0; index < caseCount; index += 1) {
  const change = changeOf(index)
  const { locator, before, after } = createCase(change, seed * 10_000 + index)
  const row = rows.get(change) ?? { cases: 0, offered: 0, right: 0, said: 0 }
  rows.set(change, row)
  const selector = selectorOf(locatorFrom(locator))
  await page.setContent(before)
  const mark = await run(readMark, { selector })
  await page.setContent(after)
  const found = mark === '' ? undefined : await run(findRepair, { selector, mark, frame: '' })
  row.cases += 1
  if (found?.state === 'changed' || found?.state === 'fewer') row.said += 1
  const offer = found?.state === 'offered' ? page.locator(found.locator) : undefined
  const isRight = offer && (await offer.count()) === 1 && (await offer.getAttribute('data-target')) === '1'
  if (offer) row.offered += 1
  if (isRight) row.right += 1
  const isAsked = LOCATOR_CHANGES.some((one) => one === change)
  if (isAsked ? !isRight : offer)
    console.error(`bench: ${change} ${index}: ${locator}: ${mark === '' ? 'no mark' : JSON.stringify(found)}`)
}
await browser.close()

console.log('| change | cases | offered | the right element | said that the application changed |')
console.log('| --- | --- | --- | --- | --- |')
for (const [change, { cases, offered, right, said }] of rows)
  console.log(`| ${[change, cases, offered, right, said].join(' | ')} |`)
