// What create_session adds to all pages of a session: credentials for HTTP authentication, which only one origin gets, and an init script.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type Peer } from '../support/client.ts'
import { anyBrowser } from '../support/engines.ts'
import { page, type Route, serveSite, type Site } from '../support/site.ts'

const PASSWORD = 'Tulip-meadow-4711'
const encoded = Buffer.from(`ada:${PASSWORD}`).toString('base64')

/** Asks for authentication, and shows what it gets as a careless server would. */
const careless = `require('node:http').createServer((request, response) => {
  const { authorization = '' } = request.headers
  const text = Buffer.from(authorization.slice(6), 'base64').toString()
  response.setHeader('content-type', 'text/html')
  if (request.url === '/open') return response.end(process.env.OPEN)
  if (request.url === '/leave') return response.writeHead(302, { location: process.env.FOREIGN + '/asks' }).end()
  if (text !== 'ada:' + process.env.EXPECTED) return response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end('who?')
  console.log('login ' + authorization + ' ' + text)
  response.end('<title>Private</title><p>' + authorization + '</p><p>' + text + '</p><script>console.log(' + JSON.stringify(text) + ')</script>')
}).listen(process.env.PORT, '127.0.0.1')`

describe.each(anyBrowser)('%s', (browser) => {
  let peer: Peer
  let foreign: Site
  let folder: string
  let own: string
  const received: (string | undefined)[] = []
  let all = ''

  beforeAll(async () => {
    const asks: Route = (request, response) => {
      received.push(request.headers.authorization)
      response.writeHead(401, { 'www-authenticate': 'Basic realm="x"', 'access-control-allow-origin': '*' })
      response.end('who?')
    }
    const seen = page('<p id="out"></p><script>out.textContent = window.added</script>')
    foreign = await serveSite({ '/asks': asks, '/open': seen })
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'fl-options-')))
    writeFileSync(join(folder, 'init.js'), 'window.added = "from a file"')
    const args = ['--headless', '--browser', browser, '--test-id-attribute', 'data-qa']
    peer = await connect({ args, cwd: folder })
    const OPEN = page(
      `<a id="popup" href="/private" target="_blank">Popup</a><a id="leave" href="/leave">Leave</a>
      <button data-qa="zoomer" style="width:20px;height:20px;cursor:pointer"></button><button data-qa="panner">Pan</button>
      <img src="/leave"><img src="${foreign.url}/asks"><iframe src="${foreign.url}/asks"></iframe><p id="out"></p>
      <script>out.textContent = window.added; fetch('${foreign.url}/asks').catch(() => {}); fetch('/leave').catch(() => {})</script>`,
    )
    const created = await call('create_session', {
      command: ['node', '-e', careless],
      env: { OPEN, FOREIGN: foreign.url, EXPECTED: PASSWORD },
      httpCredentials: { username: 'ada', password: PASSWORD },
      initScript: 'window.added = `by ${"a"} session`',
    })
    own = created.url
  }, 300_000)
  afterAll(async () => {
    await peer.close()
    foreign.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const call = async (tool: string, input: Record<string, unknown> = {}) => {
    const { result, data } = await peer.call(tool, input)
    all += JSON.stringify([result.content, result.structuredContent])
    return data
  }

  test('the dev server gets the credentials, also in a window that its page opens, and no other server does', async () => {
    expect(await call('navigate', { url: `${own}private` })).toMatchObject({ status: 200, title: 'Private' })
    await call('navigate', { url: `${own}open` })
    await call('click', { selector: '#popup' })
    const { tabs } = await call('tabs', { action: 'list' })
    await call('tabs', { action: 'select', tabId: tabs.at(-1).id })
    expect(await call('wait_for', { text: PASSWORD })).toMatchObject({ success: true })
    await call('tabs', { action: 'close' })
    await call('click', { selector: '#leave' })
    await call('wait_for', { text: 'who?' })
    await call('navigate', { url: `${foreign.url}/asks` })
    expect(received.length).toBeGreaterThanOrEqual(5)
    expect([...new Set(received)]).toEqual([undefined])
  }, 300_000)

  test('mocks are refused where they would send the credentials to other hosts', async () => {
    const data = await call('mock', { url: `${foreign.url}/mocked`, answer: { body: 'a mock' } })
    if (browser === 'firefox') return expect(data).toMatchObject({ errorCode: 'INVALID_PARAMETERS' })
    await call('navigate', { url: `${own}leave` })
    expect([...new Set(received)]).toEqual([undefined])
    expect(await call('mock', { remove: 'all' })).toMatchObject({ mocks: [] })
  }, 300_000)

  // What follows does not depend on the engine, and every session of Firefox costs a second.
  const isFirst = browser === 'chromium'
  if (isFirst)
    test('--test-id-attribute names elements in snapshots and in selectors', async () => {
      await call('navigate', { url: `${own}open` })
      expect((await call('snapshot')).snapshot).toContain('button "zoomer"')
      expect((await call('click', { selector: "getByTestId('zoomer')" })).success).toBe(true)
      expect(await call('click', { selector: "getByTestId('panner')" })).toMatchObject({ success: true })
      expect(await call('exists', { selector: "getByTestId('none')" })).toMatchObject({ exists: false })
    }, 300_000)

  test('no answer contains the password, in no spelling', async () => {
    await call('navigate', { url: `${own}private` })
    for (const format of ['text', 'html', 'markdown']) await call('get_content', { format })
    await call('snapshot')
    await call('evaluate', { script: 'document.body.innerText' })
    await call('console_messages')
    for (const { seq } of (await call('network_requests')).entries)
      for (const part of ['headers', 'body']) await call('network_requests', { id: seq, part })
    await call('read_server_logs')
    await call('timeline', { limit: 500 })
    await call('click', { selector: `#${PASSWORD}`, timeout: 100 })
    for (const password of [PASSWORD, 4711, ''])
      await call('create_session', { httpCredentials: { username: 'ada', password, more: PASSWORD } })
    expect(all).toContain('Private')
    for (const spelling of [PASSWORD, encoded, encoded.slice(0, -2), encodeURIComponent(PASSWORD)])
      expect([spelling, all.includes(spelling)]).toEqual([spelling, false])
    expect(peer.stderr()).not.toContain(PASSWORD)
  }, 300_000)

  test('the init script runs in every document before its own scripts', async () => {
    await call('navigate', { url: `${own}open` })
    expect((await call('evaluate', { script: 'out.textContent' })).result).toBe('by a session')
    await call('tabs', { action: 'new', url: `${foreign.url}/open` })
    expect((await call('evaluate', { script: 'out.textContent' })).result).toBe('by a session')
    await call('close_session')
  }, 300_000)

  if (isFirst)
    test('the init script may be a file of the workspace, and must be JavaScript', async () => {
      const fromFile = await call('create_session', { initScript: 'init.js' })
      expect(fromFile).toMatchObject({ name: expect.any(String) })
      await call('navigate', { url: `${foreign.url}/open` })
      expect((await call('evaluate', { script: 'out.textContent' })).result).toBe('from a file')
      await call('close_session')
      for (const initScript of ['window.(', '../outside.js', 'missing.js'])
        expect(await call('create_session', { initScript })).toMatchObject({ errorCode: expect.any(String) })
      expect((await call('list_sessions')).sessions).toEqual([])
    }, 300_000)

  if (isFirst)
    test('without a dev server the origin must be named', async () => {
      const credentials = { username: 'ada', password: PASSWORD }
      expect(await call('create_session', { httpCredentials: credentials })).toMatchObject({
        details: { field: 'httpCredentials.origin' },
      })
      await call('create_session', { httpCredentials: { ...credentials, origin: `${foreign.url}/path` } })
      await call('navigate', { url: `${foreign.url}/asks` })
      expect(received.at(-1)).toBe(`Basic ${encoded}`)
      await call('close_session')
    }, 300_000)
})
