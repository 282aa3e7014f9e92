// A person at the page of the view: the real listener and a real browser, with sessions that record what arrives.

import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { expect as assertion } from 'playwright/test'
import { clock } from '../../../src/core/base/system/timer.ts'
import { serveView, type View } from '../../../src/features/view/serve-view.ts'
import { type BrowserPages, openPages } from '../../support/checks.ts'
import { bothBrowsers } from '../../support/engines.ts'
import { createFakeViews, type FakeViews } from '../../support/fake-views.ts'
import { until } from '../../support/leftovers.ts'

let [folder, environment]: string[] = []
const browsers = new Map<string, BrowserPages>()
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fl-view-'))
  environment = process.env['XDG_RUNTIME_DIR']
  process.env['XDG_RUNTIME_DIR'] = folder
  for (const browser of bothBrowsers) browsers.set(browser, await openPages(browser, 1, { network: true }))
}, 300_000)
afterAll(async () => {
  await Promise.all([...browsers.values()].map((pages) => pages.close()))
  if (environment === undefined) delete process.env['XDG_RUNTIME_DIR']
  else process.env['XDG_RUNTIME_DIR'] = environment
  rmSync(folder ?? '', { recursive: true })
})

let [view, views]: [View | undefined, FakeViews] = [undefined, createFakeViews()]
beforeEach(async () => {
  views = createFakeViews('shop', 'blog')
  view = await serveView({
    views,
    ownSocket: () => undefined,
    clock,
    onBug: (error) => {
      throw error
    },
  })
})
afterEach(() => view?.close())

/** The page of the view in a tab, signed in. */
async function open(browser: string): Promise<Page> {
  const [first] = browsers.get(browser)?.pages ?? []
  const page = first as Page
  await page.goto('about:blank')
  await page.goto(view?.createAddress() ?? '')
  await assertion(page.getByRole('heading', { name: 'Sessions' })).toBeVisible()
  return page
}

test.each([...bothBrowsers])('%s: the grid, one session large, its timeline', async (browser) => {
  const page = await open(browser)
  expect(page.url()).not.toContain('#')
  await assertion(page.getByRole('link', { name: /shop.*localhost:5173\/shop.*chromium 156/ })).toBeVisible()
  // Who asks for a person comes first, and the tab says so.
  views.setControl('blog', { by: 'nobody', reason: 'solve the captcha' })
  await assertion(page).toHaveTitle('(1) blog asks for a person – Footlight')
  await assertion(page.getByRole('link').first()).toContainText(
    'The agent asks for a person: solve the captcha',
  )
  views.entries.push(
    { seq: 1, at: 2000, kind: 'action', level: 'info', text: 'click "Add"', changes: '+ text "1 item"' },
    { seq: 2, at: 2500, kind: 'console', level: 'error', text: '<b>cart</b> failed' },
    { seq: 3, at: 2600, kind: 'server', level: 'warning', text: 'api: database is down' },
  )
  views.draw('shop')
  await page.getByRole('link', { name: 'shop' }).press('Enter')
  const entries = page.getByRole('list', { name: 'Entries' }).getByRole('listitem')
  await assertion(entries).toHaveText([
    /\+1\.0 s.*action.*click "Add".*\+ text "1 item"/s,
    /console error.*<b>cart<\/b> failed/,
    /server stderr.*database is down/,
  ])
  await assertion(page.getByText('2 earlier entries are gone.')).toBeVisible()
  await page.getByText('Filter and search').click()
  await page.getByLabel('Only errors and warnings').check()
  await assertion(entries.filter({ visible: true })).toHaveCount(2)
  await page.getByLabel('Search').fill('database')
  await assertion(entries.filter({ visible: true })).toHaveText([/database/])
  await assertion(page.getByRole('status').last()).toHaveText('1 of 3')
  // What is new joins, under the same filters.
  views.entries.push({ seq: 4, at: 3000, kind: 'server', level: 'error', text: 'database is up' })
  await assertion(entries.filter({ visible: true })).toHaveCount(2)
  await assertion(page.getByRole('status').last()).toHaveText('2 of 4')
  await assertion(page.getByRole('img', { name: 'The page of shop' })).toHaveAttribute(
    'src',
    /^data:image\/jpeg/,
  )
  views.sessions.delete('shop')
  await assertion(page.getByText('This session is closed')).toBeVisible()
  await assertion(page.getByRole('button', { name: 'Take over' })).toBeDisabled()
  views.sessions.clear()
  await page.getByRole('link', { name: 'All sessions' }).click()
  await assertion(page.getByText('No session is open. footlight open URL opens one')).toBeVisible()
})

