// Mocks while host rules are on: they answer for allowed hosts only, and their own requests go through the proxy too.

import { expect, test } from 'bun:test'
import { share } from '../../support/client.ts'
import { anyBrowser } from '../../support/engines.ts'
import { page, serveSite } from '../../support/site.ts'

test.each(anyBrowser)(
  '%s: a mock opens no host that the rules refuse',
  async (browser) => {
    const inner = await serveSite({ '/': 'inner secret' })
    const site = await serveSite({
      '/': page('<h1>Allowed</h1>'),
      '/out': (_, response) => response.writeHead(302, { location: `${inner.url}/` }).end(),
      '/data': (_, response) => response.end('{"a":1}'),
    })
    const peer = await share(browser)
    const { host } = new URL(site.url)
    const sessionId = await peer.session({ allowedDomains: [host, 'api.invalid'] })
    const call = (tool: string, input = {}) => peer.call(tool, { sessionId, ...input })
    const get = async (url: string) =>
      (
        await call('evaluate', {
          script: `fetch(${JSON.stringify(url)}).then((r) => r.text(), (e) => e.name)`,
        })
      ).data.result
    await call('mock', { url: '**', answer: { body: '<title>Mock</title>' } })
    const denied = await call('navigate', { url: 'http://evil.invalid/' })
    expect(denied.data.errorCode).toBe('ACCESS_DENIED')
    expect((await call('navigate', { url: site.url })).data.title).toBe('Mock')
    // The page may not reach it, and the mock gives it no answer either.
    expect(await get('http://evil.invalid/a')).not.toContain('Mock')
    expect(await get(`${inner.url}/`)).not.toContain('Mock')
    expect(await get('http://api.invalid/a')).toContain('Mock')
    const denials = (await call('network_requests', { filter: 'failed' })).data.entries
    expect(denials.map(({ failure }: any) => failure).join()).toContain('ACCESS_DENIED')
    expect(denials.filter(({ url, mock }: any) => /evil/.test(url) && mock !== undefined)).toEqual([])

    // What a mock changes it requests itself.
    await call('mock', { url: '/data', answer: { change: true, json: { b: 2 } } })
    expect(await get('/data')).toBe('{"a":1,"b":2}')
    await call('mock', { url: '/out', answer: { change: true, status: 200 } })
    expect(await get('/out')).not.toContain('inner secret')
    expect(inner.hits).toEqual([])
    await peer.close()
    site.close()
    inner.close()
  },
  90_000,
)
