// How a call names its element: everything that answers contain, and what models know from other servers.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { share, type SharedPeer } from '../support/client.ts'
import { anyBrowser } from '../support/engines.ts'
import { page, serveSite, type Site } from '../support/site.ts'

const cart =
  page(`<h1>Cart</h1><label>Email <input id="email"></label><select aria-label="Size"><option>S<option>M</select>
  <ul><li>Milk <button>Remove</button></li><li>Bread <button>Remove</button></li></ul><p role="status"></p>
  <iframe id="help" srcdoc="<button onclick=&quot;this.textContent='Helped'&quot;>Help</button>"></iframe><input type="file" aria-label="Photo">
  <script>for (const button of document.querySelectorAll('li button'))
    button.onclick = () => (document.querySelector('[role=status]').textContent = 'Removed ' + button.parentNode.firstChild.textContent.trim())</script>`)

describe.each(anyBrowser)('%s', (browser) => {
  let site: Site
  let peer: SharedPeer
  let sessionId: string
  beforeAll(async () => {
    site = await serveSite({ '/': cart })
    peer = await share(browser)
    sessionId = await peer.session()
    await peer.call('navigate', { sessionId, url: site.url })
  }, 300_000)
  afterAll(async () => {
    await peer.close()
    site.close()
  })

  const call = async (tool: string, input: object = {}) =>
    (await peer.call(tool, { sessionId, ...input })).data
  const refOf = async (line: string): Promise<string> =>
    new RegExp(`${line} \\[(\\w+)\\]`).exec((await call('snapshot')).snapshot)?.[1] ?? ''

  const removeBread =
    "page.getByRole('listitem').filter({ hasText: 'Bread' }).getByRole('button', { name: 'Remove' })"

  test('every tool takes a locator as answers print it', async () => {
    const done: [tool: string, input: object, facts: object][] = [
      ['click', { selector: removeBread }, { success: true }],
      ['wait_for', { selector: "getByRole('status')", text: 'Removed Bread' }, { success: true }],
      ['click', { selector: "page.frameLocator('#help').getByText('Help')" }, { success: true }],
      ['exists', { selector: "locator('#help').contentFrame().getByText(/^helped$/i)" }, { count: 1 }],
      ['type', { selector: 'getByLabel("Email")', text: 'a' }, { success: true }],
      ['fill_form', { fields: [{ selector: "getByLabel('Email')", value: 'b@c.test' }] }, { filled: 1 }],
      ['press_key', { selector: "getByLabel('Email')", key: 'End' }, { success: true }],
      ['select', { selector: "getByRole('combobox', { name: 'Size' })", values: ['M'] }, { selected: ['M'] }],
      ['hover', { selector: "getByRole('listitem').nth(1)" }, { success: true }],
      ['evaluate', { selector: "getByLabel('Email')", script: '(e) => e.value' }, { result: 'b@c.test' }],
      ['get_content', { selector: "getByRole('heading')", format: 'text' }, { content: 'Cart' }],
      ['exists', { selector: "getByRole('listitem').first()" }, { count: 1 }],
      ['snapshot', { selector: "getByRole('list')" }, { truncated: false }],
      ['screenshot', { selector: "getByRole('heading')" }, { width: expect.any(Number) }],
    ]
    for (const [tool, input, facts] of done)
      expect([tool, await call(tool, input)]).toEqual([tool, expect.objectContaining(facts)])
  }, 120_000)

  test('the refs of an ambiguous selector and the locator of format source work', async () => {
    const { details } = await call('click', { selector: 'li button' })
    const [, first = ''] = /\[(e\d+)\]/.exec(details.hint) ?? []
    expect(await call('exists', { ref: first })).toMatchObject({ count: 1 })
    const { content } = await call('get_content', { selector: '#email', format: 'source' })
    const [, locator = ''] = /^locator: (.*)$/m.exec(content) ?? []
    expect(await call('exists', { selector: locator })).toMatchObject({ count: 1 })
  }, 120_000)

  test('a bad selector is refused at once, without words of a library', async () => {
    for (const selector of ['li[', '//li[', 'getByRole(', "getByRole('button').click()", 'nope=1'])
      for (const tool of ['click', 'exists', 'hover', 'get_content', 'wait_for']) {
        const { details, message } = await call(tool, { selector })
        expect([tool, details]).toMatchObject([
          tool,
          { field: 'selector', received: JSON.stringify(selector) },
        ])
        expect(message).not.toMatch(/pars|token|escape|Error|internal:|evaluate|#\d/i)
      }
    const { details } = await call('drag', { selector: 'h1', toSelector: 'li[' })
    expect(details).toMatchObject({ field: 'toSelector' })
  }, 120_000)

  test('a ref is a ref in selector, target and brackets', async () => {
    const ref = await refOf('heading "Cart"')
    for (const input of [
      { selector: ref },
      { ref: `[${ref}]` },
      { target: `ref=${ref}`, element: 'the heading' },
    ])
      expect(await call('get_content', { format: 'text', ...input })).toMatchObject({ content: 'Cart' })
  }, 120_000)

  test('a saved test has the locators of the calls', async () => {
    await call('navigate', { url: site.url })
    await call('click', { selector: removeBread })
    await call('wait_for', { selector: "getByRole('listitem')", count: 2 })
    const saved = await call('save_test', { path: 'locators.spec.ts', replay: 1, run: false })
    expect(saved).toMatchObject({ replays: 1 })
    const code = readFileSync(join(peer.folder, 'locators.spec.ts'), 'utf8')
    expect(code).toContain("expect(page.getByRole('listitem')).toHaveCount(2)")
    expect(code).not.toContain("locator('getBy")
    expect(code).not.toContain('locator("getBy')
  }, 240_000)
})