test.each([...bothBrowsers])('%s: take over, act, return with a note', async (browser) => {
  const page = await open(browser)
  views.draw('shop')
  await page.getByRole('link', { name: 'shop' }).click()
  const picture = page.getByRole('img', { name: 'The page of shop' })
  await assertion(picture).toHaveAttribute('src', /^data:image\/jpeg/)
  await page.getByRole('button', { name: 'Take over' }).click()
  const field = page.getByRole('textbox', { name: /mouse and keyboard go there/ })
  await assertion(field).toBeFocused()
  const box = (await picture.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  const at = (x: number, y: number): [number, number] => [
    box.x + (x * box.width) / 1280,
    box.y + (y * box.height) / 720,
  ]
  views.calls.length = 0
  await page.mouse.move(...at(640, 360))
  await page.mouse.down()
  await page.mouse.move(...at(700, 360), { steps: 20 })
  await page.mouse.up()
  await page.mouse.wheel(0, 120)
  await page.keyboard.press('Shift+A')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Escape')
  await page.keyboard.insertText('héllo')
  const inputs = () => views.calls.filter(([name]) => name === 'input').map(([, input]) => input as any)
  expect(await until(() => inputs().some(({ kind }) => kind === 'text'))).toBe(true)
  const kinds = inputs().map(({ kind, key, text }) => [kind, key ?? text].filter(Boolean).join(' '))
  expect(kinds.filter((kind) => kind !== 'move')).toEqual([
    'down',
    'up',
    'wheel',
    'keyDown Shift',
    'keyDown A',
    'keyUp A',
    'keyUp Shift',
    'keyDown Tab',
    'keyUp Tab',
    'keyDown Escape',
    'keyUp Escape',
    'text héllo',
  ])
  const down = inputs().find(({ kind }) => kind === 'down')
  expect(down).toMatchObject({ button: 'left', clickCount: 1 })
  expect(Math.abs(down.x - 640) + Math.abs(down.y - 360)).toBeLessThan(4)
  expect(inputs().findLast(({ kind }) => kind === 'wheel').deltaY).toBeGreaterThan(0)
  await page.getByLabel('Note').fill('solved it')
  await page.getByRole('button', { name: 'Return' }).click()
  await assertion(page.getByRole('button', { name: 'Take over' })).toBeFocused()
  expect(views.calls.at(-1)).toEqual(['giveBack', 'shop', 'solved it'])
  // The keyboard alone does the same.
  await page.keyboard.press('Enter')
  await assertion(field).toBeFocused()
  await page.keyboard.press('Control+Alt+Escape')
  await assertion(page.getByRole('button', { name: 'Take over' })).toBeFocused()
  expect(views.calls.at(-1)).toEqual(['giveBack', 'shop', ''])
  await assertion(page.getByRole('alert')).toHaveText('')
  // A lease that ends by itself.
  await page.keyboard.press('Enter')
  await assertion(field).toBeFocused()
  views.setControl('shop', { by: 'agent' })
  await assertion(page.getByRole('alert')).toHaveText('You are no longer in control.')
  await assertion(field).toBeHidden()
})

test.each([...bothBrowsers])('%s: what is under the mouse, and a comment about it', async (browser) => {
  const page = await open(browser)
  views.draw('shop')
  await page.getByRole('link', { name: 'shop' }).click()
  const picture = page.getByRole('img', { name: 'The page of shop' })
  await assertion(picture).toHaveAttribute('src', /^data:image\/jpeg/)
  await picture.hover()
  await assertion(page.getByText('button "Add to cart", src/cart.tsx:12')).toBeVisible()
  await page.getByRole('button', { name: 'Comment' }).click()
  await page.keyboard.press('Escape')
  await assertion(page.getByRole('button', { name: 'Comment', pressed: false })).toBeFocused()
  await page.keyboard.press('Enter')
  await picture.click()
  await page.getByLabel('What do you say about it?').fill('too small')
  await page.getByRole('button', { name: 'Send' }).click()
  await assertion(
    page.getByText('The agent gets your comment about button "Add to cart", src/cart.tsx:12'),
  ).toBeVisible()
  const element = { ref: 'e5', role: 'button', name: 'Add to cart', source: 'src/cart.tsx:12' }
  expect(views.calls.slice(-2)).toEqual([
    ['addPin', 'shop', element, 'too small'],
    ['sendPins', 'shop'],
  ])
  // Another element under the mouse than the one that was described, and another one while the person writes.
  await page.keyboard.press('Enter')
  await picture.hover()
  await assertion(page.locator('#pointed')).toHaveText('button "Add to cart", src/cart.tsx:12')
  views.element = { ...element, ref: 'e6', name: 'Remove' }
  const clickThere = async () => {
    await page.mouse.down()
    await page.mouse.up()
  }
  await clickThere()
  await assertion(page.getByRole('alert')).toHaveText(/The page has changed since you pointed at it/)
  await clickThere()
  await assertion(page.locator('#pointed')).toHaveText('button "Remove", src/cart.tsx:12')
  views.element = element
  await page.getByLabel('What do you say about it?').fill('too large')
  await page.getByRole('button', { name: 'Send' }).click()
  await assertion(page.getByText('The agent gets your comment about button "Remove"')).toBeVisible()
  expect(views.calls.at(-2)).toMatchObject(['addPin', 'shop', { ref: 'e6' }, 'too large'])
})

test.each([...bothBrowsers])(
  '%s: several comments by the keyboard alone, and what the agent says',
  async (browser) => {
    const page = await open(browser)
    const box = { x: 0, y: 0, width: 20, height: 10 }
    views.shown = ['Add', 'Remove', 'Pay'].map((name, index) => ({
      ref: `e${index + 1}`,
      role: 'button',
      name,
      box,
    }))
    views.draw('shop')
    const { keyboard } = page
    await page.getByRole('link', { name: 'shop' }).focus()
    await keyboard.press('Enter')
    await assertion(page.getByRole('img', { name: 'The page of shop' })).toHaveAttribute('src', /jpeg/)
    const pointed = page.locator('#pointed')
    /** Moves the focus to a button as a person does. */
    const tabTo = async (name: string) => {
      for (let count = 0; count < 40; count += 1) {
        const focused = await page.evaluate(
          () => document.activeElement?.ariaLabel ?? document.activeElement?.textContent,
        )
        if (focused === name) return
        await keyboard.press('Tab')
      }
      throw new Error(`no way to ${name}`)
    }
    await tabTo('Comment')
    await keyboard.press('Enter')
    await keyboard.press('ArrowDown')
    await assertion(pointed).toHaveText('button "Add"')
    await keyboard.press('ArrowDown')
    await keyboard.press('ArrowUp')
    await keyboard.press('Enter')
    await assertion(page.getByLabel('What do you say about it?')).toBeFocused()
    await keyboard.type('wider')
    await tabTo('Add another')
    await keyboard.press('Enter')
    await assertion(page.getByRole('group', { name: 'The page' })).toBeFocused()
    await keyboard.press('End')
    await assertion(pointed).toHaveText('button "Pay"')
    await keyboard.press('Enter')
    await keyboard.type('greener')
    await keyboard.press('Control+Enter')
    await assertion(pointed).toHaveText('The agent gets your 2 comments.')
    const element = { role: 'button', source: 'src/e1.tsx:1' }
    expect(views.calls.filter(([name]) => name !== 'elementAt')).toEqual([
      ['addPin', 'shop', { ...element, ref: 'e1', name: 'Add' }, 'wider'],
      ['addPin', 'shop', { role: 'button', ref: 'e3', name: 'Pay', source: 'src/e3.tsx:1' }, 'greener'],
      ['sendPins', 'shop'],
    ])
    const items = page.getByRole('list', { name: 'Comments' }).getByRole('listitem')
    await assertion(items).toHaveText([
      /1 button "Add", src\/e1.tsx:1.*wider.*sent/,
      /2 button "Pay".*greener.*sent/,
    ])
    await assertion(page.locator('#marks span')).toHaveText(['1', '2'])
    // What the agent says, and an element that is gone.
    const [first, second] = views.pinned
    views.pinned = [
      { ...first!, state: 'done', answer: 'it is 40 px wide' },
      { ...second!, state: 'question', answer: 'which green?', isGone: true, box: undefined },
    ]
    await assertion(items).toHaveText([
      /done: it is 40 px wide/,
      /gone from the page.*question: which green\?/,
    ])
    await assertion(page.getByText('1 done, 1 question')).toBeVisible()
    await assertion(page.locator('#marks span')).toHaveText(['1'])
    views.calls.length = 0
    await tabTo('Reply to comment 2')
    await keyboard.press('Enter')
    await keyboard.press('Control+A')
    await keyboard.type('as the logo')
    await tabTo('Save')
    await keyboard.press('Enter')
    await assertion(items.nth(1)).toHaveText(/as the logo.*not sent/)
    await tabTo('Remove comment 1')
    await keyboard.press('Enter')
    await assertion(items).toHaveCount(1)
    await tabTo('Send 1 comment')
    await keyboard.press('Enter')
    await assertion(pointed).toHaveText('The agent gets your comment about button "Pay", src/e3.tsx:1.')
    expect(views.calls).toEqual([
      ['editPin', 'shop', 2, 'as the logo'],
      ['removePin', 'shop', 1],
      ['sendPins', 'shop'],
    ])
  },
)

test('while inputs are performed, those after them wait, and moves become one', async () => {
  const [browser = 'chromium'] = bothBrowsers
  const page = await open(browser)
  views.draw('shop')
  await page.getByRole('link', { name: 'shop' }).click()
  await page.getByRole('button', { name: 'Take over' }).click()
  const field = page.getByRole('textbox', { name: /mouse and keyboard go there/ })
  await field.hover()
  expect(await until(() => views.calls.some(([name]) => name === 'input'))).toBe(true)
  const { promise, resolve } = Promise.withResolvers<void>()
  views.ready = promise
  views.calls.length = 0
  await page.keyboard.press('a')
  const box = (await field.boundingBox()) ?? { x: 0, y: 0 }
  await page.mouse.move(box.x + 10, box.y + 10)
  await page.mouse.move(box.x + 200, box.y + 10, { steps: 50 })
  await page.mouse.wheel(0, 50)
  await page.mouse.wheel(0, 50)
  await page.keyboard.press('b')
  expect(views.calls).toEqual([['request']])
  resolve()
  const inputs = () => views.calls.flatMap(([name, input]) => (name === 'input' ? [input as any] : []))
  expect(await until(() => inputs().at(-1)?.key === 'b' && inputs().at(-1)?.kind === 'keyUp')).toBe(true)
  expect(views.calls.filter(([name]) => name === 'request')).toHaveLength(2)
  expect(inputs().map(({ kind, key, deltaY }) => [kind, key ?? deltaY].filter(Boolean).join(' '))).toEqual([
    'keyDown a',
    'keyUp a',
    'move',
    'wheel 100',
    'keyDown b',
    'keyUp b',
  ])
  // So does the return.
  const last = Promise.withResolvers<void>()
  views.ready = last.promise
  views.calls.length = 0
  await page.keyboard.type('cd')
  await page.keyboard.press('Control+Alt+Escape')
  expect(views.calls).toEqual([['request']])
  last.resolve()
  expect(await until(() => views.calls.at(-1)?.[0] === 'giveBack')).toBe(true)
  expect(
    inputs()
      .filter(({ kind }) => kind === 'keyUp')
      .map(({ key }) => key),
  ).toEqual(['c', 'd', 'Control', 'Alt'])
  expect(await page.getByRole('alert').textContent()).toBe('')
})

test('nobody looks: no picture is waited for; a link that was used says what to do', async () => {
  const [browser = 'chromium'] = bothBrowsers
  const page = await open(browser)
  expect(await until(() => views.waiting() === 2)).toBe(true)
  await page.evaluate(() => {
    Object.defineProperty(Document.prototype, 'hidden', { value: true, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  })
  expect(await until(() => views.waiting() === 0)).toBe(true)
  await page.goto('about:blank')
  const context = await page.context().browser()?.newContext()
  const stranger = await context?.newPage()
  const address = view?.createAddress() ?? ''
  await page.goto(address)
  await stranger?.goto(address)
  await assertion(stranger!.getByText('Run footlight view again')).toBeVisible()
  await context?.close()
})
