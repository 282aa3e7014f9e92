// A field that is set without waiting is set as safely as one that is waited for: it gets its value once, or the failure says why not.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Peer, share } from '../support/client.ts'
import { bothBrowsers } from '../support/engines.ts'
import { page, serveSite, type Site } from '../support/site.ts'

const heard = `<script>window.got = []
  for (const kind of ['input', 'change', 'click'])
    addEventListener(kind, (event) => event.target.id === 'b' && got.push(kind), true)</script>`
const input = '<input id="b" value="old">'
const box = '<input type="checkbox" id="b">'
const shown = 'b.type === "checkbox" || b.type === "radio" ? b.checked : (b.value ?? b.textContent)'
const set = (body: string, value: string | boolean | string[], shows: unknown, got: unknown) =>
  [body, value, { success: true }, shows, got] as const
const refused = (body: string, value: string | boolean, answer: object, shows: unknown) =>
  [body, value, answer, shows, expect.any(Array)] as const
const not = (reason: string) => ({ errorCode: 'ELEMENT_NOT_EDITABLE', details: { reason } })
const later = (now: string, then: string) => `<script>${now}; setTimeout(() => { ${then} }, 300)</script>`

const cases: Readonly<
  Record<string, readonly [string, string | boolean | string[], object, unknown, unknown]>
> = {
  'a text takes the place of another': set(input, 'x', 'x', ['input']),
  'nothing takes the place of a text': set(input, '', '', ['input']),
  'a long text': set(
    '<textarea id="b">old</textarea>',
    'one\ntwo',
    'one\ntwo',
    expect.arrayContaining(['input']),
  ),
  'text that can be edited': set('<div id="b" contenteditable>old</div>', 'x', 'x', ['input']),
  'a date': set('<input id="b" type="date">', '2030-01-31', '2030-01-31', ['input', 'change']),
  'a number': set('<input id="b" type="number">', '7', '7', ['input']),
  'an option by its label': set(
    '<select id="b"><option value="s">Small<option value="l">Large</select>',
    'Large',
    'l',
    ['input', 'change'],
  ),
  'some options': set('<select id="b" multiple><option>a<option>b<option>c</select>', ['b', 'c'], 'b', [
    'input',
    'change',
  ]),
  'a field by its label': set('<label id="l">Name <input id="b"></label>', 'x', 'x', ['input']),
  'disabled, and enabled later': set(input + later('b.disabled = true', 'b.disabled = false'), 'x', 'x', [
    'input',
  ]),
  'hidden, and shown later': set(input + later('b.hidden = true', 'b.hidden = false'), 'x', 'x', ['input']),
  'coming late': set(later('', `document.body.insertAdjacentHTML('beforeend', '${input}')`), 'x', 'x', [
    'input',
  ]),
  'read-only for good': refused('<input id="b" readonly value="old">', 'x', not('read_only'), 'old'),
  'disabled for good': refused('<input id="b" disabled value="old">', 'x', not('disabled'), 'old'),
  'no text field': refused('<h1 id="b">old</h1>', 'x', not('no_text'), 'old'),
  'letters for a number': refused(
    '<input id="b" type="number">',
    'x',
    { errorCode: 'INVALID_PARAMETERS' },
    '',
  ),
  'two of them': refused(`${input}<input id="b">`, 'x', { errorCode: 'INVALID_PARAMETERS' }, undefined),
  'a checkbox': set(box, true, true, ['click', 'input', 'change']),
  'a checkbox that is on': set('<input type="checkbox" id="b" checked>', true, true, []),
  'a checkbox that is to be off': set('<input type="checkbox" id="b" checked>', 'false', false, [
    'click',
    'input',
    'change',
  ]),
  'a radio': set('<input type="radio" name="r" checked><input type="radio" name="r" id="b">', true, true, [
    'click',
    'input',
    'change',
  ]),
  'a switch of its own': set(
    '<div id="b" role="switch" aria-checked="false" onclick="b.setAttribute(\'aria-checked\', true)">off</div>',
    true,
    'off',
    ['click'],
  ),
  'a switch that takes a while': set(
    '<div id="b" role="switch" aria-checked="false" onclick="setTimeout(() => b.setAttribute(\'aria-checked\', true), 100)">off</div>',
    true,
    'off',
    ['click'],
  ),
  'a checkbox that refuses': refused(
    '<input type="checkbox" id="b" onclick="event.preventDefault()">',
    true,
    { errorCode: 'BROWSER_ERROR', message: expect.stringContaining('did not change its state') },
    false,
  ),
  'a checkbox that is covered': refused(
    `${box}<div style="position:fixed;inset:0">Wait</div>`,
    true,
    { errorCode: 'ELEMENT_NOT_CLICKABLE', details: { reason: 'covered' } },
    false,
  ),
}

// One function in the page sets the fields of both engines. In Firefox the events and formats of each kind of field are tried, and what
// Playwright does there: the clicks on a box, of which it looks at the state at once, and the waiting.
const inFirefox = [
  'a text takes the place of another',
  'text that can be edited',
  'a date',
  'some options',
  'disabled, and enabled later',
  'read-only for good',
  'letters for a number',
  'a checkbox',
  'a checkbox that is on',
  'a radio',
  'a switch of its own',
  'a checkbox that refuses',
  'a checkbox that is covered',
]

describe.each(bothBrowsers)('%s', (browser) => {
  let site: Site
  let peer: Peer
  let sessionId: string
  const names = Object.keys(cases)
  const known = (name: string) => browser === 'chromium' || inFirefox.includes(name)
  beforeAll(async () => {
    const routes = Object.values(cases).map(([body], index) => [`/${index}`, page(heard + body)] as const)
    site = await serveSite({
      ...Object.fromEntries(routes),
      '/card': page(
        '<select autocomplete="cc-type" id="b"><option>Visa<option>Other</select><p>Visa is taken</p>',
      ),
      '/month': page('<input id="b" type="month" autocomplete="cc-exp" oninput="alert(this.value)">'),
    })
    peer = await share(browser)
    sessionId = await peer.session()
  })
  afterAll(async () => {
    await peer.close()
    site.close()
  })
  const call = async (tool: string, input: Record<string, unknown>) =>
    (await peer.call(tool, { sessionId, ...input })).data

  test.each(names.map((name, index) => [name, index] as const).filter(([name]) => known(name)))(
    '%s',
    async (name, index) => {
      const [body, value, answer, shows, got] = cases[name] ?? ['', '', {}, '', []]
      await call('navigate', { url: `${site.url}/${index}` })
      const fields = [{ selector: body.includes('id="l"') ? '#l' : '#b', value }]
      expect(await call('fill_form', { fields, timeout: 'success' in answer ? 20_000 : 6000 })).toMatchObject(
        answer,
      )
      if (shows === undefined) return
      expect((await call('evaluate', { script: `[${shown}, got]` })).result).toEqual([shows, got])
    },
  )
  test('an option is no secret, whatever its field is called', async () => {
    await call('navigate', { url: `${site.url}/card` })
    await call('fill_form', { fields: [{ selector: '#b', value: 'Visa' }] })
    expect((await call('get_content', {})).content).toContain('Visa is taken')
  })
  test('a secret month is known before the page can say it', async () => {
    await call('navigate', { url: `${site.url}/month` })
    const said = await call('fill_form', { fields: [{ selector: '#b', value: '2031-07' }] })
    expect(said.dialog).toMatchObject({ type: 'alert' })
    expect(JSON.stringify(said)).not.toContain('2031-07')
    await call('handle_dialog', { accept: true })
  })
})
