// What an answer must not get wrong: each of these once did.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { spawn } from 'node:child_process'
import process from 'node:process'
import { countTokens } from 'gpt-tokenizer'
import { binary, connect, type Peer, share } from '../support/client.ts'
import { trace, until } from '../support/leftovers.ts'
import { reservePort } from '../support/reserve-port.ts'
import { page, serveSite, type Site } from '../support/site.ts'

let site: Site
let peer: Peer
let sessionId: string
let answerSlow: (() => void) | undefined
let isImageSent = false

beforeAll(async () => {
  site = await serveSite({
    '/': page(
      '<div id="value">taken</div><div id="describe">mine</div><a href="/slow" id="slow">Slow</a><a href="#x" id="a">A</a>',
      'Home',
    ),
    '/never': () => {},
    '/moved': (_, response) => response.writeHead(302, { location: '/loaded' }).end(),
    '/loaded': page('<img src="/late.png">', 'Loaded'),
    '/late.png': (_, response) => void setTimeout(() => (isImageSent = true) && response.end(), 1000),
    '/slow': (_, response) => void (answerSlow = () => response.end('<title>Slow</title>arrived')),
    '/refused': (_, response) => void setTimeout(() => response.writeHead(409).end(), 200),
    '/fields': page(`
      <select id="size" onchange="fetch('/refused').then(() => (this.selectedIndex = 0))"><option>S</option><option>L</option></select>
      <input id="replaced" oninput="const n = this.cloneNode(); this.replaceWith(n)">
      <input id="a" oninput="b.focus()"><input id="b"><input id="day" type="date"><input id="start" value="abc" autofocus>
      <div id="box"><input id="redrawn" value="old"></div>
      <script>box.addEventListener('input', (e) => { if (e.target.value === '') box.innerHTML = '<input id="redrawn">' })</script>`),
    '/values': page(`
      <input id="short" maxlength="3"><input id="pin" type="password" maxlength="4"><input id="refused" oninput="this.value = ''">
      <input id="refusedLater" oninput="requestAnimationFrame(() => (this.value = ''))">
      <input id="tags" oninput="if (this.value.endsWith(',')) { chips.textContent += this.value.slice(0, -1); this.value = '' }"><p id="chips"></p>
      <input id="masked" oninput="this.value = this.value.replace(/^(\\d{3})(\\d+)$/, '($1) $2')">
      <input id="day" type="date" onchange="this.value = '2031-01-01'"><textarea id="note">So </textarea>
      <select id="size" onchange="this.value = 'S'"><option>S<option>L</select>
      <iframe srcdoc="<input id=inner maxlength=1>"></iframe>
      <form onsubmit="event.preventDefault(); blurred.value = ''"><input id="blurred" onblur="this.value = ''"><input id="other"></form>`),
  })
  peer = await share()
  sessionId = await peer.session()
})
afterAll(async () => {
  await peer.close()
  site.close()
})
const call = async (tool: string, input: Record<string, unknown> = {}) =>
  (await peer.call(tool, { sessionId, ...input })).data
const on = (path: string) => call('navigate', { url: `${site.url}${path}` })
const value = async (id: string) =>
  (await call('evaluate', { script: `document.getElementById('${id}').value` })).result

describe('navigation', () => {
  test('the answer comes once the page has loaded, with its title, its last address and its status', async () => {
    expect(await on('/moved')).toEqual({
      success: true,
      title: 'Loaded',
      url: `${site.url}/loaded`,
      status: 200,
    })
    expect(isImageSent).toBe(true)
    expect(await call('evaluate', { script: 'document.readyState' })).toEqual({ result: 'complete' })
    expect(await on('/nothing')).toMatchObject({ success: true, status: 404 })
  })
  test('a page that never answers leaves the one before it usable', async () => {
    await on('/')
    expect(await call('navigate', { url: `${site.url}/never`, timeout: 200 })).toMatchObject({
      errorCode: 'NAVIGATION_FAILED',
      details: { reason: 'timeout', waited: 200 },
    })
    expect(await call('evaluate', { script: 'document.title' })).toEqual({ result: 'Home' })
  })
  test('an address without an answer is reported once, and nothing of the page that the browser has for it', async () => {
    await on('/')
    const url = `http://127.0.0.1:${await reservePort()}/`
    const refused = await call('navigate', { url })
    expect(refused).toMatchObject({ sessionId, details: { url, reason: expect.stringMatching(/REFUSED/) } })
    expect(refused).not.toHaveProperty('evidence')
    expect(JSON.stringify(refused).split(url)).toHaveLength(2)
    expect(countTokens(JSON.stringify(refused))).toBeLessThanOrEqual(100)
    await on('/')
  })
  test('a cancelled navigation leaves it usable too', async () => {
    const cancel = new AbortController()
    const pending = peer.client.callTool(
      { name: 'navigate', arguments: { sessionId, url: `${site.url}/never` } },
      undefined,
      { signal: cancel.signal },
    )
    await until(() => site.hits.at(-1) === '/never')
    cancel.abort()
    await expect(pending).rejects.toThrow()
    expect(await call('evaluate', { script: '1' })).toEqual({ result: 1 })
  })
  test('a click whose page is slow was a click', async () => {
    await on('/')
    expect(await call('click', { selector: '#slow', timeout: 5000 })).toMatchObject({
      success: true,
      message: expect.stringContaining('The navigation has not finished'),
    })
    expect(await until(() => answerSlow !== undefined)).toBe(true)
    answerSlow?.()
    expect(await call('wait_for', { text: 'arrived' })).toMatchObject({ success: true })
  })
  test('an action on a page that has gone elsewhere meanwhile says so, once', async () => {
    await on('/')
    await call('evaluate', { script: "history.pushState(0, '', '/other')" })
    const note = `The page had gone to ${site.url}/other before this action.`
    expect((await call('click', { selector: '#value' })).notes).toEqual([note])
    expect((await call('click', { selector: '#value' })).notes).toBeUndefined()
  })
  test('a script that is cancelled does not keep the page', async () => {
    const cancel = new AbortController()
    const pending = peer.client.callTool(
      { name: 'evaluate', arguments: { sessionId, script: 'for (;;);' } },
      undefined,
      { signal: cancel.signal },
    )
    await peer.call('list_sessions')
    cancel.abort()
    await expect(pending).rejects.toThrow()
    expect(await call('evaluate', { script: '1' })).toEqual({ result: 1 })
  })
})

