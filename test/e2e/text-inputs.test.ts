// What real pages take input with: comboboxes, editors, fields with a format, drags that wait, keys by any name, the focus.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { severalChoices } from '../fixtures/several-choices.ts'
import { comboboxes, drags, editors } from '../fixtures/widgets.ts'
import { type Peer, share } from '../support/client.ts'
import { anyBrowser, bothBrowsers } from '../support/engines.ts'
import { type Pool, pool } from '../support/pool.ts'
import { page, serveSite, type Site } from '../support/site.ts'

const native = `<select id="size"><option value="s">Small</option><option value="l" disabled>Large</option><optgroup label="More" disabled><option>Huge</option></optgroup></select>
  <select id="off" disabled><option>One</option></select>
  <script>setTimeout(() => { late.innerHTML = '<option>Soon' }, 100)</script><select id="late"></select>`
const formats = `<input id="date" type="date" value="2029-12-31"><input id="time" type="time" value="10:00"><input id="local" type="datetime-local" value="2029-12-31T10:00">
  <input id="number" type="number" value="5"><input id="range" type="range" value="30" max="50"><input id="color" type="color" value="#112233"><input id="month" type="month" value="2029-12">`
const focus = `<input id="plain" value="old"><div id="host"></div><iframe srcdoc="<input id=inner>"></iframe><button id="button">Button</button>
  <script>host.attachShadow({ mode: 'open' }).innerHTML = '<input id=deep>'</script>
  <input id="keys" onkeydown="log.textContent += [event.ctrlKey && 'ctrl', event.metaKey && 'meta', event.key].filter(Boolean).join(' ') + ';'"><p id="log"></p>`

// As SortableJS does with a delay: the item is a native drag only after it was held, and after each move the list looks away for a while.
const sorted = `<ol id="list">${['A', 'B', 'C'].map((item) => `<li id="${item}" style="padding:12px;width:200px">${item}</li>`).join('')}</ol>
<p id="held" style="width:100px">Held</p><script>
  let item, timer, away = false
  list.addEventListener('pointerdown', ({ target }) => {
    timer = setTimeout(() => { item = target; target.className = 'held'; target.draggable = true }, 200)
    // Firefox knows only what is draggable when the button goes down.
    if ('mozInnerScreenX' in window) target.draggable = true
  })
  list.addEventListener('pointermove', () => clearTimeout(timer))
  list.addEventListener('dragstart', (event) => item ? event.dataTransfer.setData('text', item.id) : event.preventDefault())
  list.addEventListener('dragover', (event) => {
    event.preventDefault()
    const { target } = event
    if (away || !item || target === item || target.localName !== 'li') return
    const after = item.compareDocumentPosition(target) & Node.DOCUMENT_POSITION_FOLLOWING
    after ? target.after(item) : target.before(item)
    away = true
    setTimeout(() => (away = false), 30)
  })
  list.addEventListener('drop', (event) => { event.preventDefault(); window.order = [...list.children].map((one) => one.id).join('') + event.dataTransfer.getData('text') })
  list.addEventListener('dragend', () => { item.className = ''; item = undefined; window.ended = true })
  held.onpointerdown = () => { held.className = 'held'; document.body.append(Object.assign(document.createElement('i'), { id: 'ghost' })) }
  window.onpointerup = window.onpointercancel = () => { held.className = ''; document.getElementById('ghost')?.remove() }
</script>`

