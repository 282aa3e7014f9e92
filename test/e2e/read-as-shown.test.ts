// What is read is what a person sees: what nobody can use is marked, what cannot be read has a line, what nobody sees hides no text.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Peer, share } from '../support/client.ts'
import { anyBrowser, bothBrowsers } from '../support/engines.ts'
import { page, serveSite, type Site } from '../support/site.ts'

const shadow = (host: string, html: string, script = '') =>
  `<script>{ const root = document.querySelector('${host}').attachShadow({ mode: 'open' }); root.innerHTML = ${JSON.stringify(html)}; ${script} }</script>`
const picture = `<img src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='120' height='40'/>" width="120" height="40">`

const cases: Readonly<Record<string, readonly [html: string, shown: readonly RegExp[], hidden?: RegExp]>> = {
  'inert content': [
    '<div inert><button>Delete</button></div><button>Go on</button>',
    [/"Delete" \[e\d+\] inert/, /"Go on" \[e\d+\](?! inert)/],
  ],
  'an inert host': [
    `<x-app inert></x-app>${shadow('x-app', '<p><button>Delete</button></p>')}`,
    [/"Delete" \[e\d+\] inert/],
  ],
  'slotted into an inert part': [
    `<x-box><button>Own</button></x-box>${shadow('x-box', '<slot></slot><div inert><input aria-label="Amount"></div>')}`,
    [/"Own" \[e\d+\](?! inert)/, /"Amount" \[e\d+\] inert/],
  ],
  'behind a modal dialog in two shadow roots': [
    `<button>Remove</button><x-a></x-a>${shadow('x-a', '<button>Aside</button><x-b></x-b>', `const inner = root.querySelector('x-b').attachShadow({ mode: 'open' }); inner.innerHTML = '<dialog aria-label="Rename"><button>Keep</button></dialog>'; inner.querySelector('dialog').showModal()`)}`,
    [/dialog "Rename"/, /"Keep"/, /hidden behind dialog "Rename"/],
    /"Remove"|"Aside"/,
  ],
  'a closed component': [
    `<x-pay></x-pay><script>document.querySelector('x-pay').attachShadow({ mode: 'closed' }).innerHTML = '<style>:host{display:block}</style><button>Pay</button>'</script>`,
    [/generic "x-pay" \[e\d+\] closed/],
  ],
  'an icon of its own': [
    '<style>x-icon{display:block;width:40px;height:40px;background:url(/icon.svg)}</style><x-icon></x-icon>',
    [],
    /x-icon/,
  ],
  'a picture to be read beside a field': [
    `<form>${picture}<input placeholder="Characters"></form>`,
    [/img [^\n]*\[e\d+\]/],
  ],
  'a picture in a text': [`<article><p>Words</p>${picture}</article><p>More</p>`, [], /img/],
  'placeholders of fields without a name': [
    '<div contenteditable role="textbox" aria-placeholder="Write"></div><input role="combobox" aria-labelledby="x" placeholder="Search"><span id="x"></span>',
    [/placeholder="Write"/, /placeholder="Search"/],
  ],
  'values that the page draws': [
    `<div role="slider" tabindex="0" aria-label="Volume" aria-valuenow="51" style="width:50px;height:9px"></div><progress aria-label="Upload" value="0.3"></progress><progress aria-label="Search"></progress><div role="progressbar" aria-label="Build" aria-valuenow="40" aria-valuetext="4 of 10"></div>`,
    [/"Volume" \[e\d+\]: 51$/m, /"Upload"[^\n]*: 0\.3$/m, /"Search"(?! ?:)/, /"Build"[^\n]*: 4 of 10$/m],
    /"Search"[^\n]*: ?\d/,
  ],
  'why a field of a long page is invalid': [
    `<label>Nick <input aria-invalid="true"></label><span>8 characters too many</span>${'<section><h3>Article</h3><p>Some words of it, and more of them, that fill the page.</p><a href="#a">Open</a><button>Share</button></section>'.repeat(130)}`,
    [/8 characters too many/],
  ],
}

