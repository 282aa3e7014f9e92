// Controls in frames are hit where they are, whatever zooms, scales or turns the page around the frame; `force` never clicks another one.

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { type Peer, share } from '../support/client.ts'
import { bothBrowsers } from '../support/engines.ts'
import { page, serveSite, type Site } from '../support/site.ts'

const numbers = Array.from({ length: 20 }, (_, index) => index)
const buttons = numbers
  .map(
    (n) =>
      `<button style="display:block;width:150px;height:24px;margin:0" onclick="top.got.push(${n})" onmouseenter="top.over = ${n}">Choice ${n}</button>`,
  )
  .join('')
const inner = `<!doctype html><style>body{margin:0}</style>${buttons}<input type="checkbox" aria-label="Box" style="margin:0">`
const nested =
  '<!doctype html><style>body{margin:3px;zoom:1.3}</style><iframe src="/inner" width=300 height=520></iframe>'

const outer = (style: string, frame = 'src="/inner"', around = '') =>
  page(
    `<style>${style}</style><script>got = []</script><div style="${around}"><iframe ${frame} width=400 height=520 style="border:7px solid;padding:5px"></iframe></div>`,
  )
const pages: Readonly<Record<string, string>> = {
  '/html': outer('html{zoom:1.25}'),
  '/body': outer('body{zoom:.8}'),
  '/iframe': outer('iframe{zoom:1.1}'),
  '/all': outer('html{zoom:.9}body{zoom:1.1}iframe{zoom:.8}'),
  '/inside': outer('body{zoom:.8}', 'src="/zoomed"'),
  '/nested': outer('body{zoom:.7}', 'src="/nested"'),
  '/mixed': outer(
    'body{zoom:.8}',
    'src="/inner"',
    'transform:rotate(6deg) scale(1.1);transform-origin:0 0;margin-left:90px',
  ),
  '/single': outer(
    'body{zoom:.8}',
    'src="/inner"',
    'rotate:6deg;scale:.9 1.1;transform-origin:0 0;margin-left:90px',
  ),
}

