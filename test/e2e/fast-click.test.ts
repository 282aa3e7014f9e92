// A click that does not wait is as safe as one that does: whatever moves, is covered, fades, comes late, is disabled, goes away or is
// drawn anew gets its click once and where it is meant, or the failure that says why not.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Peer, share } from '../support/client.ts'
import { anyBrowser } from '../support/engines.ts'
import { type Pool, pool } from '../support/pool.ts'
import { page, serveSite, type Site } from '../support/site.ts'

const count = '<script>window.got = []; const note = (what) => got.push(what)</script>'
const button = '<button id="b" onclick="note(\'b\')">Go</button>'
const clicked = (body: string, more = '') => [page(count + body + more), { success: true }, ['b']] as const
const refused = (body: string, reason: string) =>
  [page(count + body), { errorCode: 'ELEMENT_NOT_CLICKABLE', details: { reason } }, []] as const

const cases: Readonly<Record<string, readonly [html: string, answer: object, got: readonly string[]]>> = {
  'still and plain': clicked(button),
  'in a shadow root': clicked(
    '<div id="host"></div>',
    `<script>host.attachShadow({ mode: 'open' }).innerHTML = "<button id=b onclick=\\"note('b')\\">Go</button>"</script>`,
  ),
  'text within it is hit': clicked('<button id="b" onclick="note(\'b\')"><span><i>Go</i></span></button>'),
  'below the fold': clicked(`<div style="height:3000px"></div>${button}`),
  'sliding in': clicked(
    `<style>@keyframes in { from { margin-left: 600px } } #b { animation: in .4s linear }</style>${button}`,
  ),
  'moved by a script for a while': clicked(
    button,
    "<script>b.style.position = 'absolute'; let x = 0; const timer = setInterval(() => { b.style.left = (x += 7) + 'px'; if (x > 300) clearInterval(timer) }, 8)</script>",
  ),
  'fading in': clicked(
    `<style>@keyframes in { from { opacity: 0 } } #b { animation: in .4s }</style>${button}`,
  ),
  'its parent slides': clicked(
    `<style>@keyframes in { from { transform: translateX(500px) } } div { animation: in .4s }</style><div>${button}</div>`,
  ),
  'covered by its own drawing': clicked(
    '<div onclick="note(\'b\')" style="position:relative;width:40px;height:40px"><div id="b" role="radio" style="position:absolute;inset:0"></div><span style="position:absolute;inset:0">★</span></div>',
  ),
  'covered by another control of its part': refused(
    '<div style="position:relative;width:40px;height:40px"><div id="b" role="radio" style="position:absolute;inset:0"></div><button style="position:absolute;inset:0" onclick="note(\'other\')">Help</button></div>',
    'covered',
  ),
  'covered, and free later': clicked(
    `${button}<div id="over" style="position:fixed;inset:0">Wait</div>`,
    '<script>setTimeout(() => over.remove(), 300)</script>',
  ),
  'covered for good': refused(`${button}<div style="position:fixed;inset:0">Wait</div>`, 'covered'),
  'covered as soon as the mouse comes': refused(
    `${button}<div id="over" style="position:fixed;inset:0;display:none">Late</div><script>addEventListener('mousemove', () => (over.style.display = 'block'))</script>`,
    'covered',
  ),
  'moved away as soon as the mouse comes': clicked(
    button,
    "<script>let once = false; b.addEventListener('mouseenter', () => { if (once) return; once = true; b.style.marginLeft = '300px' })</script>",
  ),
  'coming late': clicked(
    '',
    `<script>setTimeout(() => document.body.insertAdjacentHTML('beforeend', ${JSON.stringify(button)}), 300)</script>`,
  ),
  'disabled, and enabled later': clicked(
    button,
    '<script>b.disabled = true; setTimeout(() => (b.disabled = false), 300)</script>',
  ),
  'disabled for good': refused(button.replace('id=', 'disabled id='), 'disabled'),
  'within a button that is disabled': [
    page(`${count}<button disabled onclick="note('b')"><span id="b">Go</span></button>`),
    { errorCode: 'ELEMENT_NOT_CLICKABLE', details: { reason: 'disabled' } },
    [],
  ],
  'the label of what is disabled': [
    page(`${count}<label id="b">Yes <input type="checkbox" disabled onchange="note('b')"></label>`),
    { errorCode: 'ELEMENT_NOT_CLICKABLE' },
    [],
  ],
  'hidden for good': refused(button.replace('id=', 'style="visibility:hidden" id='), 'hidden'),
  'taken out of the page and put back': clicked(
    button,
    '<script>const one = b; one.remove(); setTimeout(() => document.body.append(one), 300)</script>',
  ),
  'drawn anew all the time': clicked(
    '<div id="box"></div>',
    `<script>let left = 40; const draw = () => { box.innerHTML = ${JSON.stringify(button)}; if (left-- > 0) requestAnimationFrame(draw) }; draw()</script>`,
  ),
  'the page sees nothing of how it is watched': clicked(
    "<button id=\"b\" onclick=\"note(Symbol.for('footlight mouse') in window ? 'seen' : 'b')\">Go</button>",
  ),
  'a neighbour takes no click': clicked(
    `<button id="a" onclick="note('a')">A</button>${button}<button id="c" onclick="note('c')">C</button>`,
  ),
  'a card with a control in its middle': clicked(
    '<div onclick="note(\'b\')" id="b" style="width:300px;height:60px;display:grid;place-items:center"><button onclick="note(\'delete\')">Delete</button></div>',
  ),
  'a row whose middle is between two cells': clicked(
    '<table style="width:400px;table-layout:fixed"><tr id="b" onclick="note(\'b\')"><td>Ada</td><td>Engineer</td></tr></table>',
  ),
  'a checkbox under its own drawing': [
    page(
      `${count}<label style="position:relative;display:block;width:60px;height:30px"><input type="checkbox" id="b" onchange="note('b')" style="position:absolute;inset:0"><i style="position:absolute;inset:0;background:#ccc"></i></label>`,
    ),
    { success: true },
    ['b'],
  ],
  'a checkbox without a size, with a link in its label': [
    page(
      `${count}<input type="checkbox" id="b" onchange="note('b')" style="width:0;height:0;opacity:0;position:absolute"><label for="b">I agree to <a href="#" onclick="note('link')">all the terms and conditions of this shop</a> now</label>`,
    ),
    { success: true },
    ['b'],
  ],
  'moving without an end': clicked(
    `<style>@keyframes up { from { top: 0 } to { top: 40px } } #b { position: relative; height: 80px; animation: up 1s infinite alternate }</style>${button}`,
  ),
  'hidden by the blur of its field': [
    page(
      `${count}<input id="f" autofocus onblur="names.hidden = true"><ul id="names"><li id="b" onclick="note('b')">Ada</li></ul><script>f.focus()</script>`,
    ),
    { message: expect.stringContaining('it got no click event') },
    [],
  ],
  'through a label': [
    page(`${count}<label>Yes <input type="checkbox" id="b" style="opacity:0" onchange="note('b')"></label>`),
    { success: true },
    ['b'],
  ],
}