describe('typing', () => {
  test('a field that is replaced under the keys did not get the text', async () => {
    await on('/fields')
    expect(await call('type', { selector: '#replaced', text: 'hello' })).toMatchObject({
      errorCode: 'ELEMENT_NOT_EDITABLE',
      details: { reason: 'detached' },
    })
  })
  test('a field that is drawn anew when it is emptied gets the text', async () => {
    await call('type', { selector: '#redrawn', text: 'new', clear: true })
    expect(await value('redrawn')).toBe('new')
  })
  test('a choice that the server refuses after a while is reported, with the answer of the server', async () => {
    await on('/fields')
    expect(await call('select', { selector: '#size', values: ['L'] })).toMatchObject({
      notes: ['#size has "S" selected.', expect.stringContaining('/refused → 409')],
    })
  })
  test('a focus that moves on is reported', async () => {
    expect(await call('type', { selector: '#a', text: 'xy' })).toMatchObject({
      success: true,
      message: expect.stringContaining('<input id="b">'),
    })
  })
  test('a date takes its value whole, and a wrong one is refused', async () => {
    expect(await call('type', { selector: '#day', text: '2030-01-31' })).toMatchObject({ success: true })
    expect(await value('day')).toBe('2030-01-31')
    expect(await call('type', { selector: '#day', text: 'tomorrow' })).toMatchObject({
      errorCode: 'INVALID_PARAMETERS',
      details: { field: 'text' },
    })
  })
  test('text goes after what is there, also when the field has the focus already', async () => {
    await on('/fields')
    await call('type', { selector: '#start', text: 'X' })
    expect(await value('start')).toBe('abcX')
  })
  test('a long text with a short timeout is typed and submitted', async () => {
    const text = 'x'.repeat(80)
    expect(
      await call('type', { selector: '#b', text, delay: 30, timeout: 1500, submit: true }),
    ).toMatchObject({
      success: true,
    })
    expect(await value('b')).toBe(text)
  })
})

describe('values', () => {
  beforeAll(async () => {
    await on('/values')
    await call('snapshot')
  })
  const typed = (...notes: string[]) => ({
    success: true,
    message: 'Typed.',
    ...(notes.length > 0 && { notes }),
  })
  test.each<[selector: string, text: string, answer: object]>([
    ['#other', 'abc', typed()],
    ['#note', 'long\n', typed()],
    ['#short', 'abcdef', typed('#short has "abc".')],
    ['#short', 'c', typed('#short has "abc".')],
    ['#pin', 'hunter22', typed('#pin has another value than the one that was entered.')],
    ['#masked', '5551234', typed('#masked has "(555) 1234".')],
    ['#day', '2030-01-31', typed('#day has "2031-01-01".')],
    ['#tags', 'red,', typed('#tags is empty: the page shows the text elsewhere.')],
    [
      '#refused',
      'abc',
      { errorCode: 'ELEMENT_NOT_EDITABLE', details: { target: '#refused', reason: 'emptied' } },
    ],
    [
      '#refusedLater',
      'abc',
      { errorCode: 'ELEMENT_NOT_EDITABLE', details: { target: '#refusedLater', reason: 'emptied' } },
    ],
  ])('%s is compared with %j', async (selector, text, answer) =>
    expect(await call('type', { selector, text })).toMatchObject(answer),
  )
  test('fields that were filled are compared once all of them are', async () => {
    const fields = [
      { selector: '#short', value: 'abcd' },
      { selector: 'iframe >> internal:control=enter-frame >> #inner', value: 'ab' },
      { selector: '#size', value: 'L' },
      { selector: '#other', value: 'abc' },
    ]
    const notes = ['#short has "abc".', `${fields[1]?.selector} has "a".`, '#size has "S" selected.']
    expect(await call('fill_form', { fields })).toMatchObject({ success: true, filled: 4, notes })
    const emptied = [{ selector: '#blurred', value: 'abc' }, fields[3]]
    const failure = { errorCode: 'ELEMENT_NOT_EDITABLE', details: { target: '#blurred', reason: 'emptied' } }
    expect(await call('fill_form', { fields: emptied })).toMatchObject(failure)
    expect(await call('fill_form', { fields: emptied, submit: true })).toMatchObject(failure)
    const { entries } = await call('timeline', { limit: 2 })
    expect(JSON.stringify(entries)).toContain('fill_form: ELEMENT_NOT_EDITABLE')
    expect(JSON.stringify(entries)).not.toContain('fill_form: done')
  })
  test('so are options', async () =>
    expect(await call('select', { selector: '#size', values: ['L'] })).toMatchObject({
      notes: ['#size has "S" selected.'],
    }))
})

