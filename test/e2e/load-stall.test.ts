// A page whose picture or stream never ends is usable; what it waits for is named.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Peer, share } from '../support/client.ts'
import { anyBrowser } from '../support/engines.ts'
import { page, serveSite, type Site } from '../support/site.ts'

describe.each(anyBrowser)('%s', (browser) => {
  let site: Site
  let peer: Peer
  beforeAll(async () => {
    site = await serveSite({
      '/picture': page('<h1>Usable</h1><img src="/never">'),
      '/script': page('<p>Before</p><script src="/never"></script>'),
      '/stream': (_, response) => {
        response.writeHead(200, { 'content-type': 'text/html' })
        response.write('<!doctype html><h1>Stream</h1>')
      },
      '/never': () => {},
    })
    peer = await share(browser)
  })
  afterAll(() => {
    site.close()
    return peer.close()
  })

  test.each(['/picture', '/stream'])('%s', async (path) => {
    const sessionId = await peer.session()
    const { data } = await peer.call('navigate', { sessionId, url: site.url + path, timeout: 60_000 })
    expect(data).toMatchObject({
      success: true,
      awaiting: [site.url + (path === '/stream' ? path : '/never')],
    })
  })
  test('a script that never comes is waited for, and named', async () => {
    const sessionId = await peer.session()
    const { data } = await peer.call('navigate', { sessionId, url: `${site.url}/script`, timeout: 8000 })
    expect(data.errorCode).toBe('NAVIGATION_FAILED')
    expect(data.message).toContain(`it waits for ${site.url}/never`)
  })
})
