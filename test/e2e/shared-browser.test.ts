// What the sessions of one browser could learn of each other although each has its own context: the history and the clipboard are the
// browser's.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { PNG } from 'pngjs'
import { share, type SharedPeer } from '../support/client.ts'
import { bothBrowsers } from '../support/engines.ts'
import { page, serveSite, type Site } from '../support/site.ts'

const RED = [255, 0, 0]
const body = `<style>
  body { margin: 0 }
  #link { display: block; width: 60px; height: 60px; background: rgb(255, 0, 0) }
  #link:visited { background: rgb(0, 0, 255) }
</style><a id="link" href="/visited"></a><input id="from" value="nothing"><textarea id="to"></textarea>`

let site: Site
beforeAll(async () => void (site = await serveSite({ '/': page(body), '/visited': page('visited') })))
afterAll(() => site.close())

describe.each(bothBrowsers)('%s', (browser) => {
  let peer: SharedPeer
  beforeAll(async () => void (peer = await share(browser)))
  afterAll(() => peer.close())

  const opened = async (path = '') => {
    const sessionId = await peer.session()
    const call = async (tool: string, input: Record<string, unknown> = {}) => {
      const answer = await peer.call(tool, { sessionId, ...input })
      expect(answer.failed).toBe(false)
      return answer
    }
    await call('navigate', { url: site.url + path })
    return { sessionId, call }
  }

  test('links that another session visited have no colour of their own', async () => {
    const first = await opened('/visited')
    await first.call('navigate', { url: site.url })
    const second = await opened()
    const { result } = await second.call('screenshot', { selector: '#link' })
    const image = result.content.find(({ type }) => type === 'image') as { data: string } | undefined
    const { width, height, data } = PNG.sync.read(Buffer.from(image?.data ?? '', 'base64'))
    const middle = (Math.floor(height / 2) * width + Math.floor(width / 2)) * 4
    expect([...data.subarray(middle, middle + 3)]).toEqual(RED)
    for (const { sessionId } of [first, second]) await peer.call('close_session', { sessionId })
  })
})
