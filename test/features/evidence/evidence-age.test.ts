// Evidence is about now: what happened since the last navigation or action that went well, with ages, and causes whole.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Peer, share } from '../../support/client.ts'
import { anyBrowser } from '../../support/engines.ts'

const long = `TypeError: ${'word '.repeat(70)}end of the cause`
const server = [
  'node',
  '-e',
  `require('http').createServer(({ url }, response) => {
    if (url === '/old') console.error('old: database is slow')
    if (url === '/new') {
      console.error(${JSON.stringify(long)})
      for (let i = 0; i < 30; i += 1) console.error('    at frame' + i + ' (/app/server.js:1:' + i + ')')
      console.log('asset main.js 4 KiB')
      console.log('ERROR in ./src/App.js 3:0-24')
      console.log("Module not found: Error: Can't resolve './Cart' in '/app/src'")
    }
    if (url === '/many') for (let i = 0; i < 400; i += 1) console.error('line ' + i + ' of a chatty server')
    response.statusCode = ['/old', '/new'].includes(url) ? 500 : 200
    response.setHeader('content-type', 'text/html')
    response.end('<title>Now</title><button id="go">Go</button>')
  }).listen(process.env.PORT)`,
]

describe.each(anyBrowser)('%s', (browser) => {
  let peer: Peer
  let session: { sessionId: string; url: string }
  beforeAll(async () => {
    peer = await share(browser)
    session = (await peer.call('create_session', { command: server })).data
  }, 120_000)
  afterAll(() => peer.close())

  const call = async (tool: string, input: Record<string, unknown> = {}) =>
    (await peer.call(tool, { sessionId: session.sessionId, ...input })).data
  const ask = (path: string) =>
    call('evaluate', { script: `console.error('asked ${path}'); return fetch('${path}').then(() => 1)` })
  // A page that is too slow to report its secret fields shows nothing, and says so.
  const evidence = async (): Promise<any> => {
    const found = (await call('click', { selector: '#none', timeout: 200 })).evidence
    return found.missing?.page === undefined ? found : evidence()
  }

  test('what came before the last action that went well is not in it, what came after is, with ages', async () => {
    await call('navigate', { url: session.url })
    await ask('/old')
    const before = await evidence()
    expect(JSON.stringify(before.stderr)).toContain('old: database is slow')
    // It is still so after a failure.
    expect(JSON.stringify((await evidence()).console)).toContain('asked /old')
    await call('click', { selector: '#go' })
    await ask('/new')
    const { stderr, stdout, console: printed, requests, timeline } = await evidence()
    const all = JSON.stringify({ stderr, stdout, printed, requests, timeline })
    expect(all).not.toMatch(/old/)
    expect(printed).toEqual(
      [expect.stringMatching(/^-\d+\.\d s error: asked \/new/), expect.anything()].slice(0, printed.length),
    )
    expect(requests).toEqual([expect.stringMatching(/^-\d+\.\d s GET \S+\/new → 500 Now Go$/)])
    // The cause is whole, its stack is cut, and the errors of a build tool on stdout are there.
    expect(stderr[0].endsWith(long)).toBe(true)
    expect(stderr[0]).toMatch(/^-\d+\.\d s TypeError/)
    expect(stderr.length).toBe(5)
    expect(stderr.at(-1)).toContain('read_server_logs')
    expect(stdout.join('\n')).toContain("Can't resolve './Cart'")
    expect(stdout.join('\n')).not.toContain('asset main.js')
  }, 300_000)

  test('many lines: at most 100 within 4 KB, and where the rest is', async () => {
    await call('navigate', { url: session.url })
    await ask('/many')
    const { stderr } = await evidence()
    expect(stderr.length).toBeGreaterThan(50)
    expect(stderr.length).toBeLessThanOrEqual(101)
    expect(stderr.join('\n').length).toBeLessThan(4500)
    expect(stderr.at(-2)).toContain('of a chatty server')
    expect(stderr.at(-1)).toContain('read_server_logs')
  }, 300_000)
})
