// What a page leads to that is no document leaves the page as it was, and holds up nothing after it.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Peer, share } from '../support/client.ts'
import { bothBrowsers } from '../support/engines.ts'
import { page, serveSite, type Site } from '../support/site.ts'

describe.each(bothBrowsers)('%s', (browser) => {
  let site: Site
  let peer: Peer
  let sessionId: string
  beforeAll(async () => {
    site = await serveSite({
      '/': page(
        `<a href="tel:123">Call</a><a href="mailto:a@example.com">Write</a><a href="footlight-test:x">Open</a><a href="/none">None</a>
        <button onclick="print()">Print</button><button id="count" onclick="this.textContent = Number(this.textContent) + 1">0</button>`,
        'Start',
      ),
      '/none': (_, response) => response.writeHead(204).end(),
      '/file': (_, response) =>
        response.writeHead(200, { 'content-disposition': 'attachment; filename=words.txt' }).end('words'),
    })
    peer = await share(browser)
    ;({ sessionId } = (await peer.call('create_session')).data)
  })
  afterAll(async () => {
    await peer.close()
    await site.close()
  })
  const call = async (tool: string, input: Record<string, unknown>) =>
    (await peer.call(tool, { sessionId, ...input })).data

  test('links to other programs, a response without content and a page that prints', async () => {
    await call('navigate', { url: site.url })
    const names = ['Call', 'Write', 'Open', 'None', 'Print']
    for (const [index, name] of names.entries()) {
      expect(await call('click', { selector: `text=${name}` })).toMatchObject({ success: true })
      await call('click', { selector: '#count' })
      const { result } = await call('evaluate', { script: 'document.title + count.textContent' })
      expect(result).toBe(`Start${index + 1}`)
    }
  }, 180_000)

  test('an address that answers without content, or with a file, is no failure', async () => {
    await call('navigate', { url: site.url })
    const url = `${site.url}/`
    expect(await call('navigate', { url: `${site.url}/none` })).toMatchObject({
      status: 204,
      url,
      title: 'Start',
    })
    expect(await call('navigate', { url: `${site.url}/file` })).toMatchObject({
      status: 200,
      url,
      title: 'Start',
    })
  })
})