describe.each(anyBrowser)('%s', (browser) => {
  let site: Site
  let peer: Peer
  let sessionId: string
  beforeAll(async () => {
    site = await serveSite({
      ...Object.fromEntries(
        Object.entries(cases).map(([name, [html]]) => [`/${name.replaceAll(' ', '-')}`, page(html)]),
      ),
      '/marks': page(
        '<p dir="rtl">\u200fסך הכל \u200e42 ₪</p><p>\u200e-1,234.50</p><p>Total\u00a0<b>7</b></p>',
      ),
      '/hidden-text': page(
        '<div style="visibility:hidden">Away <span style="visibility:visible">Shown</span></div><div style="content-visibility:hidden">Later</div>',
      ),
      '/no-json': page(`<script>JSON = { stringify: () => '"no"', parse: () => ({}) }</script>`),
      '/option': page('<label>Kind <select><option>One<option>Two</select></label>'),
      '/switch': page(
        `<label for="w">Wifi</label><div id="d"><input id="w" type="checkbox" role="switch" aria-checked="false" style="position:absolute;width:0;height:0;opacity:0;margin:0"><span>o</span></div><script>window.on = false; d.onclick = (event) => { event.preventDefault(); on = !on; w.setAttribute('aria-checked', on); Promise.resolve().then(() => (w.checked = on)) }</script>`,
      ),
      '/picture.svg': (_, response) => {
        response.writeHead(200, { 'content-type': 'image/svg+xml' })
        response.end(
          '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 100"><a href="x"><text y="30">Way in</text></a><text y="60">Level 2</text></svg>',
        )
      },
      '/staff': (_, response) => {
        response.writeHead(401, { 'www-authenticate': 'Basic realm="Staff"', 'content-type': 'text/html' })
        response.end('<h1>No</h1>')
      },
      '/api': (_, response) => response.writeHead(401, { 'content-type': 'text/html' }).end('<h1>No</h1>'),
    })
    peer = await share(browser)
    sessionId = await peer.session()
  })
  afterAll(() => {
    site.close()
    return peer.close()
  })

  async function open(path: string) {
    const call = async (name: string, args: Record<string, unknown> = {}) =>
      (await peer.call(name, { sessionId, ...args })).data
    const navigation = await call('navigate', { url: site.url + path })
    return { call, navigation, snapshot: String((await call('snapshot'))['snapshot']) }
  }

  test.each(Object.keys(cases))('%s', async (name) => {
    const [, shown, hidden] = cases[name] ?? ['', []]
    const { snapshot } = await open(`/${name.replaceAll(' ', '-')}`)
    for (const pattern of shown) expect(snapshot).toMatch(pattern)
    if (hidden) expect(snapshot).not.toMatch(hidden)
  })
  test('marks of the direction hide no text', async () => {
    const { call } = await open('/marks')
    for (const text of ['סך הכל 42 ₪', '-1,234.50', 'total 7'])
      expect(await call('wait_for', { text, timeout: 3000 })).toMatchObject({ success: true })
    expect(await call('wait_for', { text: '42 ₪ סך', timeout: 300 })).toMatchObject({ errorCode: 'TIMEOUT' })
    expect((await call('snapshot', { pattern: 'סך הכל 42' }))['snapshot']).toContain('42')
  })
  test('text that is hidden is no content', async () => {
    const { call } = await open('/hidden-text')
    expect((await call('get_content'))['content']).toBe('Shown')
  })
  test('a picture as the document', async () => {
    const { snapshot } = await open('/picture.svg')
    expect(snapshot).toMatch(/link "Way in" \[e\d+\]/)
    expect(snapshot).toContain('Level 2')
  })
  test('an option is chosen by select', async () => {
    const { call } = await open('/option')
    const { message } = await call('click', { selector: 'option:nth-child(2)', timeout: 300 })
    expect(message).toContain('Use select on its list.')
  })
  test('a page that asks for credentials', async () => {
    const { navigation } = await open('/staff')
    expect(navigation['notes']).toEqual([expect.stringContaining('httpCredentials')])
    expect((await open('/api')).navigation['notes']).toBeUndefined()
  })
  test('values of a page that has replaced JSON', async () => {
    const { call } = await open('/no-json')
    const script = `({ list: [1, [2, -0.5], null], text: 'a "b" \\\\ \\n \\u{1f600}', 'a"b': { none: [] }, on: true })`
    expect((await call('evaluate', { script }))['result']).toEqual({
      list: [1, [2, -0.5], null],
      text: 'a "b" \\ \n \u{1f600}',
      'a"b': { none: [] },
      on: true,
    })
  })
  test('a switch whose page has a state of its own', async () => {
    const { call, snapshot } = await open('/switch')
    const ref = /switch "Wifi" \[(e\d+)\]/.exec(snapshot)?.[1]
    expect(await call('fill_form', { fields: [{ ref, value: true }] })).toMatchObject({ success: true })
    expect((await call('evaluate', { script: 'on' }))['result']).toBe(true)
  })
})

