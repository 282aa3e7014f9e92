// A form has its fields as members under their names, in place of those of every element, and a page may replace Map: nothing breaks, and the
// page sees no error that is not its own.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Peer, share } from '../support/client.ts'
import { anyBrowser } from '../support/engines.ts'
import { page, serveSite, type Site } from '../support/site.ts'

const NAMES = [
  'parentElement',
  'nodeName',
  'localName',
  'firstChild',
  'nextSibling',
  'shadowRoot',
  'assignedSlot',
  'matches',
  'closest',
  'getAttribute',
  'ownerDocument',
  'getBoundingClientRect',
  'checkVisibility',
  'nodeType',
]

const form = (name: string) =>
  `<form onsubmit="event.preventDefault();document.title='sent'"><h2>Booking</h2><label>Guests <select name="${name}"><option>1</option><option>2</option></select></label><label>Mail <input name="mail"></label><button>Book now</button></form><img name="body"><img name="documentElement"><p>After</p>`
const editor = `<script>window.Map = function () { this.x = 1 }; window.Set = Map; window.WeakMap = function () {}</script><div contenteditable role="textbox" aria-label="Note"></div>`

describe.each(anyBrowser)('%s', (browser) => {
  let site: Site
  let peer: Peer
  let sessionId: string
  beforeAll(async () => {
    const pages = NAMES.map((name) => [`/${name}`, page(form(name))] as const)
    site = await serveSite({ ...Object.fromEntries(pages), '/map': page(editor) })
    peer = await share(browser)
    sessionId = await peer.session()
  })
  afterAll(() => {
    site.close()
    return peer.close()
  })
  const call = (tool: string, args: object = {}) => peer.call(tool, { sessionId, ...args })
  const read = async (tool: string, args: object = {}) => {
    const { data } = await call(tool, args)
    return String(data['snapshot'] ?? data['content'] ?? '')
  }

  test.each(NAMES)('a field named %s', async (name) => {
    await call('navigate', { url: `${site.url}/${name}` })
    const snapshot = await read('snapshot', { boxes: true })
    for (const part of ['Booking', '"Guests"', '"Mail"', '"Book now"', 'After'])
      expect(snapshot).toContain(part)
    for (const format of ['markdown', 'text', 'html'])
      expect(await read('get_content', { format })).toContain('Book now')
    expect(await call('get_content', { format: 'source', selector: 'form' })).toMatchObject({ failed: false })
    const refOf = (words: string) => new RegExp(`${words}[^\\n]*?\\[(e\\d+)\\]`).exec(snapshot)?.[1]
    const done = { data: { success: true } }
    expect(await call('select', { ref: refOf('"Guests"'), values: ['2'] })).toMatchObject(done)
    const fields = [{ ref: refOf('"Mail"'), value: 'a@b' }]
    expect(await call('fill_form', { fields })).toMatchObject(done)
    expect(await call('screenshot', { selector: 'form' })).toMatchObject({ failed: false })
    expect(await call('click', { ref: refOf('"Book now"') })).toMatchObject(done)
    expect((await call('evaluate', { script: 'document.title' })).data['result']).toBe('sent')
  })

  test('type where the page has another Map', async () => {
    await call('navigate', { url: `${site.url}/map` })
    const ref = /\[(e\d+)\]/.exec(await read('snapshot'))?.[1]
    expect(await call('type', { ref, text: 'hey' })).toMatchObject({ data: { success: true } })
    const script = 'document.querySelector("[contenteditable]").innerText'
    expect((await call('evaluate', { script })).data['result']).toBe('hey')
    expect((await call('console_messages', { level: 'error' })).data['entries']).toEqual([])
  })
})
