// Random checks on elements that change while they are waited for, each compared with the assertion of Playwright's test runner that
// says the same. What the last state meets must be met, and what no state meets must not. CASES=500 tries five hundred.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Page } from 'playwright'
import {
  ASSERTED_STATES,
  type ElementCheck,
  type ElementCondition,
  type Target,
} from '../../src/core/base/action.ts'
import { waitForElement } from '../../src/core/browser/checks/wait-for-element.ts'
import { takeAriaSnapshot } from '../../src/core/browser/snapshot/aria-snapshot.ts'
import {
  applySetup,
  type BrowserPages,
  deadlineIn,
  type ElementSetup,
  isAsserted,
  openPages,
} from '../support/checks.ts'
import { pool } from '../support/pool.ts'

const LIMIT_MS = 60_000
/** The time in which a check that must fail does. */
const FAILURE_TIMEOUT_MS = 150

const texts = ['', 'a', 'ab', 'b c', ' b \n c ', 'AB']
const setup: fc.Arbitrary<ElementSetup> = fc.record({
  count: fc.oneof(
    { weight: 5, arbitrary: fc.constant(1) },
    { weight: 1, arbitrary: fc.constantFrom(0, 2, 3) },
  ),
  kind: fc.constantFrom(
    'input',
    'textarea',
    'select',
    'checkbox',
    'radio',
    'switch',
    'button',
    'div',
    'label',
    'editable',
  ),
  hiding: fc.oneof(
    { weight: 3, arbitrary: fc.constant('none' as const) },
    { weight: 2, arbitrary: fc.constantFrom('display', 'visibility', 'parent', 'attribute', 'size') },
  ),
  isDisabled: fc.boolean(),
  isReadonly: fc.boolean(),
  isChecked: fc.boolean(),
  isFocused: fc.boolean(),
  value: fc.constantFrom('', 'a', 'ab', 'b c'),
  text: fc.constantFrom(...texts),
})
const check: fc.Arbitrary<ElementCheck> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('state' as const), state: fc.constantFrom(...ASSERTED_STATES) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('state' as const),
      state: fc.constantFrom('attached', 'detached', 'visible', 'hidden'),
      isFirst: fc.constant(true),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('value' as const),
      value: fc.constantFrom('', 'a', 'ab', 'b c', 'c'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('text' as const),
      text: fc.constantFrom('a', 'ab', 'B  C', 'c', 'Name'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('count' as const), count: fc.nat(3) }) },
)
// Half of the cases change one element, so that its ref stays.
const change = fc.record({ delayMs: fc.nat(40), setup })
const randomCase = fc.record({
  check,
  not: fc.boolean(),
  first: setup,
  changes: fc.array(change, { maxLength: 3 }),
  keepsElement: fc.boolean(),
})

type Case = typeof randomCase extends fc.Arbitrary<infer T> ? T : never

// With fewer than sixty, some kind of case may be too rare by chance.
const CASE_COUNT = Number(process.env['CASES'] ?? 160)

// In Firefox only one page of a browser has the focus.
describe.each([
  ['chromium', CASE_COUNT, 8],
  ['firefox', Math.max(60, CASE_COUNT / 8), 1],
] as const)('%s', (browser, caseCount, pageCount) => {
  let opened: BrowserPages
  beforeAll(async () => {
    opened = await openPages(browser, pageCount)
  }, LIMIT_MS)
  afterAll(() => opened.close())

  test(`${caseCount} of ${caseCount} agree`, async () => {
    const seed = Number(process.env['SEED'] ?? Date.now() % 2 ** 31)
    const cases = fc.sample(randomCase, { seed, numRuns: caseCount })
    const free = pool(opened.pages)
    const results = await Promise.all(cases.map((one) => free.with((page) => compare(page, one))))
    const wrong = results.flatMap((result, index) =>
      result.disagreement ? [{ seed, index, ...result, case: cases[index] }] : [],
    )
    if (process.env['DUMP']) for (const one of wrong) console.log(JSON.stringify(one))
    expect(wrong).toEqual([])
    const kinds = Object.groupBy(results, ({ truth }) => truth)
    // The cases are of both kinds, and many change on the way.
    expect(kinds['met']?.length ?? 0).toBeGreaterThan(caseCount / 10)
    expect(kinds['unmet']?.length ?? 0).toBeGreaterThan(caseCount / 10)
    expect(results.filter(({ isByRef }) => isByRef).length).toBeGreaterThan(caseCount / 20)
  }, 300_000)
})

async function compare(page: Page, one: Case) {
  const { kind, count } = one.first
  const keep = (next: ElementSetup) => (one.keepsElement ? { ...next, kind, count } : next)
  const setups = [one.first, ...one.changes.map((next) => keep(next.setup))]
  const targets = page.locator('.target')
  const asserted: boolean[] = []
  await page.evaluate(clear)
  for (const next of setups) {
    await page.evaluate(applySetup, next)
    asserted.push(await isAsserted(targets, one.check, one.not))
  }
  const truth = asserted.at(-1) ? 'met' : asserted.some(Boolean) ? 'met on the way' : 'unmet'
  await page.evaluate(clear)
  await page.evaluate(applySetup, one.first)
  const target: Target = (one.keepsElement && (await refOf(page))) || { selector: '.target' }
  const condition: ElementCondition = { target, checks: [one.check], not: one.not }
  const noTree = () => Promise.reject(new Error('no tree is needed'))
  const waiting = waitForElement(
    page,
    condition,
    deadlineIn(truth === 'met' ? LIMIT_MS : FAILURE_TIMEOUT_MS),
    noTree,
  )
  const schedule = one.changes.map(({ delayMs, setup: next }) => ({ delayMs, setup: keep(next) }))
  const changing = page.evaluate(runSchedule, [String(applySetup), schedule] as const)
  const [result] = await Promise.all([waiting, changing])
  const disagreement = truth !== 'met on the way' && result.ok !== (truth === 'met')
  return { truth, disagreement, isByRef: 'ref' in target, ...(disagreement && { result, asserted }) }
}

const clear = () => {
  document.body.innerHTML = '<div id="root"></div>'
}

async function runSchedule([source, steps]: readonly [
  string,
  readonly { readonly delayMs: number; readonly setup: ElementSetup }[],
]): Promise<void> {
  const apply = new Function(`return ${source}`)() as (setup: ElementSetup) => void
  for (const { delayMs, setup } of steps) {
    await new Promise((resolve) => setTimeout(resolve, delayMs))
    apply(setup)
  }
}

async function refOf(page: Page): Promise<Target | undefined> {
  const tree = await takeAriaSnapshot(
    page,
    { target: { selector: '.target >> nth=0' } },
    deadlineIn(LIMIT_MS),
  )
  const [node] = tree.ok ? tree.value : []
  const count = await page.locator('.target').count()
  return count === 1 && typeof node === 'object' && node.ref !== undefined ? { ref: node.ref } : undefined
}