// Firefox draws it where no script reads it, Chromium in a page of its own.
test.each(bothBrowsers)('a document of data as the page: %s', async (browser) => {
  const site = await serveSite({
    '/data.xml': (_, response) =>
      response
        .writeHead(200, { 'content-type': 'application/xml' })
        .end('<?xml version="1.0"?><list><item>Two words</item></list>'),
  })
  const peer = await share(browser)
  try {
    const sessionId = await peer.session()
    await peer.call('navigate', { sessionId, url: `${site.url}/data.xml` })
    expect((await peer.call('snapshot', { sessionId })).data['snapshot']).toContain('Two words')
    expect((await peer.call('get_content', { sessionId })).data['content']).toContain('Two words')
  } finally {
    site.close()
    await peer.close()
  }
})

// Firefox has no EditContext.
test.skipIf(!anyBrowser.includes('chromium'))('a field that draws its text itself', async () => {
  const site = await serveSite({
    '/': page(
      `<div class="monaco-editor"><div class="native-edit-context" role="textbox" aria-multiline="true" aria-label="File" tabindex="0" style="position:absolute;width:0;height:0;overflow:hidden"></div><textarea class="ime-text-area" readonly tabindex="-1" style="width:100px"></textarea><div class="view-lines" style="height:60px"><div class="view-line"></div></div></div><script>const area = document.querySelector('.native-edit-context'); area.editContext = new EditContext(); const editor = { getDomNode: () => document.querySelector('.monaco-editor'), getModel: () => ({ getValue: () => area.editContext.text, getFullModelRange: () => ({ getEndPosition() {} }) }), setPosition() {} }; window.monaco = { editor: { getEditors: () => [editor] } }</script>`,
    ),
  })
  const peer = await share('chromium')
  try {
    const sessionId = await peer.session()
    await peer.call('navigate', { sessionId, url: site.url })
    const snapshot = String((await peer.call('snapshot', { sessionId })).data['snapshot'])
    const ref = /textbox "File" \[(e\d+)\]/.exec(snapshot)?.[1]
    expect(await peer.call('type', { sessionId, ref, text: 'ab' })).toMatchObject({ data: { success: true } })
    await peer.call('press_key', { sessionId, key: 'c' })
    const { data } = await peer.call('evaluate', { sessionId, script: 'area.editContext.text' })
    expect(data['result']).toBe('abc')
    const helper = await peer.call('type', { sessionId, selector: '.ime-text-area', text: 'd' })
    expect(helper.data['success']).toBe(true)
  } finally {
    site.close()
    await peer.close()
  }
})
