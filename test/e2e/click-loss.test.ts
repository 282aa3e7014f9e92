// A click that the page loses between press and release is reported with the reason; what acts on the press itself, as lists and menus do, has lost nothing.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Peer, share } from '../support/client.ts'
import { anyBrowser } from '../support/engines.ts'
import { page, serveSite, type Site } from '../support/site.ts'

const save = `<button id="save" onclick="result.textContent = 'saved'">Save</button>`
const result = '<p id="result">nothing</p>'
const field = (onBlur: string) => `<input id="name" autofocus onblur="${onBlur}">`
const redraw = 'host.innerHTML = host.innerHTML'

const messageOnBlur = `${field('message.hidden = false')}<div id="message" hidden style="height: 80px">Required</div>`
const box = `${messageOnBlur}<input type="checkbox" id="terms">`
const REPLACED =
  'The page replaced it or its content between press and release, so it got no click event. If nothing changed, click again.'

const lost = {
  moved: [
    `${messageOnBlur}${save}`,
    'It moved between press and release, so it got no click event. If nothing changed, click again.',
  ],
  'replaced on blur': [`${field(redraw)}<div id="host">${save}</div>`, REPLACED],
  'replaced on mousedown': [`${field('')}<div id="host" onmousedown="${redraw}">${save}</div>`, REPLACED],
  'given another icon': [
    `<button id="save" onmousedown="this.innerHTML = '<i>Saving</i>'" onclick="result.textContent = 'saved'"><i>Save</i></button>`,
    REPLACED,
  ],
  'no button, and drawn anew': [
    `<div id="save" onmousedown="this.innerHTML = '<b>Save</b>'" onclick="result.textContent = 'saved'" style="display: inline-block"><b>Save</b></div>`,
    REPLACED,
  ],
  disabled: [
    `${field('save.disabled = true')}${save}`,
    'The page disabled it between press and release, so it got no click event. If nothing changed, enable it and click again.',
  ],
} as const

/** A move of the mouse takes it away, and a press brings it back. */
const flicker = `<p id="row" onmousemove="save.style.pointerEvents = 'none'"><span id="save" onclick="result.textContent = 'saved'">Save</span></p><script>addEventListener('pointerdown', () => save.style.pointerEvents = '', true)</script>`

const removal = `<button id="save" onmousedown="result.textContent = 'saved'; this.parentNode.remove()">×</button>`
const acted = {
  'the click changes all': `<button id="save" onclick="result.textContent = 'saved'; this.disabled = true; host.innerHTML = '<button>Save</button>'">Save</button><div id="host"></div>`,
  'an option that acts on the press and goes': `<button id="save" onmousedown="result.textContent = 'saved'; this.remove()">Save</button>`,
  'a menu that opens on the press and covers its button': `<button id="save" onpointerdown="result.textContent = 'saved'; veil.hidden = false">Save</button><div id="veil" hidden style="position: fixed; inset: 0"></div>`,
  'a list that turns off the mouse on the press': `<button id="save" onpointerdown="result.textContent = 'saved'; document.body.style.pointerEvents = 'none'">Save</button>`,
  'a list that gives its button another icon and covers it': `<button id="save" onmousedown="this.innerHTML = '<i>Close</i>'; result.textContent = 'saved'; veil.hidden = false"><i>Open</i></button><div id="veil" hidden style="position: fixed; inset: 0"></div>`,
  'a list that hides itself on the press': `<ul id="list"><li id="save" role="option" onmousedown="result.textContent = 'saved'; list.hidden = true">Save</li></ul>`,
  'one of two equal buttons that act on the press and go': `<p>${removal}</p><p>${removal}</p>`,
  'a track that shrinks under the mouse': `<div style="width: 200px"><div id="save" onmousedown="result.textContent = 'saved'; this.style.width = '40px'" style="height: 20px; width: 200px"></div></div>`,
  'a menu that shows another icon while it is open': `<button id="save" aria-expanded="false" onpointerdown="this.ariaExpanded = true; this.innerHTML = '<i>Close</i>'; result.textContent = 'saved'"><i>Open</i></button>`,
  'an option that goes at the release, and stands elsewhere then': `<p id="save" onpointerup="result.textContent = 'saved'; host.append(this.cloneNode(true)); this.remove()">Save</p><div id="host"></div>`,
  'a button that captures the mouse and moves': `<button id="save" onpointerdown="this.setPointerCapture(event.pointerId); this.style.marginTop = '80px'" onclick="result.textContent = 'saved'">Save</button>`,
  'a button around what is pressed': `<button id="save" onclick="result.textContent = 'saved'"><span><i>Save</i></span></button>`,
}

describe.each(anyBrowser)('%s', (browser) => {
  let site: Site
  let peer: Peer
  let sessionId: string
  const call = async (tool: string, input: Record<string, unknown> = {}) =>
    (await peer.call(tool, { sessionId, ...input })).data
  const readResult = async () => (await call('evaluate', { script: 'result.textContent' })).result
  const open = async (path: string) => {
    await call('navigate', { url: `${site.url}${encodeURI(path)}` })
    await call('evaluate', { script: "document.querySelector('[autofocus]')?.focus()" })
  }
  beforeAll(async () => {
    const bodies = [...Object.entries(lost).map(([name, [body]]) => [name, body]), ...Object.entries(acted)]
    site = await serveSite(
      Object.fromEntries(
        bodies
          .map(([name, body]) => [encodeURI(`/${name}`), page(body + result)])
          .concat([
            ['/box', page(box + result)],
            ['/flicker', page(flicker + result)],
          ]),
      ),
    )
    peer = await share(browser)
    sessionId = await peer.session()
  }, 300_000)
  afterAll(async () => {
    await peer.close()
    site.close()
  })

  test.each(Object.entries(lost))(
    'a button that is %s',
    async (name, [, note]) => {
      await open(`/${name}`)
      expect(await call('click', { selector: '#save' })).toMatchObject({
        success: true,
        message: `Clicked. ${note}`,
      })
      expect(await readResult()).toBe('nothing')
    },
    300_000,
  )

  test('the same at coordinates', async () => {
    await open('/moved')
    const { result: point } = await call('evaluate', {
      script: 'const { x, y } = save.getBoundingClientRect(); return { x: x + 5, y: y + 5 }',
    })
    expect((await call('mouse', { action: 'click', ...point })).message).toContain(lost.moved[1])
  }, 300_000)

  test('a box of a form that moves away is never called checked if it is not', async () => {
    await open('/box')
    const fields = [
      { selector: '#name', value: 'Ada' },
      { selector: '#terms', value: true },
    ]
    const { success = false } = await call('fill_form', { fields })
    expect((await call('evaluate', { script: 'terms.checked' })).result).toBe(success)
  }, 300_000)

  test('one that is away from the mouse at the press is said to have got no click', async () => {
    await open('/flicker')
    expect((await call('click', { selector: '#save' })).message).toContain('what is around it got the click')
    expect(await readResult()).toBe('nothing')
  }, 300_000)

  test('a second click reaches it', async () => {
    await open('/moved')
    await call('click', { selector: '#save' })
    expect((await call('click', { selector: '#save' })).message).not.toContain('between press and release')
    expect(await readResult()).toBe('saved')
  }, 300_000)

  test.each(Object.keys(acted))(
    '%s: nothing is lost',
    async (name) => {
      await open(`/${name}`)
      expect(JSON.stringify(await call('click', { selector: '#save >> nth=0' }))).not.toContain(
        'between press',
      )
      expect(await readResult()).toBe('saved')
    },
    300_000,
  )
})
