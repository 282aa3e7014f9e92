// Elements that change every few milliseconds and so are never without a property for long: all waits for the opposite must fail. WAITS=18
// makes a thousand of them.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright'
import type { ElementCheck, ExpectedLine } from '../../src/core/base/action.ts'
import { waitForElement } from '../../src/core/browser/checks/wait-for-element.ts'
import { takeAriaSnapshot } from '../../src/core/browser/snapshot/aria-snapshot.ts'
import { parseExpectedLines } from '../../src/core/snapshot/find-lines.ts'
import { type BrowserPages, deadlineIn, openPages } from '../support/checks.ts'
import { pool } from '../support/pool.ts'

const WAIT_MS = 60
const LIMIT_MS = 60_000

interface Flicker {
  /** Two scripts that run in turn; the first one gives what the wait is against. */
  readonly turns: readonly [string, string]
  readonly check?: ElementCheck
  readonly aria?: readonly ExpectedLine[]
  readonly not: boolean
}

const visible: ElementCheck = { kind: 'state', state: 'visible' }
const hidden: ElementCheck = { kind: 'state', state: 'hidden' }
const element = (turns: readonly [string, string], check: ElementCheck, not = true) => ({ turns, check, not })
const flickers: Readonly<Record<string, Flicker>> = {
  'its style': element(["b.style.display = ''", "b.style.display = 'none'"], visible),
  'its style, awaited as hidden': element(
    ["b.style.display = ''", "b.style.display = 'none'"],
    hidden,
    false,
  ),
  'a class of its parent': element(["root.className = ''", "root.className = 'off'"], hidden, false),
  'a rule of a stylesheet': element(
    ['sheet.deleteRule(0)', "sheet.insertRule('#b { display: none }')"],
    visible,
  ),
  'its place in the page': element(
    ['root.append(b)', 'b.remove()'],
    { kind: 'state', state: 'detached' },
    false,
  ),
  'its count': element(['root.append(b)', 'b.remove()'], { kind: 'count', count: 0 }, false),
  'another count': element(['b.after(c)', 'c.remove()'], { kind: 'count', count: 2 }),
  'its value': element(["b.value = 'x'", "b.value = 'y'"], { kind: 'value', value: 'x' }),
  'its checkedness': element(['k.checked = true', 'k.checked = false'], { kind: 'state', state: 'checked' }),
  'its text': element(["t.textContent = 'Busy'", "t.textContent = 'Done'"], { kind: 'text', text: 'Busy' }),
  'its readiness': element(['b.disabled = true', 'b.disabled = false'], { kind: 'state', state: 'disabled' }),
  'its focus': element(['b.focus()', 'b.blur()'], { kind: 'state', state: 'focused' }),
  'its line in the snapshot': {
    turns: ["t.textContent = 'Busy'", "t.textContent = 'Done'"],
    aria: parseExpectedLines('text: Busy'),
    not: true,
  },
  'its name in the snapshot': {
    turns: ["b.ariaLabel = 'Busy'", "b.ariaLabel = 'Done'"],
    aria: parseExpectedLines('textbox "Busy"'),
    not: true,
  },
}
const selectors: Readonly<Record<string, string>> = {
  'its checkedness': '#k',
  'its text': '#t',
  'another count': '.box',
}

// The turns come evenly, randomly, in frames or in messages; some are short.
const schedules = [
  (turn: string) => `setInterval(${turn}, 4)`,
  (turn: string) => `(function next() { ${turn}(); setTimeout(next, Math.random() * 6) })()`,
  (turn: string) => `(function next() { ${turn}(); requestAnimationFrame(next) })()`,
  (turn: string) =>
    `{ const { port1, port2 } = new MessageChannel(); let next = 0; port1.onmessage = () => { if (performance.now() > next) { next = performance.now() + 3; ${turn}() } port2.postMessage(0) }; port2.postMessage(0) }`,
]

const html = (
  [first, second]: readonly [string, string],
  schedule: (turn: string) => string,
) => `<!doctype html>
  <style>.off #b { display: none }</style><style id="s"></style>
  <div id="root"><input id="b" class="box"><input id="k" type="checkbox"><p id="t">Busy</p></div>
  <script>
    const { b, k, t, root } = window, { sheet } = s, c = document.createElement('i')
    c.className = 'box'
    let count = 0
    window.turnedAt = performance.now()
    window.longestPauseMs = 0
    const turn = () => {
      window.longestPauseMs = Math.max(window.longestPauseMs, performance.now() - turnedAt)
      turnedAt = performance.now()
      if (count++ % 2) { ${first} } else { ${second} }
    }
    ${schedule('turn')}
  </script>`

const WAIT_COUNT = Number(process.env['WAITS'] ?? 3)

describe.each([
  ['chromium', WAIT_COUNT, 4],
  ['firefox', Math.ceil(WAIT_COUNT / 5), 1],
] as const)('%s', (browser, waitCount, pageCount) => {
  let opened: BrowserPages
  beforeAll(async () => {
    opened = await openPages(browser, pageCount)
  }, LIMIT_MS)
  afterAll(() => opened.close())

  const cases = Object.entries(flickers).flatMap(([name, flicker]) =>
    schedules.map((schedule, index) => ({ name: `${name}, schedule ${index}`, flicker, schedule })),
  )
  test(`no false pass in ${cases.length * waitCount}`, async () => {
    const free = pool(opened.pages)
    const results = await Promise.all(
      cases.map(({ name, flicker, schedule }) =>
        free.with(async (page) => {
          await page.goto(`data:text/html,${encodeURIComponent(html(flicker.turns, schedule))}`)
          const waits = Array.from({ length: waitCount }, () => waitAgainst(page, name, flicker))
          return (await Promise.all(waits)).map((outcome) => ({ name, outcome }))
        }),
      ),
    )
    expect(results.flat().filter(({ outcome }) => outcome !== 'TIMEOUT' && outcome !== 'paused')).toEqual([])
    expect(results.flat().length).toBe(cases.length * waitCount)
  }, 300_000)
})

async function waitAgainst(page: Page, name: string, { check, aria, not }: Flicker): Promise<string> {
  const target = { selector: selectors[name.replace(/, schedule.*/, '')] ?? '#b' }
  const condition = check ? { target, checks: [check], not } : { checks: [], not, ...(aria && { aria }) }
  const outcome = await waitForElement(page, condition, deadlineIn(WAIT_MS), () =>
    takeAriaSnapshot(page, {}, deadlineIn(LIMIT_MS)),
  )
  if (!outcome.ok) return outcome.error.code
  return (await page.evaluate(longestPause)) < PAUSE_LIMIT_MS ? 'passed' : 'paused'
}

// On a busy machine frames and timers of a page may stop for longer than a negative has to hold: then it was true.
const PAUSE_LIMIT_MS = 90
const longestPause = () => {
  const { turnedAt, longestPauseMs } = window as unknown as { turnedAt: number; longestPauseMs: number }
  return Math.max(longestPauseMs, performance.now() - turnedAt)
}
