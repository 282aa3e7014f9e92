// A page that a server rendered can be seen before it works: a click then waits until its framework knows the element.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Peer, share } from '../support/client.ts'
import { anyBrowser } from '../support/engines.ts'
import { page, type Route, serveSite, type Site } from '../support/site.ts'

// Milliseconds that a script is on its way, and that the framework takes after it.
const SCRIPT_MS = 600
const LONG_MS = 2000
const late =
  (script: string, ms = SCRIPT_MS): Route =>
  (_, response) =>
    void setTimeout(() => {
      response.writeHead(200, { 'content-type': 'text/javascript' })
      response.end(script)
    }, ms)
const works = "document.querySelector('#go').onclick = ({ target }) => (target.textContent = 'works')"

const attach = (mark: string) =>
  late(
    `setTimeout(() => { const go = document.querySelector('#go'); ${mark}; go.onclick = () => (go.textContent = 'works') }, 200)`,
  )
const body = (root: string, script: string) => page(`${root}<script src="${script}" async></script>`)
const button = '<button id="go">waits</button>'

// As SvelteKit does it: the page is complete before its scripts are there.
const imports = (script: string) =>
  `${button}<script>window.__sveltekit_1a = {}; import('${script}')</script>`

const frameworks = [
  ['react', `<div id="__next">${button}</div>`, 'go.__reactFiber$1a = {}'],
  ['nuxt', `<div id="__nuxt">${button}</div>`, 'document.querySelector("#__nuxt").__vue_app__ = {}'],
  [
    'root',
    `<div id="root">${button}</div>`,
    'go.parentElement.__reactContainer$1a = go.__reactFiber$1a = {}',
  ],
  ['astro', `<astro-island ssr>${button}</astro-island>`, 'go.parentElement.removeAttribute("ssr")'],
] as const

describe.each(anyBrowser)('%s', (browser) => {
  let site: Site
  let peer: Peer
  let sessionId: string
  beforeAll(async () => {
    site = await serveSite({
      ...Object.fromEntries(
        frameworks.flatMap(([name, root, mark]) => [
          [`/${name}`, body(root, `/${name}.js`)],
          [`/${name}.js`, attach(mark)],
        ]),
      ),
      '/svelte': page(imports('/svelte.js')),
      '/svelte.js': attach("go[Symbol('events')] = {}"),
      '/unmarked': page(imports('/unmarked.js')),
      '/module': page(`${button}<script type="module" src="/now.js"></script>`),
      '/now.js': late(works, LONG_MS),
      '/imported': page(`<div id="root">${button}</div><script type="module">import('/now.js')</script>`),
      '/empty': page(`<div id="app">${button}</div><script src="/done.js"></script>`),
      '/done.js': (_, response) => void response.writeHead(200, { 'content-type': 'text/javascript' }).end(),
      '/unmarked.js': late(works),
      '/never': body(`<div id="__next">${button}</div>`, '/never.js'),
      '/never.js': () => {},
      '/plain': body(button, '/never.js'),
    })
    peer = await share(browser)
    sessionId = await peer.session()
  }, 120_000)
  afterAll(async () => {
    await peer.close()
    site.close()
  })
  const open = (path: string) =>
    peer.call('navigate', { sessionId, url: `${site.url}${path}`, waitUntil: 'commit' })
  const click = async (timeout: number) =>
    (await peer.call('click', { sessionId, selector: '#go', timeout })).data
  const text = async () =>
    (await peer.call('evaluate', { sessionId, script: 'document.querySelector("#go").textContent' })).data
      .result

  test.each(frameworks)(
    '%s: a click before the handlers are there waits for them',
    async (name) => {
      await open(`/${name}`)
      expect(await click(20_000)).toMatchObject({ success: true, message: 'Clicked.' })
      expect(await text()).toBe('works')
    },
    60_000,
  )
  test('a page whose modules have not run yet', async () => {
    await open('/module')
    expect(await click(20_000)).toMatchObject({ success: true, message: 'Clicked.' })
    expect(await text()).toBe('works')
  }, 300_000)
  test('a root that no framework takes is not waited for longer than its scripts need', async () => {
    await open('/empty')
    expect(await click(20_000)).toMatchObject({ success: true, message: 'Clicked.' })
  }, 300_000)
  test.each(['svelte', 'unmarked', 'imported'])(
    '%s: a page that is complete before its scripts are there',
    async (name) => {
      await peer.call('navigate', { sessionId, url: `${site.url}/${name}` })
      expect(await click(20_000)).toMatchObject({ success: true, message: 'Clicked.' })
      expect(await text()).toBe('works')
    },
    60_000,
  )
  test('scripts that never come are waited for in vain, and that is said', async () => {
    await open('/never')
    expect((await click(2000)).message).toContain('still loading its scripts')
  }, 300_000)
  test('a page without a framework is not waited for, and its missing scripts are reported', async () => {
    await open('/plain')
    expect(await click(20_000)).toMatchObject({
      success: true,
      message: 'Clicked.',
      notes: [`GET ${site.url}/never.js → no response yet`],
    })
  }, 300_000)
})
