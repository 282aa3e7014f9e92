// The mouse at coordinates and a key that is held: real events of the browser where a page draws itself, and the same dialogs, changes,
// failures and host rules as a click on an element.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type Peer, share } from '../support/client.ts'
import { bothBrowsers } from '../support/engines.ts'
import { type Forbidden, forbidden } from '../support/forbidden.ts'
import { until } from '../support/leftovers.ts'
import { page, serveSite, type Site } from '../support/site.ts'

// Every place is 40 high, so that coordinates are known without measuring.
const place = 'position:absolute;left:0;width:300px;height:40px'
const canvas = page(`<body style="margin:0;height:3000px">
<canvas id="map" width="300" height="200" tabindex="0" style="position:absolute;left:0;top:0"></canvas><script>
  const got = []
  const types = ['mousemove', 'mousedown', 'mouseup', 'click', 'dblclick', 'auxclick', 'wheel', 'keydown', 'keyup']
  for (const type of types) map.addEventListener(type, (event) => {
    const { key, repeat, deltaX = 0, deltaY = 0, clientX, clientY, button, buttons, shiftKey, timeStamp } = event
    got.push({ type, trusted: event.isTrusted, key, repeat, by: [deltaX, deltaY], at: [clientX, clientY], button, buttons, shiftKey, timeStamp })
  })
  map.addEventListener('keydown', ({ key, repeat }) => key === 'Escape' && !repeat && fetch('/down'))
</script>`)

const board =
  page(`<body style="margin:0"><div id="item" draggable="true" style="width:80px;height:30px">Item</div>
<div style="position:absolute;left:120px;top:40px;right:0;bottom:20px;overflow:scroll"><div id="board" style="width:4000px;height:4000px"
ondragover="event.preventDefault()" ondrop="event.preventDefault(); this.title = 'dropped'"></div></div>`)

const places = (bad: string) =>
  page(`<body style="margin:0"><button style="${place};top:0" onclick="out.textContent = confirm('Sure?')">Ask</button>
<a style="${place};top:40px" href="/next">Next</a>
<iframe style="${place};top:80px;border:0" srcdoc="<body style='margin:0'><button style='width:100%;height:40px' onclick='parent.out.title = event.isTrusted'>In</button>"></iframe>
<form><input required style="${place};top:120px;height:20px"><button style="${place};top:160px">Send</button></form>
<a style="${place};top:200px" href="${bad}/page">Elsewhere</a>
<button style="${place};top:240px" onclick="this.textContent = 'Bought'">Buy</button>
<a style="${place};top:280px" target="_blank" href="/next">New tab</a>
<p id="out" style="${place};top:320px"></p>`)

let bad: Forbidden
let site: Site
beforeAll(async () => {
  bad = await forbidden()
  site = await serveSite({
    '/': canvas,
    '/places': places(bad.url),
    '/next': page('<p>next</p>', 'Next'),
    '/board': board,
    '/down': '',
  })
})
afterAll(() => {
  site.close()
  bad.close()
})