describe.each(bothBrowsers)('%s', (browser) => {
  let site: Site
  let peer: Peer
  beforeAll(async () => {
    site = await serveSite({
      ...pages,
      '/inner': inner,
      '/zoomed': inner.replace('margin:0', 'margin:0;zoom:1.2'),
      '/nested-page': nested,
      '/pay': page("<button onclick=\"parent.postMessage('paid', '*')\">Pay</button>"),
      '/heard': page(
        `<button>Pay</button><script>for (const type of ['mouseover', 'mousedown', 'mouseup', 'click', 'contextmenu', 'wheel', 'dblclick']) addEventListener(type, ({ shiftKey }) => parent.postMessage(type + (shiftKey ? '+' : ''), '*'))</script>`,
      ),
      '/other-site': page(
        '<script>got = []; addEventListener("message", ({ data }) => got.push(data)); addEventListener("click", () => got.push("around"))</script><iframe id="frame"></iframe><p id="veil" hidden style="position:fixed;inset:0;margin:0;opacity:.1">Wait</p><script>frame.src = location.href.replace("127.0.0.1", "localhost").replace("other-site", location.hash ? "heard" : "pay")</script>',
      ),
      '/nested': outer('body{zoom:.9}', 'src="/nested-page"'),
      '/covered': outer('body{zoom:.8}').replace(
        '</iframe>',
        '</iframe><p style="position:fixed;inset:0;margin:0;opacity:.1">Wait</p>',
      ),
    })
    peer = await share(browser)
  })
  afterAll(() => {
    site.close()
    return peer.close()
  })

  let sessionId = ''
  afterEach(() => peer.call('close_session', { sessionId }))

  async function open(path: string) {
    sessionId = await peer.session()
    const call = async (name: string, args: Record<string, unknown> = {}) =>
      (await peer.call(name, { sessionId, ...args })).data
    await call('navigate', { url: site.url + path })
    const snapshot = String((await call('snapshot'))['snapshot'])
    const refOf = (name: string) => new RegExp(`"${name}" \\[(e\\d+)\\]`).exec(snapshot)?.[1] ?? 'none'
    return { call, refOf }
  }

  test.each([...Object.keys(pages)])('%s', async (path) => {
    const { call, refOf } = await open(path)
    for (const n of [0, 6, 13, 19]) await call('click', { ref: refOf(`Choice ${n}`), timeout: 5000 })
    for (const n of [3, 17]) await call('click', { ref: refOf(`Choice ${n}`), force: true, timeout: 5000 })
    expect((await call('evaluate', { script: 'got' }))['result']).toEqual([0, 6, 13, 19, 3, 17])
    await call('hover', { ref: refOf('Choice 15') })
    expect((await call('evaluate', { script: 'over' }))['result']).toBe(15)
    expect(await call('fill_form', { fields: [{ ref: refOf('Box'), value: true }] })).toMatchObject({
      success: true,
    })
  })
  test('a button in a frame of another site gets the click, the page around it gets none, and a cover is named', async () => {
    const { call, refOf } = await open('/other-site')
    for (const _ of [1, 2]) await call('click', { ref: refOf('Pay') })
    const { result } = await call('evaluate', { script: 'got.join()' })
    expect(result).toBe('paid,paid')
    await call('evaluate', { script: 'veil.hidden = false' })
    expect(await call('click', { ref: refOf('Pay'), timeout: 2000 })).toMatchObject({
      errorCode: 'ELEMENT_NOT_CLICKABLE',
      details: { reason: 'covered' },
    })
  })
  test('a button in a frame of another site hears each action of the mouse', async () => {
    const { call, refOf } = await open('/other-site#heard')
    const ref = refOf('Pay')
    const heard = async (tool: string, input: Record<string, unknown>) => {
      const { success, message } = await call(tool, input)
      const { result } = await call('evaluate', { script: 'got.splice(0).join(" ")' })
      return success ? result : message
    }
    const script = '(({ x, y }) => ({ x: x + 20, y: y + 18 }))(frame.getBoundingClientRect())'
    const at = (await call('evaluate', { script }))['result']
    const mouse = (action: string, input = {}) => heard('mouse', { action, ...at, ...input })
    const [click, shift] = ['mousedown mouseup click', { modifiers: ['Shift'] }]
    expect(await heard('hover', { ref })).toBe('mouseover')
    expect(await heard('click', { ref, ...shift })).toBe('mousedown+ mouseup+ click+')
    expect(await heard('click', { ref, clickCount: 2 })).toBe(`${click} ${click} dblclick`)
    expect(await mouse('down')).toBe('mousedown')
    expect(await mouse('up')).toBe('mouseup click')
    expect(await mouse('click', { button: 'right' })).toBe('mousedown contextmenu mouseup')
    expect(await mouse('click', { clickCount: 2 })).toBe(`${click} ${click} dblclick`)
    expect(await mouse('click', shift)).toBe('mousedown+ mouseup+ click+')
    expect(await mouse('wheel', { deltaY: 40 })).toBe('wheel')
    if (browser === 'chromium') return
    const refused = expect.stringContaining('a frame of another site, where Firefox cannot drag')
    expect(await mouse('drag', { toX: at.x, toY: at.y + 3 })).toEqual(refused)
    expect(await heard('drag', { ref, toSelector: '#frame' })).toEqual(refused)
  })
  test('what lies over a zoomed frame covers its controls', async () => {
    const { call, refOf } = await open('/covered')
    expect(await call('click', { ref: refOf('Choice 6'), timeout: 5000 })).toMatchObject({
      errorCode: 'ELEMENT_NOT_CLICKABLE',
      details: { reason: 'covered' },
    })
  })
})
