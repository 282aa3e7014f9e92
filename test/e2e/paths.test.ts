// A path in place of a URL is one of the dev server, or of the open page.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Peer, share } from '../support/client.ts'
import { page, serveSite, type Site } from '../support/site.ts'

let site: Site
let peer: Peer
beforeAll(async () => {
  site = await serveSite({ '/': page('', 'Start'), '/a/one': page('', 'One'), '/a/two': page('', 'Two') })
  peer = await share()
})
afterAll(async () => {
  await peer.close()
  await site.close()
})

const command = [
  'node',
  '-e',
  `require('http').createServer((request, response) => response.setHeader('content-type', 'text/html').end('<title>' + request.url + '</title>')).listen(process.env.PORT, '127.0.0.1')`,
]
const call = async (tool: string, input: Record<string, unknown>) => (await peer.call(tool, input)).data

test('a session, its server and a path of it are one turn; the path is of the server also where another page is open', async () => {
  const { steps } = await call('steps', {
    calls: [
      { tool: 'create_session', command, name: 'served' },
      { tool: 'navigate', url: '/cart?item=1' },
      { tool: 'navigate', url: site.url },
      { tool: 'navigate', url: '/login' },
    ],
  })
  expect(steps[1]).toContain('/cart?item=1')
  expect(steps[2]).toContain('Start')
  expect(steps[3]).toContain('/login')
  const sessionId = 'served'
  const { url } = await call('get_session_status', { sessionId })
  expect(await call('navigate', { sessionId, url: '?page=2' })).toMatchObject({
    title: '/?page=2',
    url: new URL('?page=2', url).href,
  })
  await call('tabs', { sessionId, action: 'new', url: './two' })
  expect(await call('evaluate', { sessionId, script: 'document.title' })).toMatchObject({
    result: '/two',
  })
})

test('without a server a path is one of the open page; without a page it is refused with what to pass', async () => {
  const { sessionId } = await call('create_session', { allowedDomains: ['127.0.0.1', 'localhost'] })
  expect(await call('navigate', { sessionId, url: '/a/two' })).toMatchObject({
    errorCode: 'INVALID_PARAMETERS',
    message: expect.stringContaining('or a path of a dev server or open page'),
  })
  await call('navigate', { sessionId, url: `${site.url}/a/one` })
  expect(await call('navigate', { sessionId, url: './two' })).toMatchObject({ title: 'Two' })
  expect(await call('navigate', { sessionId, url: '/' })).toMatchObject({ title: 'Start' })
  expect(await call('navigate', { sessionId, url: '//elsewhere.example/' })).toMatchObject({
    errorCode: 'INVALID_PARAMETERS',
  })
})
