// What a person does in the view is recorded in the session of an agent.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { expect as assertion } from 'playwright/test'
import { type BrowserPages, openPages } from '../../support/checks.ts'
import { connect } from '../../support/client.ts'
import { bothBrowsers } from '../../support/engines.ts'
import { page, serveSite, type Site } from '../../support/site.ts'

const place = (x: number) => `style="position:fixed;top:20px;left:${x}px;width:150px;height:40px"`
const LIST = page(
  `<input aria-label="Item" ${place(20)}><input type="password" aria-label="Code" ${place(200)}>
  <button ${place(400)}>Add</button><ul style="margin-top:100px"></ul><script>
  document.querySelector('button').onclick = () => {
    const [item, code] = document.querySelectorAll('input')
    document.querySelector('ul').innerHTML += '<li>' + item.value + (code.value === 'tr0ub4dor' ? ' paid' : '') + '</li>'
  }
  </script>`,
  'List',
)
const [ITEM, CODE, ADD] = [90, 270, 470]

let site: Site
let person: BrowserPages
const folder = mkdtempSync(join(tmpdir(), 'fl-record-view-'))
beforeAll(async () => {
  site = await serveSite({}, LIST)
  person = await openPages('chromium', 1, { network: true })
}, 120_000)
afterAll(async () => {
  await person.close()
  await site.close()
  rmSync(folder, { recursive: true })
})

/** Takes the session over and adds an item. */
async function addItem(view: Page, width: number): Promise<void> {
  await view.getByRole('button', { name: 'Take over' }).click()
  const picture = view.getByRole('img', { name: 'The page of s1' })
  await assertion(picture).toHaveAttribute('src', /^data:image\/jpeg/, { timeout: 30_000 })
  await assertion(view.getByRole('textbox', { name: /mouse and keyboard go there/ })).toBeFocused()
  const box = (await picture.boundingBox()) ?? { x: 0, y: 0, width: 0 }
  const scale = box.width / width
  const click = (x: number) => view.mouse.click(box.x + x * scale, box.y + 40 * scale)
  await click(ITEM)
  await view.keyboard.type('Milk')
  await click(CODE)
  await view.keyboard.type('tr0ub4dor')
  await click(ADD)
  const timeline = view.getByRole('list', { name: 'Entries of the timeline' })
  await assertion(timeline.getByText('person: click button "Add"')).toBeVisible({ timeout: 30_000 })
  await assertion(timeline.getByText('person: fill textbox "Item" with "Milk"')).toBeVisible()
  await assertion(timeline.getByText('person: fill textbox "Code" with •••')).toBeVisible()
  await view.getByRole('button', { name: 'Return' }).click()
}

const DONE = [
  "getByRole('textbox', { name: 'Item' }).fill('Milk')",
  "getByRole('textbox', { name: 'Code' }).fill(",
  "getByRole('button', { name: 'Add' }).click()",
]

/** Where each line first stands in the text. */
const positionsIn = (text: string): number[] => DONE.map((line) => text.indexOf(line))

test.each([...bothBrowsers])(
  '%s: a test of the session has what its person did, between what the agent did before and afterwards',
  async (browser) => {
    const peer = await connect({ args: ['--headless', '--view', '--browser', browser], cwd: folder })
    const sessionId = await peer.session({ viewport: { width: 800, height: 400 } })
    await peer.call('navigate', { sessionId, url: site.url })
    const [view] = person.pages as [Page]
    await view.goto(/http:\S+#\S+/.exec(peer.stderr())?.[0] ?? '')
    await view.getByRole('link', { name: /s1/ }).click()
    await addItem(view, 800)
    await assertion(view.getByRole('button', { name: 'Take over' })).toBeEnabled()
    await peer.call('click', { sessionId, selector: 'button' })
    await peer.call('wait_for', { sessionId, selector: 'li:nth-child(2)', text: 'Milk paid' })
    const { data } = await peer.call('save_test', { sessionId, path: `${browser}.spec.ts` })
    expect(data).toMatchObject({ replays: 2, environment: ['PASSWORD'] })
    const code = readFileSync(join(folder, `${browser}.spec.ts`), 'utf8')
    const [item, secret, add] = positionsIn(code) as [number, number, number]
    expect(code.indexOf('goto') < item && item < secret && secret < add).toBe(true)
    expect(code.split("getByRole('button', { name: 'Add' }).click()")).toHaveLength(3)
    expect(code).not.toContain('tr0ub4dor')
    await view.goto('about:blank')
    await peer.close()
  },
  180_000,
)