describe('scripts', () => {
  beforeAll(() => on('/'))
  test.each([
    ['document.title;', 'Home'],
    ['() => document.title;', 'Home'],
    ['(() => 5)();', 5],
    ['value.textContent', 'taken'],
    ['() => value.textContent', 'taken'],
    ['describe.textContent', 'mine'],
    ['const arg = 4; return arg', 4],
  ])('%s', async (script, expected) =>
    expect(await call('evaluate', { script })).toEqual({ result: expected }),
  )
  test("a script's own error is its own, with a target too", async () => {
    expect(await call('evaluate', { script: 'throw new Error("navigation menu missing")' })).toMatchObject({
      details: { text: 'Error: navigation menu missing' },
    })
    expect(await call('evaluate', { script: 'el => JSON.parse("{")', selector: '#a' })).toMatchObject({
      errorCode: 'SCRIPT_ERROR',
    })
  })
})

describe('sessions', () => {
  test('a name cannot look like an id', async () => {
    expect((await peer.call('create_session', { name: sessionId })).data).toMatchObject({
      errorCode: 'INVALID_PARAMETERS',
      details: { field: 'name' },
    })
  })
  test('the status tells the same expiry as the list', async () => {
    await call('exists', { selector: 'a' })
    const { expiresAt } = await call('get_session_status')
    const [listed] = (await peer.call('list_sessions')).data.sessions
    // Five minutes from the end of the call, and the answer was made before that.
    expect(Math.abs(listed.expiresAt - expiresAt)).toBeLessThan(30_000)
  })
  test('a call does not wait for its turn past its deadline', async () => {
    const slow = call('wait_for', { text: 'never', timeout: 1200 })
    const since = performance.now()
    expect(await call('exists', { selector: 'a' })).toMatchObject({ exists: true })
    expect(performance.now() - since).toBeGreaterThan(1000)
    const again = call('wait_for', { text: 'never', timeout: 1200 })
    expect(await call('evaluate', { script: '1', timeout: 200 })).toMatchObject({
      errorCode: 'TIMEOUT',
      details: { waitedFor: expect.stringContaining('earlier calls') },
    })
    await Promise.all([slow, again])
  })
  test('a field name is not read as another, and without an id nothing is closed by guess', async () => {
    expect((await peer.call('create_session', { browserName: 'firefox' })).data).toMatchObject({
      errorCode: 'INVALID_PARAMETERS',
      details: { field: 'browserName' },
    })
    const own = await connect({ args: ['--headless', '--implicit-session'] })
    await Promise.all([own.session(), own.session()])
    expect((await own.call('close_session')).data).toMatchObject({
      errorCode: 'INVALID_PARAMETERS',
      details: { field: 'sessionId' },
    })
    await own.close()
  })
  test('a warm page whose renderer died is not handed out', async () => {
    const own = await connect({ env: { FOOTLIGHT_WARM: '1' } })
    await own.session()
    const renderers = () => own.trace.processes().filter(({ command }) => command.includes('--type=renderer'))
    expect(await until(() => renderers().length === 2)).toBe(true)
    for (const { pid } of renderers()) process.kill(pid, 'SIGKILL')
    await until(() => renderers().length === 0)
    const next = await own.session()
    expect((await own.call('navigate', { sessionId: next, url: site.url })).data).toMatchObject({
      success: true,
    })
    await own.close()
  })
})

test('row 49: a message that is too long is refused, and the next one is served', async () => {
  const left = trace()
  const child = spawn(binary, ['--headless'], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...process.env, ...left.env },
  })
  let out = ''
  child.stdout.on('data', (chunk) => (out += chunk))
  const exit = new Promise((done) => child.once('exit', done))
  child.stdin.write(
    `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"${'x'.repeat(70 * 1024 * 1024)}"}}\n`,
  )
  child.stdin.write('{"jsonrpc":"2.0","id":2,"method":"ping"}\n')
  expect(await until(() => out.includes('"id":2'))).toBe(true)
  const [refused, served] = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(refused).toMatchObject({ id: null, error: { code: -32600 } })
  expect(served).toMatchObject({ id: 2, result: {} })
  child.stdin.end()
  expect(await exit).toBe(0)
  await left.expectNothing()
}, 120_000)
