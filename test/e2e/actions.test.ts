// What each action does and says, on each engine that this machine can have. WebKit exists only as Playwright's own build, which
// needs a download; where it is installed, `FOOTLIGHT_TEST_WEBKIT=1` adds it here.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import process from 'node:process'
import { connect, type Peer, share } from '../support/client.ts'
import { anyBrowser } from '../support/engines.ts'
import { until } from '../support/leftovers.ts'
import { page, serveSite, type Site } from '../support/site.ts'

const style = (css: string) => `style="${css}"`
const body = `
<h1>Fixture</h1>
<button id="plain" onclick="log('plain')">Plain</button>
<button id="right" oncontextmenu="log('menu'); return false">Right</button>
<button id="twice" ondblclick="log('double')">Twice</button>
<button id="shift" onclick="log(event.shiftKey ? 'shift' : 'none')">Shift</button>
<span ${style('position:relative')}><button id="under" onclick="log('under')">Under</button><i id="over" class="veil" ${style('position:absolute;inset:0')}></i></span>
<label>Label <input type="checkbox" id="check"></label>
<input id="field" value="abc"><input id="number" type="number"><input id="readonly" readonly><input id="disabled" disabled>
<textarea id="area">one</textarea><div id="editable" contenteditable>word</div>
<form onsubmit="log('submit ' + query.value); return false"><input id="query"></form>
<p class="many">a</p><p class="many">b</p>
<x-box></x-box>
<script>
  window.logged = []
  function log(what) { logged.push(what) }
  class Box extends HTMLElement { connectedCallback() { this.attachShadow({ mode: 'open' }).innerHTML = '<button id="inner" onclick="log(\\'inner\\')">Inner</button>' } }
  customElements.define('x-box', Box)
</script>`

// On a page of its own, because what never ends is drawn all the time.
const moving = `<button id="moving" ${style('position:relative;animation:slide .7s infinite linear')}>Moving</button>
<style>@keyframes slide { from { left: 0 } to { left: 80px } }</style>`

const late = `<div id="root"></div><script>
  setTimeout(() => { root.innerHTML = '<button id="late" disabled>Late</button><input id="slow" disabled>' }, 150)
  setTimeout(() => { late.disabled = false; slow.disabled = false }, 350)
  setTimeout(() => { root.insertAdjacentHTML('beforeend', '<p>Ready now</p>'); history.pushState(0, '', '/late?done=1') }, 450)
</script>`

const engines = [
  'chromium',
  'firefox',
  ...(process.env['FOOTLIGHT_TEST_WEBKIT'] ? ['webkit' as const] : []),
] as const

