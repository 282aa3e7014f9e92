// The tools beyond clicking and typing, on each engine that this machine can have.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { connect, type Peer } from '../support/client.ts'
import { anyBrowser } from '../support/engines.ts'
import { until } from '../support/leftovers.ts'
import { page, serveSite, type Site } from '../support/site.ts'

const form = `
<h1>Form</h1>
<form onsubmit="out.textContent = 'sent ' + new URLSearchParams(new FormData(this)); return false">
  <label>Name <input name="name"></label>
  <label>Size <select name="size"><option value="s">Small</option><option value="l">Large</option></select></label>
  <label><input type="checkbox" name="news"> News</label>
  <label>Day <input type="date" name="day"></label>
  <label>Number <input type="number" name="number"></label>
  <button>Send</button>
</form>
<p id="out"></p>
<select id="many" multiple><option>a<option>b<option>c</select>
<input type="file" id="file" onchange="out.textContent = files[0].name + ' ' + files[0].size">
<button id="choose" onclick="file.click()">Choose</button>
<div id="zone" style="height:3em" ondragover="event.preventDefault()" ondrop="event.preventDefault(); out.textContent = 'dropped ' + event.dataTransfer.files[0].name">Drop here</div>
<button id="menu" onmouseenter="out.textContent = 'hovered'">Menu</button>
<input id="keys" onkeydown="out.textContent = (event.ctrlKey ? 'ctrl ' : '') + event.key">`

const drags = `<style>div{width:100px;height:60px;border:1px solid}</style>
<div id="from">From</div><div id="to">To</div><p id="out"></p><script>
  let down = false, moves = 0
  from.onmousedown = () => { down = true; moves = 0 }
  document.onmousemove = () => { if (down) moves++ }
  to.onmouseup = () => { if (down) out.textContent = 'dropped after ' + (moves > 3 ? 'many' : moves) + ' moves'; down = false }
</script>`

const dialogs = `
<button id="alert" onclick="alert('Hello'); out.textContent = 'told'">Alert</button>
<button id="confirm" onclick="out.textContent = confirm('Sure?')">Confirm</button>
<button id="prompt" onclick="out.textContent = prompt('Name?', 'nobody')">Prompt</button>
<button id="twice" onclick="alert('one'); alert('two'); out.textContent = 'both'">Twice</button>
<button id="later" onclick="setTimeout(() => alert('late'), 50)">Later</button>
<p id="out"></p>`

const links = `
<a id="popup" href="/form" target="_blank">Popup</a>
<button id="open" onclick="window.open('/drag')">Open</button>
<a id="file" href="/file.txt" download="..\\\\..\\\\evil/na:me.txt">Download</a>
<a id="next" href="/form">Next</a>
<iframe srcdoc="<button onclick='parent.out.textContent = 1'>Inside</button>"></iframe><p id="out"></p>`

