// What a user sees is waited for in every frame: of another origin, in open shadow roots, and in frames that come later.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Peer, share } from '../support/client.ts'
import { anyBrowser } from '../support/engines.ts'
import { page, serveSite, type Site } from '../support/site.ts'

const LIMIT_MS = 180_000

// The frame in the middle passes on what the frame in it shows in a shadow root.
const relay = `<p>Terms</p><script>onmessage = ({ data }) => frames[0].postMessage(data, '*')</script>`
const inner = `<div id="place"></div><script>
  const root = place.attachShadow({ mode: 'open' })
  onmessage = ({ data }) => setTimeout(() => { root.innerHTML = '<p><b>' + data.replace(' ', '</b> ') + '</p>' }, 100)
</script>`

describe.each(anyBrowser)('%s', (browser) => {
  let site: Site
  let peer: Peer
  let sessionId: string
  beforeAll(async () => {
    const local: string[] = []
    const route = (body: () => string) => (_: unknown, response: { end(text: string): void }) =>
      void response.end(page(body()))
    site = await serveSite({
      '/outer': route(() => `<h1>Shop</h1><iframe id="frame" src="${local[0]}/middle"></iframe>`),
      '/middle': route(() => `${relay}<iframe src="${site.url}/inner"></iframe>`),
      '/inner': page(inner),
      '/plain': page('<h1>Plain</h1>'),
      '/notice': page('<p>Order is on its way</p>'),
      '/shut': (_, response) => {
        response.setHeader('x-frame-options', 'DENY')
        response.end(page('<p>Never framed</p>'))
      },
    })
    local.push(site.url.replace('127.0.0.1', 'localhost'))
    peer = await share(browser)
    sessionId = await peer.session({ timeout: 60_000 })
  }, 300_000)
  afterAll(async () => {
    await peer.close()
    site.close()
  })
  const call = async (tool: string, input: Record<string, unknown> = {}) =>
    (await peer.call(tool, { sessionId, ...input })).data
  const on = (path: string) => call('navigate', { url: `${site.url}${path}` })
  const run = (script: string) => call('evaluate', { script: `{ ${script} } return 0` })
  const wait = (input: Record<string, unknown>) => call('wait_for', input)
  const success = { success: true }
  const timeout = { errorCode: 'TIMEOUT' }

  test(
    'text comes and goes in an open shadow root of a frame in a frame of another origin',
    async () => {
      await on('/outer')
      await run(`frames[0].postMessage('Paid in full', '*')`)
      expect(await wait({ text: 'Paid in full' })).toMatchObject(success)
      expect(await wait({ text: 'paid  in' })).toMatchObject(success)
      expect(await wait({ textGone: 'Paid in full', timeout: 500 })).toMatchObject(timeout)
      await run(`frames[0].postMessage('Sent back', '*')`)
      expect(await wait({ textGone: 'Paid in full', text: 'Sent back' })).toMatchObject(success)
    },
    LIMIT_MS,
  )
  test(
    'it goes with its frame, and with the document of its frame',
    async () => {
      await on('/outer')
      expect(await wait({ text: 'Terms' })).toMatchObject(success)
      await run(`setTimeout(() => frame.remove(), 200)`)
      expect(await wait({ textGone: 'Terms' })).toMatchObject(success)
      await on('/outer')
      expect(await wait({ text: 'Terms' })).toMatchObject(success)
      await run(`setTimeout(() => { frame.src = '/notice' }, 100)`)
      expect(await wait({ text: 'on its way' })).toMatchObject(success)
      expect(await wait({ textGone: 'Terms' })).toMatchObject(success)
    },
    LIMIT_MS,
  )
  test(
    'a frame that is added later counts',
    async () => {
      await on('/plain')
      await run(`setTimeout(() => {
      const added = document.createElement('iframe')
      added.src = '/notice'
      document.body.append(added)
    }, 200)`)
      expect(await wait({ text: 'Order is on its way' })).toMatchObject(success)
    },
    LIMIT_MS,
  )
  test(
    'what an invisible frame has is not seen until it is shown',
    async () => {
      await on('/plain')
      await run(
        `document.body.insertAdjacentHTML('beforeend', '<iframe id="frame" src="/notice" style="visibility:hidden"></iframe>')`,
      )
      expect(await wait({ text: 'on its way', timeout: 700 })).toMatchObject(timeout)
      expect(await wait({ textGone: 'on its way' })).toMatchObject(success)
      await run(`setTimeout(() => { frame.style.visibility = 'visible' }, 200)`)
      expect(await wait({ text: 'on its way' })).toMatchObject(success)
      await run(`setTimeout(() => { frame.style.display = 'none' }, 200)`)
      expect(await wait({ textGone: 'on its way' })).toMatchObject(success)
    },
    LIMIT_MS,
  )
  test(
    'a frame without a document holds nothing up',
    async () => {
      await on('/plain')
      await run(
        `document.body.insertAdjacentHTML('beforeend', '<iframe src="/shut"></iframe><iframe src="http://127.0.0.1:1/"></iframe>')`,
      )
      expect(await wait({ textGone: 'Never framed' })).toMatchObject(success)
      await run(`setTimeout(() => document.body.append('Done at last'), 200)`)
      expect(await wait({ text: 'Done at last' })).toMatchObject(success)
    },
    LIMIT_MS,
  )
  test(
    'the address is that of the page alone',
    async () => {
      await on('/outer')
      expect(await wait({ url: '/middle', timeout: 500 })).toMatchObject(timeout)
      expect(await wait({ url: '/outer' })).toMatchObject(success)
    },
    LIMIT_MS,
  )
})
