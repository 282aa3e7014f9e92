// WebSockets among the requests, with what went over them; and the clipboard, which the session's own server has and others have not.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Peer, share, type SharedPeer } from '../support/client.ts'
import { bothBrowsers } from '../support/engines.ts'
import { until } from '../support/leftovers.ts'
import { page } from '../support/site.ts'

const socketPage =
  page(`<button id="go">Go</button><button id="refused">Refused</button><button id="many">Many</button><p id="out"></p><script>
  const to = (path) => location.href.replace(/^http/, 'ws') + path
  go.onclick = () => {
    const socket = new WebSocket(to('echo'))
    socket.binaryType = 'arraybuffer'
    socket.onopen = () => { socket.send('{"user":"ada","password":"correct-horse-1"}'); socket.send(new Uint8Array(7)) }
    let left = 2
    socket.onmessage = () => --left || (socket.close(), out.textContent = 'done')
  }
  refused.onclick = () => (new WebSocket(to('none')).onerror = () => (out.textContent = 'refused'))
  many.onclick = () => {
    const socket = window.kept = new WebSocket(to('echo'))
    socket.onopen = () => { for (let one = 0; one < 300; one += 1) socket.send('frame ' + one) }
    let left = 300
    socket.onmessage = () => --left || (out.textContent = 'many')
  }
</script>`)

describe.each(bothBrowsers)('%s', (browser) => {
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request, upgrading) {
      const path = new URL(request.url).pathname
      if (path === '/echo') return upgrading.upgrade(request) ? undefined : new Response('', { status: 400 })
      if (path === '/none') return new Response('', { status: 404 })
      return new Response(socketPage, { headers: { 'content-type': 'text/html' } })
    },
    websocket: {
      message: (socket, message) =>
        void socket.send(typeof message === 'string' ? `echo ${message}` : 'x'.repeat(20_000)),
    },
  })
  let peer: Peer
  let sessionId: string
  beforeAll(async () => {
    peer = await share(browser)
    sessionId = await peer.session()
  }, 300_000)
  afterAll(async () => {
    await peer.close()
    await server.stop(true)
  })
  const call = async (tool: string, input: Record<string, unknown> = {}) =>
    (await peer.call(tool, { sessionId, ...input })).data
  const run = async (button: string, says: string) => {
    await call('navigate', { url: server.url.href })
    const answer = await call('click', { selector: `#${button}` })
    await call('wait_for', { selector: `#out:text("${says}")` })
    return answer
  }
  const sockets = async () => (await call('network_requests', { filter: 'websocket', limit: 100 })).entries

  test('a socket is an entry with its end and its frames, redacted as bodies are', async () => {
    await run('go', 'done')
    await until(async () => (await sockets())[0]?.state === 'done')
    const [socket] = await sockets()
    expect(socket).toMatchObject({
      type: 'websocket',
      method: 'GET',
      state: 'done',
      url: `${server.url.href.replace('http', 'ws')}echo`,
    })
    if (browser === 'firefox') {
      expect(socket).toMatchObject({ status: 101, note: expect.stringContaining('only the handshake') })
      const { request } = await call('network_requests', { id: socket.seq })
      return expect(request.headers).toMatchObject({ 'sec-websocket-version': '13' })
    }
    expect(socket).toMatchObject({ framesSent: 2, framesReceived: 2 })
    expect(socket.frames).toMatchObject([
      { direction: 'sent', body: '{"user":"ada","password":"[redacted]"}' },
      { direction: 'sent', bytes: 7 },
      { direction: 'received', body: expect.stringMatching(/^echo .*redacted/) },
      { direction: 'received', body: expect.stringMatching(/^x{200}…$/) },
    ])
    const whole = (await call('network_requests', { id: socket.seq })).entries[0]
    expect(whole.frames[3].body.length).toBe(1001)
    expect(JSON.stringify([socket, whole])).not.toContain('correct-horse')
  })
  // Playwright reports no handshake that succeeds, so an action cannot wait for them: on a busy machine the next one reports the failure.
  test('a handshake that fails is reported by the action or the next one, and is among the failed', async () => {
    const { notes = [] } = await run('refused', 'refused')
    const { notes: laterNotes = [] } = await call('hover', { selector: '#out' })
    expect(JSON.stringify([notes, laterNotes])).toContain('/none')
    const { entries } = await call('network_requests', { filter: 'failed' })
    expect(entries).toMatchObject([
      {
        type: 'websocket',
        state: 'failed',
        failure: expect.any(String),
        url: expect.stringMatching(/^ws:.*\/none$/),
      },
    ])
  })
  // Over BiDi only the handshake is reported.
  if (browser === 'chromium')
    test('frames are bounded and counted; a socket ends with its page', async () => {
      await run('many', 'many')
      const last = (await sockets()).at(-1)
      expect(last).toMatchObject({
        state: 'pending',
        framesSent: 300,
        framesReceived: 300,
        earlierFrames: 595,
      })
      expect(last.frames).toHaveLength(5)
      expect((await call('network_requests', { id: last.seq })).entries[0].frames).toHaveLength(100)
      await call('navigate', { url: server.url.href })
      expect((await sockets()).at(-1)).toMatchObject({ seq: last.seq, state: 'done' })
    })
})

const clipboardApp = `import { createServer } from 'node:http'
const html = '<!doctype html><title>App</title><button id="copy">Copy</button><button id="paste">Paste</button><p id="out"></p><script>'
  + 'const tell = (work) => work.then((text) => (out.textContent = "ok " + text), (error) => (out.textContent = error.name));'
  + 'copy.onclick = () => tell(navigator.clipboard.writeText("copied")); paste.onclick = () => tell(navigator.clipboard.readText())</script>'
createServer((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(html)).listen(process.env.PORT, () => console.log('http://localhost:' + process.env.PORT))`

describe.each(bothBrowsers)('the clipboard of %s', (browser) => {
  let peer: SharedPeer
  let session: { sessionId: string; url: string }
  beforeAll(async () => {
    peer = await share(browser)
    writeFileSync(join(peer.folder, 'app.mjs'), clipboardApp)
    session = (await peer.call('create_session', { command: ['node', 'app.mjs'] })).data
  }, 120_000)
  afterAll(() => peer.close())
  const call = async (tool: string, input: Record<string, unknown> = {}) =>
    (await peer.call(tool, { sessionId: session.sessionId, ...input })).data
  const copyAndPaste = async (url: string) => {
    const said: string[] = []
    await call('navigate', { url })
    for (const button of ['copy', 'paste']) {
      await call('evaluate', { script: 'out.textContent = ""' })
      await call('click', { selector: `#${button}` })
      await call('wait_for', { selector: '#out:not(:empty)' })
      said.push((await call('evaluate', { script: 'out.textContent' })).result)
    }
    return said
  }

  test('pages of its own server copy and paste, also after a restart', async () => {
    expect(await copyAndPaste(session.url)).toEqual(['ok undefined', 'ok copied'])
    const { url } = await call('restart_server')
    expect(await copyAndPaste(url)).toEqual(['ok undefined', 'ok copied'])
  })
  // Firefox has no permission for it: a page may read after a click.
  if (browser === 'chromium')
    test('other origins do not, and nothing else is granted', async () => {
      const state = "navigator.permissions.query({ name: 'geolocation' }).then(({ state }) => state)"
      await call('navigate', { url: session.url })
      expect((await call('evaluate', { script: state })).result).toBe('prompt')
      expect((await copyAndPaste(session.url.replace('localhost', '127.0.0.1')))[1]).toBe('NotAllowedError')
    })
})