// The click without waiting needs Chromium. In Firefox it is Playwright that clicks; there it is shown that what it says becomes the same
// answers. It does not look again once the mouse has moved.
const inFirefox = [
  'still and plain',
  'in a shadow root',
  'covered, and free later',
  'covered for good',
  'coming late',
  'disabled for good',
  'within a button that is disabled',
  'the label of what is disabled',
  'hidden for good',
  'drawn anew all the time',
  'a row whose middle is between two cells',
  'a checkbox under its own drawing',
  'through a label',
]

describe.each(anyBrowser)('%s', (browser) => {
  let site: Site
  let peer: Peer
  // What is refused takes the whole of its time, so the cases run side by side, each in a session of its own.
  let sessions: Pool<string>
  beforeAll(async () => {
    const routes = Object.entries(cases).map(([, [html]], index) => [`/${index}`, html] as const)
    site = await serveSite({
      ...Object.fromEntries(routes),
      '/frame': page(
        `<iframe srcdoc="${button.replaceAll('"', '&quot;').replace("note('b')", "parent.got = ['b']")}"></iframe>`,
      ),
      '/next': (_, response) => void setTimeout(() => response.end(page('<h1>Next</h1>', 'Next')), 100),
      '/keys': page(`<input id="k"><input id="r"><input id="f"><script>
        const seen = []
        for (const kind of ['keydown', 'keypress', 'input', 'keyup']) k.addEventListener(kind, (e) => seen.push(kind + ' ' + (e.key ?? '')))
        r.addEventListener('input', () => { const at = r.selectionStart, v = r.value; r.value = ''; r.value = v; r.setSelectionRange(at, at) })
        f.addEventListener('keydown', (e) => /\\d/.test(e.key) && e.preventDefault())
      </script>`),
      '/never': () => {},
      '/hover': page(
        `${count}<button id="b" onmouseenter="note('b')">B</button><div style="position:relative"><button id="c">C</button><div style="position:absolute;inset:0">Over</div></div>`,
      ),
      '/quirks': `<title>Quirks</title><button id="b" style="position:absolute;left:700px;top:500px">B</button><script>
        let moves = 0
        b.addEventListener('mousemove', () => moves++)
      </script>`,
      '/form': page('<form action="/next"><input id="i"><button>Send</button></form>'),
      '/icon': page(
        `${count}<style>#b { position: fixed; right: 0 } #b span { display: none } #b:hover span { display: inline }</style><a href="#" id="b" title="Edit [e]" onclick="note('b')"><svg width="9" height="9"></svg><span>Edit</span></a>`,
      ),
      '/link': page('<a id="b" href="/next">Next</a>'),
    })
    peer = await share(browser)
    // A session of Firefox costs as much as a case.
    const length = browser === 'chromium' ? 4 : 2
    sessions = pool(await Promise.all(Array.from({ length }, () => peer.session())))
  }, 300_000)
  afterAll(async () => {
    await peer.close()
    site.close()
  })
  type Call = (tool: string, input: Record<string, unknown>) => Promise<any>
  const inSession =
    <A extends unknown[]>(body: (call: Call, ...row: A) => Promise<void>) =>
    (...row: A) =>
      sessions.with((sessionId) =>
        body(async (tool, input) => (await peer.call(tool, { sessionId, ...input })).data, ...row),
      )

  const here = Object.keys(cases).map((name, index) => [name, index] as const)
  test.concurrent.each(here.filter(([name]) => browser === 'chromium' || inFirefox.includes(name)))(
    '%s',
    inSession(async (call, name: string, index: number) => {
      const [, answer, got] = cases[name] ?? ['', {}, []]
      await call('navigate', { url: `${site.url}/${index}` })
      // What is refused takes the whole of its time.
      const timeout = 'success' in answer ? 60_000 : 6000
      // Nothing is left behind in the page.
      const script = "[got, Symbol.for('footlight mouse') in window]"
      const click = async () => {
        expect(await call('click', { selector: '#b', timeout })).toMatchObject(answer)
        return (await call('evaluate', { script })).result
      }
      let result = await click()
      // On a busy machine a frame may lie between the press and the release, which then meet two elements, as those of a person would.
      for (
        let more = 0;
        more < 2 && name === 'drawn anew all the time' && result[0].length === 0;
        more += 1
      ) {
        await call('navigate', { url: `${site.url}/${index}` })
        result = await click()
      }
      expect(result).toEqual([[...got], false])
    }),
    180_000,
  )
  test.concurrent(
    'in a frame',
    inSession(async (call) => {
      await call('navigate', { url: `${site.url}/frame` })
      expect(await call('click', { selector: 'iframe >> internal:control=enter-frame >> #b' })).toMatchObject(
        {
          success: true,
        },
      )
      expect((await call('evaluate', { script: 'got' })).result).toEqual(['b'])
    }),
    180_000,
  )
  test.concurrent(
    'keys come one by one, as from a keyboard, also to a field that is drawn anew',
    inSession(async (call) => {
      await call('navigate', { url: `${site.url}/keys` })
      const timeout = 60_000
      const text = 'aZ 09-_=+[{]}\\|;:\'",<.>/?!@#$%^&*()'
      expect((await call('type', { selector: '#k', text, timeout })).success).toBe(true)
      const { value, seen } = (await call('evaluate', { script: '({ value: k.value, seen })' })).result
      expect(value).toBe(text)
      expect(seen).toEqual(
        [...text].flatMap((key) =>
          ['keydown', 'keypress', 'input', 'keyup'].map((kind) => `${kind} ${kind === 'input' ? '' : key}`),
        ),
      )
      await call('type', { selector: '#r', text: 'redrawn', timeout })
      expect((await call('evaluate', { script: 'r.value' })).result).toBe('redrawn')
      await call('type', { selector: '#f', text: 'a1b2', timeout })
      expect((await call('evaluate', { script: 'f.value' })).result).toBe('ab')
      await call('type', { selector: '#k', text: 'Grüße 🦊', clear: true, timeout })
      expect((await call('evaluate', { script: 'k.value' })).result).toBe('Grüße 🦊')
    }),
    180_000,
  )
  test.concurrent(
    'a name that is another one under the mouse',
    inSession(async (call) => {
      await call('navigate', { url: `${site.url}/icon` })
      expect(await call('click', { selector: 'role=link[name="Edit [e]"]' })).toMatchObject({ success: true })
      expect((await call('evaluate', { script: 'got' })).result).toEqual(['b'])
    }),
    180_000,
  )
  // In quirks mode :hover alone matches only links.
  test.concurrent(
    'a hover on a page in quirks mode moves the mouse once',
    inSession(async (call) => {
      await call('navigate', { url: `${site.url}/quirks` })
      expect((await call('hover', { selector: '#b' })).success).toBe(true)
      expect((await call('evaluate', { script: '[document.compatMode, moves]' })).result).toEqual([
        'BackCompat',
        1,
      ])
    }),
    180_000,
  )
  test.concurrent(
    'hover reaches what is under the mouse, and nothing that is covered',
    inSession(async (call) => {
      await call('navigate', { url: `${site.url}/hover` })
      expect((await call('hover', { selector: '#b' })).success).toBe(true)
      expect((await call('evaluate', { script: 'got' })).result).toEqual(['b'])
      expect(await call('hover', { selector: '#c', timeout: 500 })).toMatchObject({
        errorCode: 'ELEMENT_NOT_CLICKABLE',
      })
    }),
    180_000,
  )
  test.concurrent.each([
    ['fill_form', { fields: [{ selector: '#i', value: 'x' }], submit: true }],
    ['type', { selector: '#i', text: 'x', submit: true }],
    ['press_key', { selector: '#i', key: 'Enter' }],
  ])(
    'a form that %s sends: the next call finds the next page',
    inSession(async (call, tool: string, input: Record<string, unknown>) => {
      for (let round = 0; round < 2; round += 1) {
        await call('navigate', { url: `${site.url}/form` })
        expect((await call(tool, input)).success).toBe(true)
        expect((await call('wait_for', { url: '/next' })).success).toBe(true)
        if (browser === 'firefox') continue
        await call('navigate', { url: `${site.url}/form` })
        await call(tool, input)
        expect((await call('evaluate', { script: 'document.title' })).result).toBe('Next')
      }
    }),
    180_000,
  )
  test.concurrent(
    'a frame is clicked once',
    inSession(async (call) => {
      await call('navigate', { url: `${site.url}/frame` })
      await call('evaluate', {
        script:
          'got = 0; document.querySelector(\'iframe\').contentDocument.body.innerHTML = \'<button style="position:fixed;inset:0;width:100%" onclick="parent.got += 1">All</button>\'; 1',
      })
      expect((await call('click', { selector: 'iframe' })).success).toBe(true)
      expect((await call('evaluate', { script: 'got' })).result).toBe(1)
    }),
    180_000,
  )
  test.concurrent(
    'a click that was given up leaves nothing in the way of the next one',
    inSession(async (call) => {
      await call('navigate', { url: `${site.url}/hover` })
      await call('evaluate', {
        script:
          'b.onclick = () => note("clicked"); setTimeout(() => { const end = Date.now() + 900; while (Date.now() < end); }, 0); 1',
      })
      await call('click', { selector: '#b', timeout: 300 })
      await call('evaluate', { script: 'got.length = 0; 1' })
      expect((await call('click', { selector: '#b' })).success).toBe(true)
      expect((await call('evaluate', { script: 'got.filter((one) => one === "clicked")' })).result).toEqual([
        'clicked',
      ])
    }),
    180_000,
  )
  test.concurrent(
    'a frame that loads by itself is not waited for',
    inSession(async (call) => {
      await call('navigate', { url: `${site.url}/hover` })
      await call('evaluate', {
        script:
          "const f = document.createElement('iframe'); document.body.append(f); b.onclick = () => { f.src = '/never' }; 1",
      })
      expect(await call('click', { selector: '#b', timeout: 20_000 })).toEqual({
        success: true,
        message: 'Clicked.',
        notes: [expect.stringContaining('/never → no response yet')],
      })
    }),
    180_000,
  )
  test.concurrent(
    'a link: the next call finds the next page',
    inSession(async (call) => {
      for (let round = 0; round < 2; round += 1) {
        await call('navigate', { url: `${site.url}/link` })
        await call('click', { selector: '#b' })
        expect((await call('evaluate', { script: 'document.title' })).result).toBe('Next')
      }
    }),
    180_000,
  )
})