describe.each(anyBrowser)('%s', (browser) => {
  let site: Site
  let peer: Peer
  let sessionId: string
  let folder: string

  beforeAll(async () => {
    site = await serveSite({
      '/form': page(form, 'Form'),
      '/drag': page(drags, 'Drag'),
      '/dialogs': page(dialogs, 'Dialogs'),
      '/links': page(links, 'Links'),
      '/file.txt': (_, response) => response.end('content of the file'),
      '/geo': page('<p id="out"></p>', 'Geo'),
    })
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'fl-toolset-')))
    const args = ['--headless', '--browser', browser, '--tools', '+trace,+pdf']
    peer = await connect({ args, cwd: folder })
    sessionId = await peer.session()
  }, 300_000)
  afterAll(async () => {
    await peer.close()
    site.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const call = (tool: string, input: Record<string, unknown> = {}) => peer.call(tool, { sessionId, ...input })
  const on = (path: string) => call('navigate', { url: `${site.url}${path}` })
  const out = async () => (await call('evaluate', { script: 'out.textContent' })).data.result

  describe('forms', () => {
    beforeEach(async () => void (await on('/form')))
    test('fill_form sets every kind of field and sends the form', async () => {
      const fields = [
        { selector: 'input[name=name]', value: 'Ada' },
        { selector: 'select[name=size]', value: 'Large' },
        { selector: 'input[name=news]', value: true },
        { selector: 'input[name=day]', value: '2030-01-31' },
        { selector: 'input[name=number]', value: '7' },
      ]
      expect((await call('fill_form', { fields, submit: true })).data).toMatchObject({
        success: true,
        filled: 5,
      })
      expect(await out()).toBe('sent name=Ada&size=l&news=on&day=2030-01-31&number=7')
    })
    test.each([
      [[{ selector: '#none', value: 'x' }], 'ELEMENT_NOT_FOUND', {}],
      [
        [{ selector: 'input[name=day]', value: 'tomorrow' }],
        'INVALID_PARAMETERS',
        { field: 'fields[0].value' },
      ],
      [
        [{ selector: 'input[name=number]', value: 'many' }],
        'INVALID_PARAMETERS',
        { field: 'fields[0].value' },
      ],
      [
        [{ selector: 'input[name=news]', value: 'perhaps' }],
        'INVALID_PARAMETERS',
        { field: 'fields[0].value' },
      ],
      [
        [{ selector: 'select[name=size]', value: 'Huge' }],
        'INVALID_PARAMETERS',
        { field: 'fields[0].value', expected: 'some of "Small", "Large"' },
      ],
      [[{ selector: 'h1', value: 'x' }], 'ELEMENT_NOT_EDITABLE', { reason: 'no_text' }],
      [[{ value: 'x' }], 'INVALID_PARAMETERS', { field: 'fields[0].selector' }],
    ])('fill_form %j fails with %s', async (fields, errorCode, details) => {
      const { data } = await call('fill_form', { fields, timeout: 1500 })
      expect(data).toMatchObject({ errorCode, details })
    })
    test('select chooses by value or label, also several', async () => {
      expect((await call('select', { selector: '[name=size]', values: ['Large'] })).data.selected).toEqual([
        'l',
      ])
      expect((await call('select', { selector: '#many', values: ['a', 'c'] })).data.selected).toEqual([
        'a',
        'c',
      ])
      expect((await call('select', { selector: 'h1', values: ['a'] })).data).toMatchObject({
        errorCode: 'INVALID_PARAMETERS',
        details: { field: 'selector' },
      })
    })
    test('upload_file gives files of the workspace to a field or a chooser, and no others', async () => {
      writeFileSync(join(folder, 'notes.txt'), 'twelve bytes')
      expect((await call('upload_file', { selector: '#file', paths: ['notes.txt'] })).data.success).toBe(true)
      expect(await out()).toBe('notes.txt 12')
      await on('/form')
      expect(
        (await call('upload_file', { selector: '#choose', paths: [join(folder, 'notes.txt')] })).data,
      ).toMatchObject({ success: true })
      expect(await out()).toBe('notes.txt 12')
      expect((await call('upload_file', { selector: '#zone', paths: ['notes.txt'] })).data).toMatchObject({
        success: true,
        message: 'Dropped 1 file.',
      })
      expect(await out()).toBe('dropped notes.txt')
      for (const path of ['/etc/passwd', '../../etc/passwd', '/proc/self/environ'])
        expect((await call('upload_file', { selector: '#file', paths: [path] })).data).toMatchObject({
          errorCode: path.startsWith('..') ? expect.any(String) : 'ACCESS_DENIED',
        })
      expect((await call('upload_file', { selector: '#file', paths: 'none.txt' })).data).toMatchObject({
        errorCode: 'INVALID_PARAMETERS',
        details: { field: 'paths' },
      })
      expect(
        (await call('upload_file', { selector: '#menu', paths: ['notes.txt'], timeout: 1500 })).data
          .errorCode,
      ).toBe('INVALID_PARAMETERS')
    })
    test('hover and press_key do what a hand does', async () => {
      expect((await call('hover', { selector: '#menu' })).data.success).toBe(true)
      expect(await out()).toBe('hovered')
      expect((await call('press_key', { selector: '#keys', key: 'Control+b' })).data.success).toBe(true)
      expect(await out()).toBe('ctrl b')
      expect((await call('press_key', { key: 'ArrowDown' })).data.success).toBe(true)
      expect(await out()).toBe('ArrowDown')
      expect((await call('press_key', { key: 'Nonsense' })).data).toMatchObject({
        errorCode: 'INVALID_PARAMETERS',
        details: { field: 'key' },
      })
    })
    test('drag moves the mouse from one element to the other', async () => {
      await on('/drag')
      expect((await call('drag', { selector: '#from', toSelector: '#to' })).data.success).toBe(true)
      expect(await out()).toBe('dropped after many moves')
      expect(
        (await call('drag', { selector: '#from', toSelector: '#none', timeout: 300 })).data.errorCode,
      ).toBe('ELEMENT_NOT_FOUND')
    })
  })

  describe('dialogs', () => {
    beforeEach(async () => void (await on('/dialogs')))
    test('the call that opens one returns with it, the next one asks for an answer to it, then all goes on', async () => {
      const opened = await call('click', { selector: '#confirm' })
      expect(opened.data).toMatchObject({ success: true, dialog: { type: 'confirm', message: 'Sure?' } })
      expect(opened.data.notes).toBeUndefined()
      for (const [tool, input] of [
        ['click', { selector: '#alert' }],
        ['snapshot', {}],
        ['evaluate', { script: '1' }],
      ] as const)
        expect((await call(tool, input)).data).toMatchObject({
          errorCode: 'DIALOG_OPEN',
          details: { message: 'Sure?' },
        })
      expect((await call('get_session_status')).data).toMatchObject({ dialog: { type: 'confirm' } })
      expect((await call('handle_dialog', { accept: true })).data.success).toBe(true)
      expect(await out()).toBe('true')
      await call('click', { selector: '#confirm' })
      await call('handle_dialog', { accept: false })
      expect(await out()).toBe('false')
    })
    test('a prompt takes a text; two in a row are answered one by one', async () => {
      expect((await call('click', { selector: '#prompt' })).data.dialog).toMatchObject({ type: 'prompt' })
      await call('handle_dialog', { accept: true, promptText: 'Ada' })
      expect(await out()).toBe('Ada')
      await call('click', { selector: '#twice' })
      expect((await call('handle_dialog', { accept: true })).data.dialog).toMatchObject({ message: 'two' })
      expect((await call('handle_dialog', { accept: true })).data.dialog).toBeUndefined()
      expect(await out()).toBe('both')
    })
    test('one that a script or a timer opens; none to answer; a session with one open closes', async () => {
      const { data } = await call('evaluate', { script: "alert('from a script')" })
      expect(data).toMatchObject({ result: null, dialog: { message: 'from a script' } })
      await call('handle_dialog', { accept: true })
      expect((await call('handle_dialog', { accept: true })).data.errorCode).toBe('INVALID_PARAMETERS')
      await call('click', { selector: '#later' })
      const waited = await call('wait_for', { text: 'never', timeout: 5000 })
      expect(waited.data.errorCode).toBe('DIALOG_OPEN')
      await call('handle_dialog', { accept: true })
      const other = await peer.session()
      await peer.call('navigate', { sessionId: other, url: `${site.url}/dialogs` })
      await peer.call('click', { sessionId: other, selector: '#alert' })
      expect((await peer.call('close_session', { sessionId: other })).data.success).toBe(true)
    })
  })

  describe('tabs, downloads, frames, history', () => {
    // Over BiDi a new window is known a little after the click that opened it.
    const opened = async (count: number) => {
      let tabs: any[] = []
      await until(async () => (tabs = (await call('tabs')).data.tabs).length === count)
      return tabs
    }
    beforeEach(async () => void (await on('/links')))
    test('a popup is a tab: reported, selected, closed; closing the active one moves on', async () => {
      const { data } = await call('click', { selector: '#popup' })
      if (browser === 'chromium') expect(data.notes).toEqual([expect.stringMatching(/^Tab t\d+ was opened/)])
      const tabs = await opened(2)
      expect(tabs.map(({ active }: any) => active)).toEqual([true, false])
      const { id } = tabs[1]
      await call('tabs', { action: 'select', tabId: id })
      await call('wait_for', { selector: 'h1' })
      expect((await call('get_session_status')).data.page).toMatchObject({
        url: `${site.url}/form`,
        title: 'Form',
      })
      expect((await call('tabs', { action: 'close' })).data.tabs).toHaveLength(1)
      expect((await call('get_session_status')).data.page).toMatchObject({ title: 'Links' })
      expect((await call('tabs', { action: 'close' })).data.errorCode).toBe('INVALID_PARAMETERS')
      expect((await call('tabs', { action: 'select', tabId: 'nope' })).data.errorCode).toBe(
        'INVALID_PARAMETERS',
      )
      const { tabs: made, notes } = (await call('tabs', { action: 'new', url: `${site.url}/drag` })).data
      // The list says that it is the active one.
      expect(notes).toBeUndefined()
      expect(made.find(({ active }: any) => active)).toMatchObject({ title: 'Drag' })
      await call('tabs', { action: 'close' })
    })
    test('a page that closes the active tab leaves another one active', async () => {
      await call('click', { selector: '#open' })
      const tabs = await opened(2)
      expect(tabs).toHaveLength(2)
      await call('tabs', { action: 'select', tabId: tabs.at(-1).id })
      await call('wait_for', { selector: '#from' })
      const { failed } = await call('evaluate', { script: 'setTimeout(() => close(), 0)' })
      expect(failed).toBe(false)
      await call('wait_for', { selector: '#popup', timeout: 3000 })
      expect(await opened(1)).toHaveLength(1)
    })
    test('a download is saved under a safe name in the output folder, and reported', async () => {
      await call('click', { selector: '#file' })
      let text = ''
      await until(async () => {
        const { entries } = (await call('timeline', { limit: 20 })).data
        text = entries.find((entry: any) => /^Downloaded /.test(entry.text))?.text ?? ''
        return text !== ''
      })
      const path = / to (.*)$/.exec(text)?.[1] ?? ''
      expect(path).toStartWith(join(folder, '.footlight', sessionId.slice(0, 8)))
      expect(path).not.toContain('/..')
      expect(readFileSync(path, 'utf8')).toBe('content of the file')
      expect(statSync(path).mode & 0o777).toBe(0o600)
    })
    test('refs reach into frames; history goes back, forward and reloads', async () => {
      const { snapshot } = (await call('snapshot')).data
      const ref = /button "Inside" \[(e\d+)\]/.exec(snapshot)?.[1]
      expect((await call('click', { ref })).data.success).toBe(true)
      expect(await out()).toBe('1')
      await call('click', { selector: '#next' })
      await call('wait_for', { text: 'Form' })
      expect((await call('history', { direction: 'back' })).data).toMatchObject({ title: 'Links' })
      expect((await call('history', { direction: 'forward' })).data).toMatchObject({ title: 'Form' })
      expect((await call('history', { direction: 'reload' })).data).toMatchObject({
        title: 'Form',
        status: 200,
      })
      const fresh = await peer.session()
      expect((await peer.call('history', { sessionId: fresh, direction: 'back' })).data).toMatchObject({
        errorCode: 'NAVIGATION_FAILED',
      })
      await peer.call('close_session', { sessionId: fresh })
    })
  })

  describe('emulation and files', () => {
    test('emulate: viewport, colours, headers, place, offline', async () => {
      await on('/geo')
      expect((await call('emulate', {})).data).toEqual({ success: true, message: 'Nothing is emulated.' })
      const read = async (script: string) => (await call('evaluate', { script })).data.result
      expect((await call('emulate', { viewport: { width: 500, height: 400 } })).data).toEqual({
        success: true,
      })
      expect(await read('innerWidth')).toBe(500)
      const dark = await call('emulate', { colorScheme: 'dark' })
      if (dark.failed)
        expect([browser, dark.data.message]).toEqual([
          'firefox',
          expect.stringContaining('firefox cannot emulate colorScheme'),
        ])
      else expect(await read("matchMedia('(prefers-color-scheme: dark)').matches")).toBe(true)
      const place = await call('emulate', { geolocation: { latitude: 52, longitude: 13 } })
      const asked =
        'new Promise(r => navigator.geolocation.getCurrentPosition(p => r(p.coords.latitude), e => r(e.message)))'
      if (place.failed) expect(place.data.message).toMatch(/cannot emulate geolocation/)
      else expect(await read(asked)).toBe(52)
      const headers = await call('emulate', { headers: { 'x-extra': 'yes' } })
      expect(headers.failed).toBe(false)
      await on('/geo')
      const offline = await call('emulate', { offline: true })
      if (offline.failed) return expect(offline.data.message).toMatch(/cannot emulate offline/)
      expect((await on('/form')).data.errorCode).toBe('NAVIGATION_FAILED')
      await call('emulate', { offline: false })
      expect((await on('/form')).data.title).toBe('Form')
    })
    test('storage_state saves and loads what a log-in left', async () => {
      const own = await peer.session()
      const one = (tool: string, input: Record<string, unknown>) =>
        peer.call(tool, { sessionId: own, ...input })
      await one('navigate', { url: `${site.url}/form` })
      await one('evaluate', {
        script:
          "localStorage.token = 'k3j9x0q2m5n8b1v7'; localStorage.theme = 'dark'; document.cookie = 'who=ada; path=/'",
      })
      expect((await one('storage_state', { action: 'save' })).data.state).toMatchObject({
        cookies: [{ name: 'who', value: '[redacted]' }],
        origins: [
          {
            localStorage: expect.arrayContaining([
              { name: 'token', value: '[redacted]' },
              { name: 'theme', value: 'dark' },
            ]),
          },
        ],
      })
      const saved = await one('storage_state', { action: 'save', path: 'auth.json' })
      expect(saved.data).toMatchObject({ success: true, path: join(folder, 'auth.json') })
      expect(statSync(saved.data.path).mode & 0o777).toBe(0o600)
      expect(readFileSync(saved.data.path, 'utf8')).toContain('"value":"ada"')
      expect((await one('storage_state', { action: 'save', path: 'auth.json' })).data.errorCode).toBe(
        'INVALID_PARAMETERS',
      )
      expect((await one('storage_state', { action: 'save', path: '/etc/auth.json' })).data.errorCode).toBe(
        'ACCESS_DENIED',
      )
      expect(existsSync('/etc/auth.json')).toBe(false)
      await one('evaluate', { script: 'localStorage.clear()' })
      expect((await one('storage_state', { action: 'load', path: 'auth.json' })).data.success).toBe(true)
      await one('navigate', { url: `${site.url}/form` })
      expect((await one('evaluate', { script: 'localStorage.token + document.cookie' })).data.result).toBe(
        '[redacted]who=ada',
      )
      writeFileSync(join(folder, 'bad.json'), '{}')
      expect((await one('storage_state', { action: 'load', path: 'bad.json' })).data.errorCode).toBe(
        'INVALID_PARAMETERS',
      )
      await peer.call('close_session', { sessionId: own })
      rmSync(join(folder, 'auth.json'))
    })
    test('pdf and trace are files and resources, or say that the engine has none', async () => {
      await on('/form')
      const printed = await call('pdf')
      if (browser === 'firefox')
        expect(printed.data).toMatchObject({
          errorCode: 'BROWSER_ERROR',
          message: expect.stringContaining('firefox cannot'),
        })
      else expect(readFileSync(printed.data.path).subarray(0, 4).toString()).toBe('%PDF')
      expect((await call('trace', { action: 'start' })).data).toMatchObject({ success: true })
      expect((await call('trace', { action: 'start' })).data.errorCode).toBe('INVALID_PARAMETERS')
      await call('click', { selector: '#menu' })
      await call('hover', { selector: '#menu' })
      await call('type', { selector: 'input[name=name]', text: 'Ada', submit: true })
      await call('fill_form', { fields: [{ selector: 'input[name=name]', value: 'Eve' }] })
      await call('evaluate', { script: '1 + 1' })
      const { data } = await call('trace', { action: 'stop' })
      const zip = readFileSync(data.path)
      expect(zip.subarray(0, 2).toString()).toBe('PK')
      const actions = new TextDecoder().decode(unzipSync(zip)['trace.trace'])
      for (const method of ['click', 'hover', 'keyboardType', 'keyboardPress', 'fill', 'evaluateExpression'])
        expect(actions).toContain(`"method":"${method}"`)
      expect((await call('trace', { action: 'stop' })).data.errorCode).toBe('INVALID_PARAMETERS')
    })
  })
})