describe.each(bothBrowsers)('%s', (browser) => {
  let peer: Peer
  let sessionId: string
  beforeAll(async () => {
    peer = await share(browser)
    const allowedDomains = [new URL(site.url).host]
    sessionId = await peer.session({ viewport: { width: 400, height: 500 }, allowedDomains })
  }, 300_000)
  afterAll(() => peer.close())

  const call = async (tool: string, input: Record<string, unknown> = {}) =>
    (await peer.call(tool, { sessionId, ...input })).data
  const mouse = (input: Record<string, unknown>) => call('mouse', input)
  const read = async (script: string) => (await call('evaluate', { script })).result
  const events = (fields: string) => read(`got.splice(0).map(({ type, ${fields} }) => [type, ${fields}])`)

  describe('on a canvas', () => {
    beforeEach(async () => void (await call('navigate', { url: site.url })))

    test('each action gives trusted events where it was meant', async () => {
      expect(await mouse({ action: 'click', x: 10, y: 20 })).toMatchObject({ message: 'Clicked canvas#map.' })
      const click = await read('got.splice(0)')
      // Chromium moves the mouse once more where a layout changed under it.
      const others = click.filter(({ type }: { type: string }) => type !== 'mousemove')
      expect(click[0].type).toBe('mousemove')
      expect(others.map(({ type }: { type: string }) => type)).toEqual(['mousedown', 'mouseup', 'click'])
      for (const event of others) expect(event).toMatchObject({ trusted: true, at: [10, 20], button: 0 })

      await mouse({ action: 'click', x: 30, y: 40, button: 'right', modifiers: ['Shift'] })
      expect(await events('at, button, shiftKey')).toEqual(
        expect.arrayContaining([
          ['mousedown', [30, 40], 2, true],
          ['auxclick', [30, 40], 2, true],
        ]),
      )
      await mouse({ action: 'click', x: 50, y: 60, clickCount: 2 })
      expect(await events('at, shiftKey')).toContainEqual(['dblclick', [50, 60], false])

      await mouse({ action: 'down', x: 10, y: 10 })
      await mouse({ action: 'move', x: 90, y: 80 })
      await mouse({ action: 'up', x: 90, y: 80 })
      const moves = await events('trusted, at, buttons')
      expect(moves).toContainEqual(['mousedown', true, [10, 10], 1])
      expect(moves).toContainEqual(['mousemove', true, [90, 80], 1])
      expect(moves).toContainEqual(['mouseup', true, [90, 80], 0])

      expect(await mouse({ action: 'drag', x: 20, y: 20, toX: 200, toY: 100 })).toMatchObject({
        message: 'Dragged on canvas#map.',
      })
      const drag = await events('trusted, at, buttons')
      expect(
        drag.filter(([type, trusted, , buttons]: unknown[]) => type === 'mousemove' && trusted && buttons)
          .length,
      ).toBeGreaterThan(4)
      expect(drag).toContainEqual(['mousedown', true, [20, 20], 1])
      expect(drag).toContainEqual(['mouseup', true, [200, 100], 0])

      await mouse({ action: 'wheel', x: 20, y: 20, deltaY: 150 })
      expect(await events('trusted, by')).toContainEqual(['wheel', true, [0, 150]])
      expect(await read('scrollY')).toBe(150)
    }, 300_000)

    test('outside of the viewport nothing is done, and the failure says how large it is', async () => {
      for (const [input, field] of [
        [{ action: 'click', x: 400, y: 1 }, 'x'],
        [{ action: 'move', x: -1, y: 1 }, 'x'],
        [{ action: 'down', x: 1, y: 500.5 }, 'y'],
        [{ action: 'wheel', x: 1, y: 1e300, deltaY: 5 }, 'y'],
        [{ action: 'drag', x: 1, y: 1, toX: 5, toY: 501 }, 'toY'],
      ] as const) {
        const { errorCode, message, details } = await mouse(input)
        expect([errorCode, details.field]).toEqual(['INVALID_PARAMETERS', field])
        expect(message).toContain('The viewport is 400 × 500 CSS pixels')
      }
      expect(await events('at')).toEqual([])
    })

    test('a key that is held repeats and is released after that time, whatever the timeout', async () => {
      await call('press_key', { selector: '#map', key: 'ArrowUp', hold: 4000, timeout: 3500 })
      const keys = await read('got.splice(0)')
      expect(keys[0]).toMatchObject({ type: 'keydown', key: 'ArrowUp', repeat: false, trusted: true })
      expect(keys[1]).toMatchObject({ type: 'keydown', key: 'ArrowUp', repeat: true, trusted: true })
      expect(keys.at(-1)).toMatchObject({ type: 'keyup', key: 'ArrowUp' })
      expect(keys.at(-1).timeStamp - keys[0].timeStamp).toBeGreaterThan(3950)
      await call('press_key', { key: 'Shift+D', hold: 1 })
      expect(await events('key, shiftKey')).toEqual([
        ['keydown', 'Shift', true],
        ['keydown', 'D', true],
        ['keyup', 'D', true],
        ['keyup', 'Shift', false],
      ])
    }, 120_000)

    test('a key is released when the call that holds it is cancelled', async () => {
      const cancel = new AbortController()
      const input = { sessionId, selector: '#map', key: 'Escape', hold: 50_000 }
      const call = peer.client.callTool({ name: 'press_key', arguments: input }, undefined, {
        signal: cancel.signal,
      })
      const end = call.catch((error: Error) => error)
      const before = site.hits.filter((path) => path === '/down').length
      expect(await until(() => site.hits.filter((path) => path === '/down').length > before)).toBe(true)
      cancel.abort()
      await end
      const isReleased = "got.some(({ type, key }) => type === 'keyup' && key === 'Escape')"
      expect(await until(async () => read(isReleased))).toBe(true)
    }, 300_000)
  })

  describe('on elements', () => {
    beforeEach(async () => void (await call('navigate', { url: `${site.url}/places` })))

    test('a dialog, a frame, a form that is not valid, a navigation and a new tab are as after click', async () => {
      expect(await mouse({ action: 'click', x: 20, y: 20 })).toMatchObject({
        success: true,
        dialog: { type: 'confirm', message: 'Sure?' },
      })
      expect(await mouse({ action: 'click', x: 20, y: 20 })).toMatchObject({ errorCode: 'DIALOG_OPEN' })
      await call('handle_dialog', { accept: true })
      expect(await read('out.textContent')).toBe('true')
      await mouse({ action: 'click', x: 20, y: 100 })
      expect(await read('out.title')).toBe('true')
      expect((await mouse({ action: 'click', x: 20, y: 180 })).message).toContain('is not valid')
      await call('snapshot')
      expect((await mouse({ action: 'click', x: 20, y: 260 })).changes).toContain('Bought')
      expect((await mouse({ action: 'click', x: 20, y: 300 })).notes.join()).toContain('tab')
      await call('tabs', { action: 'close' })
      await mouse({ action: 'click', x: 20, y: 60 })
      expect(await read('document.title')).toBe('Next')
    }, 300_000)

    test('what is dragged to a board larger than the window is dropped on the part that shows', async () => {
      await call('navigate', { url: `${site.url}/board` })
      expect(await call('drag', { selector: '#item', toSelector: '#board' })).toMatchObject({
        message: 'Dragged.',
      })
      expect(await read('board.title')).toBe('dropped')
    })

    test('host rules hold', async () => {
      const { success, notes } = await mouse({ action: 'click', x: 20, y: 220 })
      expect([success, notes[0]]).toEqual([true, expect.stringContaining('/page → ACCESS_DENIED')])
      expect(bad.seen).toEqual([])
    }, 300_000)
  })
})
