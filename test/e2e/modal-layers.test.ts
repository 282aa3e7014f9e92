// Pages that do in plain DOM what component libraries do: a layer at the end of the body, the rest hidden from assistive technology,
// made inert or deaf to clicks, and put back as it was.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Peer, share } from '../support/client.ts'
import { anyBrowser } from '../support/engines.ts'
import { page, serveSite, type Site } from '../support/site.ts'

const rows = Array.from(
  { length: 12 },
  (_, i) => `<tr><td>Person ${i}<td>person${i}@example.org<td><button>Delete</button>`,
).join('')

const openers = {
  // As MUI: `aria-hidden` on the root.
  root: 'app.ariaHidden = "true"; layer()',
  // As Headless UI: `aria-hidden` and `inert` on each sibling.
  siblings:
    'for (const part of app.firstElementChild.children) { part.ariaHidden = "true"; part.inert = true }; layer()',
  // As Radix: nothing outside takes clicks.
  clicks:
    'app.ariaHidden = "true"; document.body.style.pointerEvents = "none"; layer().style.pointerEvents = "auto"',
  // The platform's own.
  modal: 'native.showModal()',
}

const layers = (opener: string) => `<div id="app"><main>
  <h1>People</h1><button onclick="this.textContent = 'Pressed'">Outside</button>
  <button id="open" aria-expanded="false" onclick="opened()"><svg width="9" height="9"></svg> Edit</button>
  <table>${rows}</table>
</main></div><dialog id="native" aria-label="Profile"><input aria-label="Name" value="Ada"><button>Save</button></dialog>
<script>
  function layer() {
    document.body.insertAdjacentHTML('beforeend', '<div id="layer" role="dialog" aria-label="Profile" style="position:fixed;inset:50px;background:white"><span tabindex="0"></span><input aria-label="Name" value="Ada"><button>Save</button><span tabindex="0"></span></div>')
    return document.querySelector('#layer')
  }
  const app = document.querySelector('#app'), native = document.querySelector('#native'), open_ = document.querySelector('#open')
  function opened() { ${opener}; open_.ariaExpanded = 'true' }
  document.onkeydown = ({ key }) => {
    if (key !== 'Escape') return
    document.querySelector('#layer')?.remove()
    native.close()
    for (const part of [app, ...app.firstElementChild.children]) { part.removeAttribute('aria-hidden'); part.inert = false }
    document.body.style.pointerEvents = ''
    open_.ariaExpanded = 'false'
  }
</script>`

const calendar = `<button onclick="days.hidden = !days.hidden">Pick a day</button><table id="days" hidden>${Array.from(
  { length: 6 },
  (_, week) =>
    `<tr>${Array.from({ length: 7 }, (_, day) => `<td style="cursor:pointer">${week * 7 + day}`).join('')}`,
).join('')}</table>`

const parts = `<style>.p{cursor:pointer}</style>
<button class="p"><svg width="9" height="9" role="img" aria-label="disk"></svg> <span>Save</span></button>
<a href="/x" class="p"><div><h3>Card</h3><p>Words</p></div></a>
<details><summary>More</summary><button>In closed</button></details><details open><summary>Less</summary><p>In open</p></details>
<div style="display:contents"><p>Without a box</p></div><div style="display:none"><div style="display:contents">Never</div></div>
<div draggable="true">Card to drag</div>
<input style="opacity:0" aria-label="Trap 1"><input style="position:absolute;left:-9999px" aria-label="Trap 2"><input style="position:absolute;width:1px;height:1px;padding:0;border:0" aria-label="Trap 3">
<input type="checkbox" style="opacity:0" aria-label="Agree"><button aria-label="Close"><svg width="9" height="9"></svg></button>
<div style="height:60px;overflow:auto" id="box"><button>First</button><div style="height:500px"></div><button>Last</button></div>
<table><tr><td>Ada Lovelace<td><button>Delete</button><tr><td>Bob<td><button>Delete</button></table>`

