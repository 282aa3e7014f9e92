// Fingers on a touch screen: what a page and its browser make of them.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { callOrThrow, connect, type Peer } from '../../support/client.ts'
import { serveSite, type Site } from '../../support/site.ts'

const page = `<!doctype html><title>Touch</title><meta name="viewport" content="width=device-width, initial-scale=1">
<style>body { margin: 0 } #box { width: 300px; height: 200px; background: #9c9 } #tall { height: 4000px }</style>
<div id="box">Box</div><button onclick="this.textContent = 'Bought'">Buy</button><div id="tall">Tall</div>
<script>
  window.events = []
  for (const type of ['touchstart', 'touchend', 'click'])
    addEventListener(type, ({ type, isTrusted, touches }) => events.push([type, isTrusted, touches?.length ?? 0].join(' ')))
</script>`

let peer: Peer
let site: Site
let sessionId: string
beforeAll(async () => {
  site = await serveSite({ '/': page })
  peer = await connect({ args: ['--headless', '--browser', 'chromium', '--tools', '+touch'] })
  sessionId = await peer.session({ device: 'iPhone 15' })
}, 120_000)
afterAll(async () => {
  await peer.close()
  site.close()
})
const call = (tool: string, input: Record<string, unknown> = {}) =>
  callOrThrow(peer, tool, { sessionId, ...input })
const read = async (script: string) => (await call('evaluate', { script })).result

test('a tap is a trusted touch and the click that the browser makes of it', async () => {
  await call('navigate', { url: site.url })
  await call('snapshot')
  const { message, changes } = await call('touch', { action: 'tap', selector: 'button' })
  expect(message).toBe('Tapped button.')
  expect(changes).toContain('Bought')
  expect(await read('events')).toEqual(['touchstart true 1', 'touchend true 0', 'click true 0'])
  await read('events.length = 0')
  await call('touch', { action: 'tap', x: 50, y: 50, count: 2 })
  expect((await read('events')).filter((event: string) => event.startsWith('touchstart'))).toHaveLength(2)
})

test('a swipe scrolls the page, a pinch zooms it', async () => {
  await call('navigate', { url: site.url })
  await call('touch', { action: 'swipe', selector: '#tall', deltaY: -200 })
  await call('wait_for', { selector: '#tall' })
  const scrolled = `new Promise((done) => { const look = () => scrollY > 100 ? done(true) : requestAnimationFrame(look); look() })`
  expect(await read(scrolled)).toBe(true)
  await call('navigate', { url: site.url })
  await call('touch', { action: 'pinch', selector: '#box', scale: 2 })
  const zoomed = `new Promise((done) => { const look = () => visualViewport.scale > 1.2 ? done(true) : requestAnimationFrame(look); look() })`
  expect(await read(zoomed)).toBe(true)
})

test('what cannot be touched says why', async () => {
  await call('navigate', { url: site.url })
  const refused = async (input: Record<string, unknown>) =>
    (await peer.call('touch', { sessionId, ...input })).data.message
  expect(await refused({ action: 'swipe', selector: '#box', deltaX: -300 })).toMatch(
    /deltaX: expected a finger from 0 to/,
  )
  expect(await refused({ action: 'tap', x: 5000, y: 1 })).toMatch(
    /x: expected a finger from 0 to \d+, received one at 5000/,
  )
  expect(await refused({ action: 'tap', selector: '#box', scale: 2 })).toMatch(
    /scale: expected nothing with tap, only with pinch/,
  )
  expect(await refused({ action: 'tap', selector: '#box', x: 1, y: 1 })).toMatch(
    /x: expected either selector or ref, or x and y/,
  )
  expect(await refused({ action: 'tap', x: 1 })).toMatch(/y: expected a coordinate/)
  expect(await refused({ action: 'swipe', selector: '#box' })).toMatch(/deltaY/)
  expect(await refused({ action: 'pinch', selector: '#box' })).toMatch(/scale/)
  const desktop = await peer.session()
  const answer = await peer.call('touch', { sessionId: desktop, action: 'tap', x: 1, y: 1 })
  expect(answer.data.message).toMatch(/a device with a touch screen.*create_session with device/s)
})