describe.each(engines)('%s', (browser) => {
  let site: Site
  let peer: Peer
  let sessionId: string

  beforeAll(async () => {
    site = await serveSite({ '/': page(body), '/late': page(late, 'Late'), '/moving': page(moving) })
    peer =
      browser === 'webkit'
        ? await connect({ args: ['--headless', '--browser', browser] })
        : await share(browser)
    sessionId = await peer.session()
  }, 300_000)
  afterAll(async () => {
    await peer.close()
    site.close()
  })

  const call = (tool: string, input: Record<string, unknown> = {}) => peer.call(tool, { sessionId, ...input })
  const on = (path = '/') => call('navigate', { url: `${site.url}${path}` })
  const read = async (script: string) => (await call('evaluate', { script })).data.result
  const failure = async (tool: string, input: Record<string, unknown>) => {
    const { data } = await call(tool, { timeout: 1000, ...input })
    return [data.errorCode, data.details?.reason ?? data.details?.field].filter(Boolean).join(' ')
  }

  describe('click', () => {
    beforeAll(() => on())
    test.each([
      ['#plain', {}, 'plain'],
      ['#right', { button: 'right' }, 'menu'],
      ['#twice', { clickCount: 2 }, 'double'],
      ['#shift', { modifiers: ['Shift'] }, 'shift'],
      ['//button[text()="Plain"]', {}, 'plain'],
      ['text=Plain', {}, 'plain'],
      ['role=button[name="Plain"]', {}, 'plain'],
      ['#inner', {}, 'inner'],
    ])('%s %p does what it says', async (selector, options, what) => {
      expect((await call('click', { selector, ...options })).data).toMatchObject({ success: true })
      expect(await read('logged.at(-1)')).toBe(what)
    })
    test.each([
      ['#none', 'ELEMENT_NOT_FOUND'],
      ['.many', 'INVALID_PARAMETERS selector'],
    ])('%s is %s', async (selector, expected) => expect(await failure('click', { selector })).toBe(expected))
    test('#moving, which moves without an end, is clicked where it is', async () => {
      await on('/moving')
      const click = async (timeout: number) => (await call('click', { selector: '#moving', timeout })).data
      // Where a busy machine draws no frame for a moment, it stands still.
      const saysSo = async () => (await click(6000)).message.includes('moves without an end')
      expect(await until(saysSo)).toBe(true)
      await on()
    })
    test('a covered element is never called clicked, and the cover is named; with force the cover is clicked', async () => {
      const { data } = await call('click', { selector: '#under', timeout: 500 })
      expect(data.details.by).toBe('<i id="over" class="veil">')
      const forced = await call('click', { selector: '#under', force: true })
      expect(forced.data).toMatchObject({ success: true })
      expect(await read('logged.includes("under")')).toBe(false)
    })
    test.each(['button[', 'xpath=//[', 'text=/(/', '', 'nth=foo', 'a >> aria-ref=e1', 'nosuch=engine'])(
      'the selector %p is refused at once',
      async (selector) => {
        const since = performance.now()
        expect(await failure('click', { selector, timeout: 100_000 })).toBe('INVALID_PARAMETERS selector')
        expect(performance.now() - since).toBeLessThan(50_000)
      },
    )
    test('an element that comes late and is enabled later still works', async () => {
      await on('/late')
      expect((await call('click', { selector: '#late' })).data).toMatchObject({ success: true })
    })
  })

  describe('type', () => {
    beforeAll(() => on())
    const value = (id: string) =>
      read(`document.getElementById("${id}").value ?? document.getElementById("${id}").textContent`)
    test('goes on after what is there, or clears it first', async () => {
      await call('type', { selector: '#field', text: 'def' })
      expect(await value('field')).toBe('abcdef')
      await call('type', { selector: '#field', text: 'xyz', clear: true })
      expect(await value('field')).toBe('xyz')
    })
    test.each([
      ['area', 'one two'],
      ['editable', 'word two'],
    ])('into %s', async (id, expected) => {
      await call('type', { selector: `#${id}`, text: ' two' })
      expect(await read(`document.getElementById("${id}").${id === 'area' ? 'value' : 'textContent'}`)).toBe(
        expected,
      )
    })
    test('a delay lies between the keys', async () => {
      await read('window.times = []; field.onkeydown = (event) => times.push(event.timeStamp); return 0')
      await call('type', { selector: '#field', text: 'abcd', delay: 60 })
      expect(await read('times.at(-1) - times[0]')).toBeGreaterThanOrEqual(150)
    })
    test('into a number field, and submit presses Enter', async () => {
      await call('type', { selector: '#number', text: '42' })
      expect(await value('number')).toBe('42')
      await call('type', { selector: '#query', text: 'hello', submit: true })
      expect(await read('logged.at(-1)')).toBe('submit hello')
    })
    test.each([
      ['#none', 'ELEMENT_NOT_FOUND'],
      ['#readonly', 'ELEMENT_NOT_EDITABLE read_only'],
      ['#disabled', 'ELEMENT_NOT_EDITABLE disabled'],
      ['#check', 'ELEMENT_NOT_EDITABLE no_text'],
      ['h1', 'ELEMENT_NOT_EDITABLE no_text'],
      ['input', 'INVALID_PARAMETERS selector'],
    ])('%s is %s', async (selector, expected) =>
      expect(await failure('type', { selector, text: 'x' })).toBe(expected),
    )
    test('waits for a field that is enabled later', async () => {
      await on('/late')
      expect((await call('type', { selector: '#slow', text: 'x' })).data).toMatchObject({ success: true })
    })
  })

  describe('looking', () => {
    beforeAll(() => on())
    test('snapshot names the elements, and its refs work until they are gone', async () => {
      const { data } = await call('snapshot')
      expect(data).toMatchObject({ url: `${site.url}/`, title: 'Fixture', truncated: false })
      const ref = /button "Plain" \[(\w+)\]/.exec(data.snapshot)?.[1]
      expect((await call('click', { ref })).data).toMatchObject({ success: true })
      expect(await read('logged.at(-1)')).toBe('plain')
      await on()
      expect(await failure('click', { ref: 'e99999' })).toBe('ELEMENT_NOT_FOUND')
    })
    test('snapshot can be cut and read on, limited to an element, and to a depth', async () => {
      const whole = (await call('snapshot')).data.snapshot
      const short = (await call('snapshot', { maxChars: 300 })).data
      expect(short).toMatchObject({ truncated: true, cursor: '0' })
      expect(short.snapshot).toStartWith('heading "Fixture"')
      const first = (await call('snapshot', { cursor: '0', maxChars: 300 })).data
      const rest = (await call('snapshot', { cursor: first.cursor })).data
      expect(first.snapshot + rest.snapshot).toBe(whole)
      const part = (await call('snapshot', { selector: 'form' })).data.snapshot
      expect(part).toContain('textbox')
      expect(part.length).toBeLessThan(whole.length)
      expect(await failure('snapshot', { selector: '#none', timeout: undefined })).toBe('ELEMENT_NOT_FOUND')
    })
    test('screenshot: the viewport, the page, an element, a smaller picture', async () => {
      const size = async (input: Record<string, unknown>) => {
        const { data, result } = await call('screenshot', input)
        const image = result.content.find((block) => block.type === 'image')
        return { ...data, type: image?.mimeType, bytes: image?.data.length }
      }
      expect(await size({})).toMatchObject({ width: 1280, height: 720, type: 'image/png' })
      expect(await size({ maxWidth: 320, format: 'jpeg' })).toMatchObject({
        width: 320,
        height: 180,
        type: 'image/jpeg',
      })
      const button = await size({ selector: '#plain' })
      expect(button.width).toBeLessThan(200)
      await call('evaluate', { script: 'document.body.style.height = "2000px"; return 0' })
      const page = await size({ fullPage: true })
      expect(page.height).toBe(1568)
      expect(page.notes.join()).toMatch(/^Scaled from \d+ × 20\d\d pixels/)
      expect((await size({ fullPage: true, maxWidth: 1280 })).height).toBeGreaterThan(1900)
    })
    test('exists counts without waiting', async () => {
      expect((await call('exists', { selector: '.many' })).data).toEqual({ exists: true, count: 2 })
      expect((await call('exists', { selector: '#none' })).data).toEqual({ exists: false, count: 0 })
      expect((await call('exists', { ref: 'e77777' })).data).toEqual({ exists: false, count: 0 })
    })
    test('wait_for: element, text, its going, address; and TIMEOUT', async () => {
      await on('/late')
      const { data } = await call('wait_for', { selector: '#root', text: 'Ready now', url: 'done=1' })
      expect(data.success).toBe(true)
      await call('evaluate', { script: 'setTimeout(() => root.remove(), 100); return 0' })
      expect((await call('wait_for', { textGone: 'Ready now' })).data.success).toBe(true)
      expect(await failure('wait_for', { selector: '#late', timeout: 100 })).toBe('TIMEOUT')
      expect(await failure('wait_for', { selector: 'b[', timeout: 9000 })).toBe('INVALID_PARAMETERS selector')
      expect(await failure('wait_for', { timeout: 100 })).toBe('INVALID_PARAMETERS selector')
    })
  })

  describe('evaluate', () => {
    beforeAll(() => on())
    test.each([
      ['1 + 1', undefined, 2],
      ['document.title', undefined, 'Fixture'],
      ['() => 7', undefined, 7],
      ['(arg) => arg.a * 2', { a: 4 }, 8],
      ['const x = 3; return x + arg', 1, 4],
      ['await Promise.resolve(5)', undefined, 5],
      ['({ a: [1, { b: null }] })', undefined, { a: [1, { b: null }] }],
      ['// a comment\n  2', undefined, 2],
    ])('%s', async (script, arg, expected) => {
      const { data } = await call('evaluate', { script, ...(arg !== undefined && { arg }) })
      expect(data).toEqual({ result: expected })
    })
    test('with a target the element comes first', async () => {
      const { data } = await call('evaluate', {
        script: '(element, arg) => element.id + arg',
        selector: '#plain',
        arg: 1,
      })
      expect(data.result).toBe('plain1')
      expect(await failure('evaluate', { script: '1', selector: '#none' })).toBe('ELEMENT_NOT_FOUND')
    })
    test.each([
      ['const a = {}; a.self = a; return a', { self: '[Circular]' }],
      ['10n', '10n'],
      ['new Map([["k", 1]])', { Map: [['k', 1]] }],
      ['[function named() {}]', ['[Function named]']],
      ['({ get bad() { throw new Error("no") } })', { bad: '[threw Error: no]' }],
      ['Symbol("s")', 'Symbol(s)'],
      ['document.body', '[<body>]'],
      ['window', '[Window]'],
      ['[NaN, undefined, -0]', ['NaN', null, 0]],
    ])('%s comes back described, with a note', async (script, expected) => {
      const { data } = await call('evaluate', { script })
      expect(data.result).toEqual(expected)
      expect(data.notes.length).toBeGreaterThan(0)
    })
    test('deep and huge values are cut inside the page', async () => {
      const deep = await call('evaluate', {
        script: 'let a = 1; for (let i = 0; i < 20000; i++) a = [a]; return a',
      })
      expect(deep.data.notes).toEqual(['truncated at depth 40'])
      const wide = await call('evaluate', { script: 'Array.from({ length: 1e6 }, () => 1)' })
      expect(wide.data.notes[0]).toContain('truncated at 20000 items')
    })
    test('a script whose tab closes under it', async () => {
      await call('evaluate', { script: "window.open('about:blank'); 1" })
      const tabs = (await call('tabs')).data.tabs
      await call('tabs', { action: 'select', tabId: tabs.at(-1).id })
      const script = 'setTimeout(() => window.close(), 50); return new Promise(() => {})'
      const { data } = await call('evaluate', { script, timeout: 3000 })
      expect(JSON.stringify(data)).toMatch(/the closing of the tab|"reason":"closed"/)
      expect((await call('evaluate', { script: '1 + 1' })).data.result).toBe(2)
    })
    test('an argument comes as it is', async () => {
      const arg = { 'a b': [1, null, { c: '\u2028</script>' }], toJSON: 'x' }
      const script = '(arg) => JSON.stringify(arg)'
      // An invisible character comes back as an escape.
      const expected = JSON.stringify(arg).replace('\u2028', String.raw`\u{2028}`)
      expect((await call('evaluate', { script, arg })).data.result).toBe(expected)
      expect(
        (await call('evaluate', { script: "(arg) => arg['a b'][2].c.charCodeAt(0)", arg })).data.result,
      ).toBe(0x2028)
    })
    test('errors of the script, of its syntax, and of a page that left', async () => {
      expect((await call('evaluate', { script: 'null.x' })).data).toMatchObject({
        errorCode: 'SCRIPT_ERROR',
        details: { text: expect.stringContaining('TypeError') },
      })
      expect((await call('evaluate', { script: 'foo bar' })).data).toMatchObject({
        errorCode: 'SCRIPT_ERROR',
        details: { text: expect.stringContaining('SyntaxError') },
      })
      expect(await failure('evaluate', { script: 'new Promise(() => {})', timeout: 200 })).toBe('TIMEOUT')
    })
  })

  // Both are in sessions of their own.
  test.concurrent(
    'create_session takes viewport, user agent, locale, time zone and device, and says what is wrong with them',
    async () => {
      const own = await peer.session({
        viewport: { width: 500, height: 400 },
        userAgent: 'Test/1',
        locale: 'de-DE',
        timezone: 'Asia/Tokyo',
      })
      await peer.call('navigate', { sessionId: own, url: site.url })
      const script =
        '[innerWidth, innerHeight, navigator.userAgent, navigator.language, Intl.DateTimeFormat().resolvedOptions().timeZone]'
      const { data } = await peer.call('evaluate', { sessionId: own, script })
      expect(data.result).toEqual([500, 400, 'Test/1', 'de-DE', 'Asia/Tokyo'])
      await peer.call('close_session', { sessionId: own })
      expect((await peer.call('create_session', { device: 'iPhone 155' })).data).toMatchObject({
        errorCode: 'INVALID_PARAMETERS',
        details: { hint: 'Did you mean "iPhone 15"?' },
      })
      expect((await peer.call('create_session', { timezone: 'Mars/Base' })).data.errorCode).toBe(
        'INVALID_PARAMETERS',
      )
    },
    90_000,
  )

  test.concurrent(
    'storageState brings cookies along; isolation "browser" a process of its own',
    async () => {
      const cookie = {
        name: 'login',
        value: 'yes',
        domain: '127.0.0.1',
        path: '/',
        expires: -1,
        httpOnly: false,
        secure: false,
        sameSite: 'Lax',
      }
      const own = await peer.session({ storageState: { cookies: [cookie], origins: [] } })
      await peer.call('navigate', { sessionId: own, url: site.url })
      expect((await peer.call('evaluate', { sessionId: own, script: 'document.cookie' })).data.result).toBe(
        'login=yes',
      )
      await peer.call('close_session', { sessionId: own })
      // What starts a process is the same for all engines.
      if (browser === 'firefox' && !anyBrowser.includes(browser)) return
      const pids = () => peer.trace.browsers().map(({ pid }) => pid)
      const before = pids()
      const [shared] = peer.trace.browsers()
      expect(shared?.command).toContain(browser === 'chromium' ? 'chrom' : browser)
      const alone = await peer.session({ isolation: 'browser' })
      const added = pids().filter((pid) => !before.includes(pid))
      expect(added).toHaveLength(1)
      await peer.call('close_session', { sessionId: alone })
      expect(await until(() => !pids().includes(added[0] ?? -1))).toBe(true)
    },
    90_000,
  )
})