const moving = `<ul id="list"><li id="a">Ada</li><li>Bob</li><li>Cleo</li><li>Dora</li></ul><button onclick="list.append(a)">Sort</button>
<button onclick="this.textContent = ++n">0</button><button id="gone" onclick="kept = this; this.remove()">Away</button><button onclick="document.body.append(kept)">Back</button><script>let n = 0, kept</script>`

// As antd: until its animation has ended, what opens takes no clicks. Another animation has no end.
const animated = `<style>@keyframes in { from { transform: scale(0) } } @keyframes turn { to { rotate: 1turn } }
  .in { animation: in 300ms; pointer-events: none } i { display: inline-block; animation: turn 1s infinite }</style><i>*</i>
<button onclick="document.body.insertAdjacentHTML('beforeend', '<div role=menu class=in><button role=menuitem>Copy</button></div>')">Menu</button>
<script>document.onanimationend = ({ target }) => target.classList.remove('in')</script>`

describe.each(anyBrowser)('%s', (browser) => {
  let site: Site
  let peer: Peer
  let sessionId: string

  beforeAll(async () => {
    site = await serveSite({
      ...Object.fromEntries(
        Object.entries(openers).map(([way, code]) => [`/${way}`, page(layers(code), way)]),
      ),
      '/calendar': page(calendar, 'Calendar'),
      '/parts': page(parts, 'Parts'),
      '/moving': page(moving, 'Moving'),
      '/animated': page(animated, 'Animated'),
      '/frame': page(
        '<button>Above</button><iframe src="/moving" width="600" height="300"></iframe>',
        'Frame',
      ),
    })
    peer = await share(browser)
    sessionId = await peer.session()
  }, 300_000)
  afterAll(async () => {
    await peer.close()
    site.close()
  })
  const call = async (tool: string, input: Record<string, unknown> = {}) =>
    (await peer.call(tool, { sessionId, ...input })).data
  const see = async (path: string): Promise<string> => {
    await call('navigate', { url: `${site.url}${path}` })
    return (await call('snapshot')).snapshot
  }
  const refOf = (text: string, line: string) => {
    const found = text.split('\n').find((one) => one.includes(line))
    return /\[(\w+)\]/.exec(found ?? '')?.[1] ?? `no ref of ${line} in ${text}`
  }
  const size = (text: string) => Buffer.byteLength(text)

  test.each(Object.keys(openers))(
    'a dialog (%s): what is new, one line for the rest, and the rest is what it was',
    async (way) => {
      const before = await see(`/${way}`)
      expect(before).toContain('button "Edit"')
      const opened = (await call('click', { ref: refOf(before, '"Edit"') })).changes
      expect(opened).toStartWith('+ dialog "Profile"')
      expect(opened).toMatch(/\n\+ textbox "Name" \[\w+\]: Ada\n\+ button "Save" \[\w+\]\n/)
      expect(opened).toContain('~ the rest of the page is hidden behind dialog "Profile"')
      expect(opened).not.toMatch(/^- |Person|Outside/m)
      expect(size(opened)).toBeLessThanOrEqual(400)
      const during = (await call('snapshot')).snapshot
      expect(during).toContain('lines hidden behind dialog "Profile"')
      expect(during).not.toContain('Person 3')
      // The page sees nothing of how it is looked at.
      const script = `[Object.hasOwn(Element.prototype, '_ariaRef'), /native code/.test(Element.prototype.getAttribute), document.body.firstElementChild.getAttribute('aria-hidden')]`
      const hides = way === 'root' || way === 'clicks' ? 'true' : null
      expect((await call('evaluate', { script })).result).toEqual([false, true, hides])
      const closed = (await call('press_key', { key: 'Escape' })).changes
      expect(closed).toContain('~ the rest of the page is back')
      expect(closed).toContain('- dialog "Profile"')
      expect(size(closed)).toBeLessThanOrEqual(400)
      const clicked = await call('click', { ref: refOf(before, '"Outside"') })
      expect(clicked.changes).toBe(`~ button "Pressed" [${refOf(before, '"Outside"')}]`)
      const after = (await call('snapshot')).snapshot.replace(' focused', '')
      expect(after).toBe(before.replace('"Outside"', '"Pressed"'))
    },
    120_000,
  )

  test('a calendar of 42 days is described by its first and last', async () => {
    const before = await see('/calendar')
    const { changes } = await call('click', { ref: refOf(before, 'Pick') })
    expect(changes).toMatch(/\+ 42 × cell "0" \[\w+\] … "41" \[\w+\] clickable/)
    expect(size(changes)).toBeLessThanOrEqual(400)
    const last = /… "41" \[(\w+)\]/.exec(changes)?.[1]
    expect((await call('click', { ref: last })).success).toBe(true)
  }, 120_000)

  test('a menu that takes clicks only when it has come to its place is reported with refs that work', async () => {
    const before = await see('/animated')
    const { changes } = await call('click', { ref: refOf(before, '"Menu"') })
    expect(changes).toMatch(/^\+ menu \[\w+\]\n\+ menuitem "Copy" \[\w+\]$/)
    expect((await call('click', { ref: refOf(changes, 'Copy') })).success).toBe(true)
  }, 120_000)

  test('what moves is reported as moved, what is renamed keeps its ref, what comes back has its old one', async () => {
    const before = await see('/moving')
    expect((await call('click', { ref: refOf(before, '"Sort"') })).changes).toBe(
      `↕ listitem [${refOf(before, 'Ada')}]: Ada moved after [${refOf(before, 'Dora')}]`,
    )
    const counter = refOf(before, 'button "0"')
    for (const count of [1, 2, 3])
      expect((await call('click', { ref: counter })).changes).toBe(`~ button "${count}" [${counter}]`)
    const away = refOf(before, '"Away"')
    expect((await call('click', { ref: away })).changes).toBe(`- button "Away" [${away}]`)
    expect((await call('click', { ref: away })).errorCode).toBe('ELEMENT_NOT_FOUND')
    expect((await call('click', { ref: refOf(before, '"Back"') })).changes).toBe(`+ button "Away" [${away}]`)
    expect((await call('click', { ref: away })).success).toBe(true)
  }, 120_000)

  test('a look at a part leaves the refs of the whole; frames keep theirs', async () => {
    const before = await see('/frame')
    expect((await call('snapshot', { ref: refOf(before, '"Above"') })).snapshot).toContain('Above')
    const counter = refOf(before, 'button "0"')
    expect(counter).toMatch(/^e\d+$/)
    expect((await call('click', { ref: counter })).changes).toBe(`~ button "1" [${counter}]`)
    expect((await call('click', { ref: counter })).changes).toBe(`~ button "2" [${counter}]`)
  }, 120_000)

  test('names, states and what is only there for programs', async () => {
    const text = await see('/parts')
    expect(text).toMatch(/^button "disk Save" \[\w+\]$/m)
    expect(text).toMatch(/^link "Card Words" \[\w+\] → \/x$/m)
    expect(text).toMatch(/ button "More" \[\w+\] expanded=false$/m)
    expect(text).toMatch(/ button "Less" \[\w+\] expanded$/m)
    expect(text).not.toContain('In closed')
    expect(text).toMatch(/^generic \[\w+\] draggable: Card to drag$/m)
    for (const trap of [1, 2, 3]) expect(text).toMatch(new RegExp(`textbox "Trap ${trap}".* unseen$`, 'm'))
    expect(text).toMatch(/^checkbox "Agree" \[\w+\]$/m)
    await call('evaluate', { script: 'box.scrollTop = 1000' })
    expect((await call('snapshot')).snapshot).toMatch(/^button "First" \[\w+\]$/m)
    const found = (await call('snapshot', { pattern: 'Delete' })).snapshot
    expect(found).toMatch(/button "Delete" \[\w+\] in row "Ada Lovelace"\n.*in row "Bob"/)
    const { content } = await call('get_content', { format: 'markdown' })
    expect(content).toContain('Without a box')
    expect(content).toContain('[Close]')
    expect(content).not.toMatch(/Never|In closed/)
  }, 120_000)
})
