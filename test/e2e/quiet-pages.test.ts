// Where waiting cannot help, an action without a timeout fails sooner. The default timeout here is long, so that a slow machine does not
// look like one that waited.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { connect, type Peer } from '../support/client.ts'
import { anyBrowser } from '../support/engines.ts'
import { pool } from '../support/pool.ts'
import { page, serveSite, type Site } from '../support/site.ts'

const DEFAULT_MS = 60_000
const BUSY_DEFAULT_MS = 5000
const LIMIT_MS = 300_000

const veil = '<div id="veil" style="position:fixed;inset:0;background:#0008">Loading</div>'
const routes = {
  '/': page(`<button id="ready">Ready</button><button id="off" disabled>Off</button>
    <button id="none" style="display:none">None</button><input id="closed" disabled><input id="kept" readonly>
    <select id="choice" disabled><option>one</option></select><input id="check" type="checkbox" disabled>
    <x-box></x-box><script>document.querySelector('x-box').attachShadow({ mode: 'open' }).innerHTML = '<p>Box</p>'</script>`),
  '/covered': page(`<button id="under" onclick="this.textContent = 'clicked'">Under</button>${veil}`),
  '/late': page(
    `<script>setTimeout(() => { document.body.innerHTML = '<button id="late">Late</button>' }, 2900)</script>`,
  ),
  '/shadow': page(`<x-box></x-box><script>
    const root = document.querySelector('x-box').attachShadow({ mode: 'open' })
    let count = 0
    const timer = setInterval(() => { root.innerHTML = '<p>' + count + '</p>'; count += 1
      if (count > 14) clearInterval(timer), root.innerHTML = '<button id="in">In</button>' }, 300)</script>`),
  '/fetched': page(
    `<script>fetch('/slow').then((r) => r.text()).then((html) => { document.body.innerHTML = html })</script>`,
  ),
  '/transition': page(`<button id="under" onclick="this.textContent = 'clicked'">Under</button>${veil}
    <style>#veil { transition: transform 4s steps(1, end) } .open { transform: translateY(200%) }</style>
    <script>requestAnimationFrame(() => requestAnimationFrame(() => veil.classList.add('open')))</script>`),
  '/changing': page(`<button id="under">Under</button>${veil}<p id="time"></p>
    <script>setInterval(() => { time.textContent = performance.now() }, 300)</script>`),
  '/stream': page(`<button id="under">Under</button>${veil}<script>new EventSource('/events')</script>`),
  '/observed': page(`<button id="under">Under</button>${veil}<script>
    window.seen = []
    for (const name of ['MutationObserver', 'setTimeout', 'setInterval', 'requestAnimationFrame']) {
      const native = window[name]
      window[name] = new Proxy(native, {
        apply(...args) { seen.push(name); return Reflect.apply(...args) },
        construct(...args) { seen.push(name); return Reflect.construct(...args) },
      })
    }
    for (const name of ['getAnimations', 'querySelectorAll', 'elementFromPoint']) {
      const native = Document.prototype[name]
      Document.prototype[name] = function (...args) { seen.push(name); return native.apply(this, args) }
    }
    window.keysBefore = Reflect.ownKeys(window).length</script>`),
  '/frame': page(`<iframe srcdoc='<button id="under" disabled>Under</button>'></iframe>`),
  '/busy-frame': page(
    `<button id="off" disabled>Off</button><iframe srcdoc='<p id="time"></p><script>setInterval(() => { time.textContent = performance.now() }, 300)</script>'></iframe>`,
  ),
  '/own': page(`<h1>Order</h1><label>Due <input id="due"></label><script>
    due.onfocus = () => { due.disabled = true; document.body.insertAdjacentHTML('beforeend', '<div role="dialog" aria-label="Calendar"><button>21</button></div>') }</script>`),
  '/complete': page(`<input id="code"><script>
    code.oninput = () => { code.value = code.value.replace(/^(..)([^-].*)/, '$1-$2'); code.disabled = code.value.length > 4 }</script>`),
  '/own-date': page(`<h1>Order</h1><label>Due <input id="due" type="date"></label><script>
    due.onfocus = () => { due.disabled = true; document.body.insertAdjacentHTML('beforeend', '<div role="dialog" aria-label="Calendar"><button>21</button></div>') }</script>`),
}