describe.each(bothBrowsers)('%s', (browser) => {
  let site: Site
  let peer: Peer
  let sessions: Pool<string>
  beforeAll(async () => {
    site = await serveSite({
      '/comboboxes': page(comboboxes),
      '/editors': page(editors),
      '/drags': page(drags),
      '/sorted': page(sorted),
      '/several': page(severalChoices),
      '/native': page(native),
      '/formats': page(formats),
      '/focus': page(focus),
    })
    peer = await share(browser)
    const session = () => peer.session({ timeout: 60_000 })
    // A session of Firefox costs as much as a case.
    sessions = pool(await Promise.all(Array.from({ length: browser === 'chromium' ? 3 : 1 }, session)))
  }, 300_000)
  afterAll(async () => {
    await peer.close()
    site.close()
  })
  /** What a case does in the session that it has to itself. */
  const helpers = (sessionId: string) => {
    const call = async (tool: string, input: Record<string, unknown> = {}) =>
      (await peer.call(tool, { sessionId, ...input })).data
    const fill = (selector: string, value: string) => call('fill_form', { fields: [{ selector, value }] })
    return {
      call,
      fill,
      on: (path: string) => call('navigate', { url: `${site.url}/${path}` }),
      read: async (script: string) => (await call('evaluate', { script })).result,
      select: (selector: string, ...values: string[]) => call('select', { selector, values }),
    }
  }
  const inSession =
    <A extends readonly string[]>(body: (use: ReturnType<typeof helpers>, ...row: A) => Promise<void>) =>
    (...row: A) =>
      sessions.with((sessionId) => body(helpers(sessionId), ...row))
  const refused = (text: string) => ({
    errorCode: 'INVALID_PARAMETERS',
    message: expect.stringContaining(text),
  })

  if (anyBrowser.includes(browser))
    describe('several choices are set, not added', () => {
      // They differ in what the page shows, which is read by one function in both engines.
      const lists = [['list'], ['tags'], ['layer'], ['chips']] as const
      test.concurrent.each(lists.slice(0, browser === 'chromium' ? 4 : 2))(
        '%s',
        inSession(async ({ on, read, select }, id) => {
          await on('several')
          expect(await select(`#${id}`, 'Cherry', 'Apple')).toMatchObject({ selected: ['Cherry', 'Apple'] })
          expect(await read(`chosen['${id}'].toSorted()`)).toEqual(['Apple', 'Cherry'])
          expect(await select(`#${id}`, 'Plum')).toMatchObject({ selected: ['Plum'] })
          expect(await read(`chosen['${id}']`)).toEqual(['Plum'])
        }),
        180_000,
      )
      test.concurrent(
        'what cannot be deselected is reported',
        inSession(async ({ on, select }) => {
          await on('several')
          expect(await select('#fixed', 'Cherry')).toMatchObject({
            errorCode: 'BROWSER_ERROR',
            message: expect.stringContaining('"Apple" was chosen before and could not be taken back'),
          })
        }),
        180_000,
      )
    })

  if (anyBrowser.includes(browser))
    describe('select', () => {
      test.concurrent(
        'a <select>: what cannot be chosen is reported at once',
        inSession(async ({ call, on, read, select }) => {
          await on('native')
          expect(await select('#late', 'Soon')).toMatchObject({ selected: ['Soon'] })
          const since = performance.now()
          expect(await select('#size', 'Large')).toMatchObject(
            refused('"Large" (disabled), "Huge" (disabled), received Large, disabled'),
          )
          expect(await select('#size', 'Huge')).toMatchObject(refused('received Huge, disabled'))
          expect(await select('#size', 'None')).toMatchObject(refused('some of "Small"'))
          const disabled = { selector: '#off', values: ['One'], timeout: 500 }
          expect(await call('select', disabled)).toMatchObject({
            errorCode: 'ELEMENT_NOT_CLICKABLE',
            details: { reason: 'disabled' },
          })
          expect(performance.now() - since).toBeLessThan(60_000)
          expect(await read('size.value')).toBe('s')
        }),
        180_000,
      )
      // What an engine can do differently is in the last three.
      const widgets = [
        ['mui', '#mui', 'Cherry', 'Durian'],
        ['mui', '#mui-box', 'Banana', 'Durian'],
        ['headless', '#headless', 'Cherry', 'Durian'],
        ['radix', '#radix', 'Cherry', 'Durian'],
        ['antd', '#antd', 'Item 700', 'Item 5'],
        ['rs', '#rs', 'Cherry', 'Durian'],
      ] as const
      test.concurrent.each(widgets.slice(browser === 'chromium' ? 0 : 3))(
        '%s by %s: chooses, verifies, and refuses at once',
        inSession(async ({ on, read, select }, key, selector, wanted, disabled) => {
          await on('comboboxes')
          expect(await select(selector, wanted)).toMatchObject({ success: true, selected: [wanted] })
          expect(await read(`got.${key}`)).toBe(wanted)
          expect(await select(selector, disabled)).toMatchObject(refused(`received ${disabled}, disabled`))
          expect(await select(selector, 'Nothing')).toMatchObject(
            refused(key === 'antd' ? '"Item 999"'.slice(0, 5) : 'some of "Apple", "Banana"'),
          )
          expect(await read(`got.${key}`)).toBe(wanted)
          expect(await select(selector, wanted)).toMatchObject({ success: true })
        }),
        180_000,
      )
      test.concurrent(
        'a choice that the page does not show is no success; what is disabled is a failure',
        inSession(async ({ call, on, select }) => {
          await on('comboboxes')
          for (const selector of ['#deaf', '#closing'])
            expect(await select(selector, 'Banana')).toMatchObject({
              errorCode: 'BROWSER_ERROR',
              message: expect.stringContaining('it shows "Apple'),
            })
          const disabled = { selector: '#shut', values: ['Banana'], timeout: 500 }
          expect(await call('select', disabled)).toMatchObject({
            errorCode: 'ELEMENT_NOT_CLICKABLE',
            details: { reason: 'disabled' },
          })
          expect(await call('select', { selector: 'h1', values: ['Banana'], timeout: 500 })).toMatchObject({
            errorCode: 'ELEMENT_NOT_FOUND',
          })
          expect(await select('body', 'Banana')).toMatchObject(refused('a combobox or a listbox'))
        }),
        180_000,
      )
      test.concurrent(
        'fill_form sets them too',
        inSession(async ({ call, on, read }) => {
          await on('comboboxes')
          const fields = [
            { selector: '#mui-box', value: 'Cherry' },
            { selector: '#radix', value: 'Banana' },
          ]
          expect(await call('fill_form', { fields })).toMatchObject({ filled: 2 })
          expect(await read('got')).toEqual({ mui: 'Cherry', radix: 'Banana' })
        }),
        180_000,
      )
    })

  describe('editors', () => {
    const code = 'function f(a) {\n  return [a]\n}'
    const codeEditors = [
      ['#monaco', 'monacoText()'],
      ['#cm', 'cmText()'],
      ['#cm .cm-content', 'cmText()'],
    ] as const
    // What is pasted where does not depend on the engine, how it is does.
    test.concurrent.each(codeEditors.slice(0, browser === 'chromium' ? 3 : 2))(
      'code goes into %s as it is',
      inSession(async ({ call, fill, on, read }, selector, text) => {
        await on('editors')
        expect(await fill(selector, code)).toMatchObject({ filled: 1 })
        expect(await read(text)).toBe(code)
        expect(await call('type', { selector, text: ' // {[(' })).toMatchObject({ success: true })
        expect(await read(text)).toBe(`${code} // {[(`)
        expect(await call('type', { selector, text: 'x', clear: true })).toMatchObject({ success: true })
        expect(await read(text)).toBe('x')
      }),
      180_000,
    )
    test.concurrent(
      'prose is replaced and added to, and what an editor does not take is no success',
      inSession(async ({ call, fill, on, read }) => {
        await on('editors')
        expect(await fill('#tiptap .ProseMirror', 'first\nsecond')).toMatchObject({ filled: 1 })
        expect(await read('document.querySelector("#tiptap p + p").textContent')).toBe('second')
        expect(await call('type', { selector: '#tiptap', text: ' line' })).toMatchObject({ success: true })
        expect(await read('document.querySelector("#tiptap").innerText')).toContain('second line')
        expect(await fill('#plain', 'one\ntwo')).toMatchObject({ filled: 1 })
        expect(await read('plain.innerText.split(/\\n+/)')).toEqual(['one', 'two'])
        expect(await fill('#upper', 'one-two')).toMatchObject({ notes: ['#upper has "ONE-TWO".'] })
        for (const answer of [
          await fill('#frozen', 'x'),
          await call('type', { selector: '#frozen', text: 'x' }),
        ])
          expect(answer).toMatchObject({
            errorCode: 'BROWSER_ERROR',
            message: expect.stringContaining('did not accept the text'),
          })
      }),
      180_000,
    )
  })

  if (anyBrowser.includes(browser))
    describe('fields with a format', () => {
      const rows = [
        ['date', 'tomorrow', 'a date such as 2030-01-31', '2030-01-31'],
        ['time', 'noon', 'a time such as 13:45', '13:45'],
        ['local', '31.1.2030 10:00', 'a date and time such as', '2030-01-31T13:45'],
        ['number', 'many', 'a number', '-0.5'],
        ['range', '70', 'a number from 0 to 50', '40'],
        ['color', 'blueish', 'a color such as #', '#1e90ff'],
        ['month', 'May', 'a month such as 2030-01', '2030-01'],
      ] as const
      // The formats are ours; of the engine is that a field keeps nothing else. Firefox has no field for months: it takes any text.
      const inFirefox = ['date', 'number', 'color']
      test.concurrent.each(rows.filter(([id]) => browser === 'chromium' || inFirefox.includes(id)))(
        '%s refuses %j and keeps its value',
        inSession(async ({ call, fill, on, read }, id, bad, expected, good) => {
          await on('formats')
          const before = await read(`${id}.value`)
          expect(await fill(`#${id}`, bad)).toMatchObject(refused(expected))
          expect(await read(`${id}.value`)).toBe(before)
          if (id !== 'range' && id !== 'color') {
            expect(await call('type', { selector: `#${id}`, text: bad, clear: true })).toMatchObject({
              errorCode: 'INVALID_PARAMETERS',
              details: { field: 'text' },
            })
            expect(await read(`${id}.value`)).toBe(before)
          }
          expect(await fill(`#${id}`, good)).toMatchObject({ filled: 1 })
          expect(await read(`${id}.value`)).toBe(good)
        }),
        180_000,
      )
    })

  describe('the focus', () => {
    test.concurrent(
      'type without a target goes there, through frames and shadow roots',
      inSession(async ({ call, on, read }) => {
        await on('focus')
        await read('plain.focus(), plain.select()')
        expect(await call('type', { text: 'new' })).toMatchObject({
          success: true,
          message: 'Typed.',
        })
        expect(await read('plain.value')).toBe('new')
        expect(await call('type', { text: 'again', clear: true })).toMatchObject({ success: true })
        expect(await read('plain.value')).toBe('again')
        await read('host.shadowRoot.querySelector("#deep").focus()')
        await call('type', { text: 'deep' })
        expect(await read('host.shadowRoot.querySelector("#deep").value')).toBe('deep')
        await call('click', { selector: 'iframe >> internal:control=enter-frame >> #inner' })
        await call('type', { text: 'inner' })
        expect(
          await read('document.querySelector("iframe").contentDocument.querySelector("#inner").value'),
        ).toBe('inner')
      }),
      180_000,
    )
    test.concurrent(
      'where nothing takes text, that is said',
      inSession(async ({ call, on, read }) => {
        await on('focus')
        expect(await call('type', { text: 'x' })).toMatchObject({
          errorCode: 'ELEMENT_NOT_EDITABLE',
          message: expect.stringContaining('the focused element'),
        })
        await read('document.getElementById("button").focus()')
        expect(await call('type', { text: 'x' })).toMatchObject({
          errorCode: 'ELEMENT_NOT_EDITABLE',
          details: { reason: 'no_text', by: expect.stringContaining('<button') },
        })
      }),
      180_000,
    )
    test.concurrent(
      'keys by the names that people use; a wrong one comes with the nearest',
      inSession(async ({ call, on, read }) => {
        await on('focus')
        for (const key of ['Ctrl+K', 'cmd+j', 'Esc', 'arrow down'])
          expect(await call('press_key', { selector: '#keys', key })).toMatchObject({ success: true })
        expect(await read('log.textContent')).toMatch(/ctrl k;.*meta j;Escape;ArrowDown;$/)
        expect(await call('press_key', { key: 'Ctrl+Entr' })).toMatchObject(refused('Did you mean Enter?'))
      }),
      180_000,
    )
  })

  // One at a time: Firefox has one drag in all.
  test.each(['delay', 'long', 'distance'])(
    'a drag that waits for its %s is one',
    inSession(async ({ call, on, read }, id) => {
      await on('drags')
      expect(await call('drag', { selector: `#from-${id}`, toSelector: `#to-${id}` })).toEqual({
        success: true,
        message: 'Dragged.',
      })
      expect(await read(`got['${id}']`)).toBe('dropped')
    }),
    180_000,
  )
  test(
    'a drag that only selects text says so',
    inSession(async ({ call, on }) => {
      await on('drags')
      const { message } = await call('drag', { selector: '#from-text', toSelector: '#to-text' })
      expect(message).toMatch(/Only the text selection changed|No change of the page/)
    }),
    180_000,
  )
  test(
    'an item of a sorted list, which is draggable only after a delay, comes to its place',
    inSession(async ({ call, on, read }) => {
      await on('sorted')
      const message = 'Dragged.'
      expect(await call('drag', { selector: '#A', toSelector: '#C' })).toEqual({ success: true, message })
      expect(await read('[window.order, window.ended, A.className]')).toEqual(['BCAA', true, ''])
    }),
    180_000,
  )
  test(
    'what a page marks and draws only as long as the button is held is no effect',
    inSession(async ({ call, on, read }) => {
      await on('sorted')
      const { message } = await call('drag', { selector: '#held', toSelector: '#C' })
      expect(message).toMatch(/Only the text selection changed|No change of the page/)
      expect(await read('held.className + document.querySelectorAll("#ghost").length')).toBe('0')
    }),
    180_000,
  )
})