// When a page is quiet is found out by the same function in every engine, and what follows from it is decided outside of it. So Firefox has
// one case of each way to act and to wait; what depends on the time that is allowed alone is tried in Chromium.
describe.each(anyBrowser)('%s', (browser) => {
  const isChromium = browser === 'chromium'
  let site: Site
  let peer: Peer
  let sessionId: string
  /** Sessions for cases that mostly wait and so run side by side. */
  let free: ReturnType<typeof pool<string>>

  // In Firefox only the newest window has focus events, and that would be the spare one.
  const start = (timeout: number) =>
    connect({
      args: ['--headless', '--browser', browser, '--action-timeout', String(timeout), '--warm', '0'],
    })
  beforeAll(async () => {
    site = await serveSite({
      ...routes,
      '/slow': (_, response) => void setTimeout(() => response.end('<button id="late">Late</button>'), 4500),
      '/events': (_, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write(': open\n\n')
      },
    })
    peer = await start(DEFAULT_MS)
    sessionId = await peer.session()
    free = pool(await Promise.all(Array.from({ length: isChromium ? 5 : 3 }, () => peer.session())))
  }, 120_000)
  afterAll(async () => {
    await peer.close()
    site.close()
  })

  const call = async (tool: string, input: Record<string, unknown> = {}) =>
    (await peer.call(tool, { sessionId, ...input })).data
  const on = (path: string) => call('navigate', { url: `${site.url}${path}` })

  const inOwnSession = (
    work: (own: { call: typeof call; on: (path: string) => Promise<unknown> }) => Promise<void>,
  ) =>
    free.with((sessionId) =>
      work({
        call: async (tool, input = {}) => (await peer.call(tool, { sessionId, ...input })).data,
        on: (path) => peer.call('navigate', { sessionId, url: `${site.url}${path}` }),
      }),
    )

  const expectSooner = (data: any, errorCode: string, reason: string | undefined, seconds: number) => {
    expect(data).toMatchObject({ errorCode, ...(reason && { details: { reason } }) })
    expect(data.details.quietMs).toBeGreaterThanOrEqual(seconds * 1000)
    expect(data.details.waited).toBeLessThan(DEFAULT_MS / 2)
    expect(data.message).toMatch(
      new RegExp(`The page was quiet for \\d+ s: waiting longer would not help; pass timeout`),
    )
  }

  type Row = [tool: string, input: Record<string, unknown>, code: string, reason: string | undefined]
  const both: Row[] = [
    ['click', { selector: '#off' }, 'ELEMENT_NOT_CLICKABLE', 'disabled'],
    ['click', { selector: '#missing' }, 'ELEMENT_NOT_FOUND', undefined],
    ['type', { selector: '#kept', text: 'a' }, 'ELEMENT_NOT_EDITABLE', 'read_only'],
    ['fill_form', { fields: [{ selector: '#closed', value: 'a' }] }, 'ELEMENT_NOT_EDITABLE', 'disabled'],
    ['drag', { selector: '#ready', toSelector: '#none' }, 'ELEMENT_NOT_CLICKABLE', 'hidden'],
    ['screenshot', { selector: '#none' }, 'TIMEOUT', undefined],
    ['wait_for', { text: 'Redy' }, 'TIMEOUT', undefined],
  ]
  const others: Row[] = [
    ['click', { selector: '#none' }, 'ELEMENT_NOT_CLICKABLE', 'hidden'],
    ['click', { selector: '#off', clickCount: 2 }, 'ELEMENT_NOT_CLICKABLE', 'disabled'],
    ['hover', { selector: '#none' }, 'ELEMENT_NOT_CLICKABLE', 'hidden'],
    ['type', { selector: '#closed', text: 'a' }, 'ELEMENT_NOT_EDITABLE', 'disabled'],
    ['type', { selector: '#missing', text: 'a' }, 'ELEMENT_NOT_FOUND', undefined],
    ['select', { selector: '#missing', values: ['one'] }, 'ELEMENT_NOT_FOUND', undefined],
    ['fill_form', { fields: [{ selector: '#check', value: true }] }, 'ELEMENT_NOT_CLICKABLE', 'disabled'],
    ['fill_form', { fields: [{ selector: '#missing', value: 'a' }] }, 'ELEMENT_NOT_FOUND', undefined],
    ['drag', { selector: '#missing', toSelector: '#ready' }, 'ELEMENT_NOT_FOUND', undefined],
    ['upload_file', { selector: '#missing', paths: ['package.json'] }, 'ELEMENT_NOT_FOUND', undefined],
    ['press_key', { selector: '#missing', key: 'Enter' }, 'ELEMENT_NOT_FOUND', undefined],
    ['evaluate', { selector: '#missing', script: 'element.id' }, 'ELEMENT_NOT_FOUND', undefined],
    ['screenshot', { selector: '#missing' }, 'ELEMENT_NOT_FOUND', undefined],
    ['wait_for', { selector: '#off', is: 'enabled' }, 'TIMEOUT', undefined],
    ['wait_for', { textGone: 'Ready' }, 'TIMEOUT', undefined],
    ['wait_for', { url: '/other' }, 'TIMEOUT', undefined],
  ]
  test.concurrent.each(isChromium ? [...both, ...others] : both)(
    '%s %p on a quiet page fails sooner: %s %s',
    (tool, input, code, reason) =>
      inOwnSession(async ({ call, on }) => {
        await on('/')
        expectSooner(await call(tool, input), code, reason, code === 'ELEMENT_NOT_FOUND' ? 3 : 2)
      }),
    LIMIT_MS,
  )

  test.concurrent(
    'a covered element, also below a stream that stays open, and one in a frame',
    () =>
      inOwnSession(async ({ call, on }) => {
        for (const path of ['/covered', '/stream']) {
          await on(path)
          expectSooner(await call('click', { selector: '#under' }), 'ELEMENT_NOT_CLICKABLE', 'covered', 2)
        }
        await on('/frame')
        const { snapshot } = await call('snapshot')
        const [, ref] = /button "Under" \[(\w+)\]/.exec(snapshot) ?? []
        expectSooner(await call('click', { ref }), 'ELEMENT_NOT_CLICKABLE', 'disabled', 2)
      }),
    LIMIT_MS,
  )

  test.concurrent.each([
    ['a button that comes 2.9 s after the page has loaded', '/late', '#late'],
    ['what a request brings after 4.5 s', '/fetched', '#late'],
    ['a transition that uncovers after 4 s', '/transition', '#under'],
    ['a shadow root that changes every 300 ms', '/shadow', '#in'],
  ])(
    '%s is waited for',
    (_, path, selector) =>
      inOwnSession(async ({ call, on }) => {
        await on(path)
        expect(await call('click', { selector })).toMatchObject({ success: true })
      }),
    LIMIT_MS,
  )

  const describeTimes = () => {
    let busyPeer: Peer
    beforeAll(async () => {
      busyPeer = await start(BUSY_DEFAULT_MS)
    }, 300_000)
    afterAll(() => busyPeer.close())

    test.concurrent(
      'every call waits anew',
      () =>
        inOwnSession(async ({ call, on }) => {
          await on('/covered')
          for (let count = 0; count < 3; count += 1) {
            const { details } = await call('click', { selector: '#under' })
            expect(details.waited).toBeGreaterThanOrEqual(2000)
          }
        }),
      LIMIT_MS,
    )

    test.concurrent(
      'a named timeout is kept, in the call and in the session',
      () =>
        inOwnSession(async ({ call, on }) => {
          await on('/covered')
          const named = await call('click', { selector: '#under', timeout: 4000 })
          expect(named.details).toEqual({
            target: '#under',
            reason: 'covered',
            waited: 4000,
            by: expect.anything(),
          })
          expect(named.message).not.toContain('quiet')
          const sessionId = await peer.session({ timeout: 4500 })
          await call('navigate', { sessionId, url: `${site.url}/covered` })
          expect((await call('click', { sessionId, selector: '#under' })).details).toMatchObject({
            waited: 4500,
          })
          expect((await call('click', { sessionId, selector: '#missing' })).details).toMatchObject({
            waited: 4500,
          })
          await call('close_session', { sessionId })
        }),
      LIMIT_MS,
    )

    test.concurrent.each([
      ['/changing', '#under'],
      ['/busy-frame', '#off'],
    ])(
      'on %s, which changes all the time, the full timeout is waited',
      async (path, selector) => {
        const sessionId = await busyPeer.session()
        await busyPeer.call('navigate', { sessionId, url: `${site.url}${path}` })
        const { data } = await busyPeer.call('click', { sessionId, selector })
        expect(data.details).toMatchObject({ waited: BUSY_DEFAULT_MS })
        expect(data.details.quietMs).toBeUndefined()
        await busyPeer.call('close_session', { sessionId })
      },
      LIMIT_MS,
    )
  }
  if (isChromium) describe('the time that is allowed', describeTimes)

  test.concurrent(
    'the page sees no more of it than of a call with a timeout of its own',
    () =>
      inOwnSession(async ({ call, on }) => {
        const observe = async (input: object) => {
          await on('/observed')
          const { details } = await call('click', { selector: '#under', ...input })
          const { result } = await call('evaluate', {
            script: `({
            names: [...new Set(seen)].sort(),
            observers: seen.filter((name) => name === 'MutationObserver').length,
            keys: Reflect.ownKeys(window).length - keysBefore,
          })`,
          })
          return { ended: details.quietMs === undefined ? 'by its timeout' : 'sooner', result }
        }
        const [early, named] = [await observe({}), await observe({ timeout: 2500 })]
        expect([early.ended, named.ended]).toEqual(['sooner', 'by its timeout'])
        expect(early.result).toEqual(named.result)
      }),
    LIMIT_MS,
  )

  test(
    'a field that is disabled because it is complete has its text',
    async () => {
      await on('/complete')
      expect(await call('type', { selector: '#code', text: '1234' })).toMatchObject({ success: true })
      expect((await call('evaluate', { script: 'code.value + code.disabled' })).result).toBe('12-34true')
    },
    DEFAULT_MS,
  )

  describe('a field that its own focus handler disables', () => {
    const rows: [path: string, tool: string, input: object][] = [
      ['/own', 'type', { text: '21' }],
      ['/own', 'type', { text: '21', clear: true }],
      ['/own-date', 'type', { text: '2026-11-21' }],
      ['/own', 'fill_form', { fields: [{ value: '21' }] }],
    ]
    test.each(isChromium ? rows : rows.filter(([, tool, input]) => tool === 'type' && !('clear' in input)))(
      '%s %s %p says so and shows what it opened',
      async (path, tool, input) => {
        await on(path)
        const { snapshot } = await call('snapshot')
        const [, ref] = /textbox "Due" \[(\w+)\]/.exec(snapshot) ?? []
        const fields = 'fields' in input ? { fields: [{ ...(input.fields as object[])[0], ref }] } : { ref }
        const data = await call(tool, { ...input, ...fields })
        expect(data).toMatchObject({
          errorCode: 'ELEMENT_NOT_EDITABLE',
          details: { reason: 'disabled', became: true },
        })
        expect(data.message).toContain(`ref ${ref} was editable, but became disabled`)
        expect(data.evidence.changes).toContain('+ dialog "Calendar"')
        expect(data.evidence.changes).toMatch(/^~ textbox "Due" \[\w+\] (?:date )?disabled$/m)
      },
      DEFAULT_MS,
    )
  })
})
