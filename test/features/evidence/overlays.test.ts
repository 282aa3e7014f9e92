// The error overlays of dev servers, with the markup that their packages make: a failure on such a page tells the error they show.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import process from 'node:process'
import { type Peer, share } from '../../support/client.ts'
import { anyBrowser } from '../../support/engines.ts'
import { page, serveSite, type Site } from '../../support/site.ts'

const shadow = (name: string, markup: string) => `<button id="save">Save</button><script>
customElements.define('${name}', class extends HTMLElement {
  constructor() { super(); this.attachShadow({ mode: 'open' }).innerHTML = ${JSON.stringify(markup)} }
})
document.body.appendChild(document.createElement('${name}'))
</script>`

const cover =
  '<style>:host { position: fixed; inset: 0; z-index: 99999 } .cover { position: fixed; inset: 0 }</style>'

// vite 8.3.8, dist/client/client.mjs
const vite = `<div class="backdrop cover" part="backdrop"><div class="window"><pre class="message"><span class="plugin">[plugin:vite:react-babel] </span><span class="message-body">/app/src/App.jsx: Unexpected token (4:9)</span></pre><pre class="file"><a class="file-link">/app/src/App.jsx:4:9</a></pre><pre class="frame">4 | const = 1</pre><pre class="stack">    at toParseError (file:///app/node_modules/parser.js:1:1)</pre></div></div>${cover}`

// next 16.4.6, dist/compiled/next-devtools: the portal is on every page, the dialog only with an error
const next = (dialog: string) =>
  `<div data-nextjs-toast="true"><button id="next-logo">N</button></div>${dialog}`
const nextDialog = `<div class="cover" data-nextjs-dialog-overlay="true"><div role="dialog" data-nextjs-dialog="true"><div data-nextjs-dialog-header="true"><span id="nextjs__container_errors_label">Build Error</span></div><div class="nextjs__container_errors_wrapper"><div id="nextjs__container_errors_desc" class="nextjs__container_errors_desc">Module not found: Can't resolve './cart'</div></div><div data-nextjs-terminal="true"><div class="code-frame-header">./app/page.js (3:1)</div><pre>> 3 | import cart from './cart'</pre></div></div></div>${cover}`

// webpack-dev-server 5.2.7, client/overlay.js: a frame without a document of its own
const webpack = `<button id="save">Save</button><script>
const frame = document.createElement('iframe')
frame.id = 'webpack-dev-server-client-overlay'
frame.src = 'about:blank'
Object.assign(frame.style, { position: 'fixed', inset: 0, width: '100vw', height: '100vh', border: 'none', zIndex: 9999999999 })
frame.onload = () => {
  const content = frame.contentDocument.createElement('div')
  content.id = 'webpack-dev-server-client-overlay-div'
  content.innerHTML = '<div>Compiled with problems:</div><button>×</button><div><div><div>ERROR in ./src/index.js 2:0-24</div><div>Module not found: Error: Can\\'t resolve \\'./cart\\' in \\'/app/src\\'</div></div></div>'
  frame.contentDocument.body.appendChild(content)
}
document.body.appendChild(frame)
</script>`

const overlays = [
  {
    path: '/vite',
    body: shadow('vite-error-overlay', vite),
    overlay: {
      name: 'vite-error-overlay',
      message: '[plugin:vite:react-babel] /app/src/App.jsx: Unexpected token (4:9)',
      file: '/app/src/App.jsx:4:9',
    },
  },
  {
    path: '/next',
    body: shadow('nextjs-portal', next(nextDialog)),
    overlay: {
      name: 'nextjs-portal',
      message: "Module not found: Can't resolve './cart'",
      file: './app/page.js (3:1',
    },
  },
  {
    path: '/webpack',
    body: webpack,
    overlay: {
      name: 'webpack-dev-server-client-overlay',
      message: "ERROR in ./src/index.js 2:0-24 Module not found: Error: Can't resolve './cart' in '/app/src'",
      file: './src/index.js 2:0',
    },
  },
]

describe.each(anyBrowser)('%s', (browser) => {
  let site: Site
  let peer: Peer
  let sessionId: string
  beforeAll(async () => {
    site = await serveSite({
      ...Object.fromEntries(overlays.map(({ path, body }) => [path, page(body)])),
      '/idle': page(shadow('nextjs-portal', next(''))),
    })
    peer = await share(browser)
    sessionId = await peer.session()
  }, 120_000)
  afterAll(async () => {
    await peer.close()
    site.close()
  })

  test.each(overlays)(
    '$path: a covered and a missing element have its error as their cause',
    async ({ path, overlay }) => {
      await peer.call('navigate', { sessionId, url: `${site.url}${path}` })
      const covered = (await peer.call('click', { sessionId, selector: '#save', timeout: 3000 })).data
      const missing = (await peer.call('click', { sessionId, selector: '#none', timeout: 3000 })).data
      expect([covered.errorCode, missing.errorCode]).toEqual(['ELEMENT_NOT_CLICKABLE', 'ELEMENT_NOT_FOUND'])
      for (const { message, details } of [covered, missing]) {
        expect(details.overlay.name).toBe(overlay.name)
        expect(details.overlay.message).toContain(overlay.message)
        expect(details.overlay.file).toContain(overlay.file)
        expect(message).toContain(overlay.message)
        expect(message).toContain(overlay.file)
        // Any page may show such words.
        expect(message).toMatch(/^(#save was found but is covered|No element matched #none) /)
        expect(message).not.toContain('Fix that first.')
      }
    },
    60_000,
  )

  test('on a page of the own dev server it is what to fix first', async () => {
    const [{ body }] = overlays as [(typeof overlays)[number]]
    const program = `require('http').createServer((_, response) => response.setHeader('content-type', 'text/html').end(${JSON.stringify(page(body))})).listen(process.env.PORT, '127.0.0.1', function () { console.log('ready on http://127.0.0.1:' + this.address().port + '/') })`
    const own = await peer.session({ command: [process.execPath, '-e', program] })
    await peer.call('navigate', { sessionId: own, url: '/' })
    const { data } = await peer.call('click', { sessionId: own, selector: '#none', timeout: 3000 })
    expect(data.message).toMatch(
      /^The page shows an error overlay \(vite-error-overlay\): ".*"\. Fix that first\. #none is missing\./,
    )
    await peer.call('navigate', { sessionId: own, url: `${site.url}/vite` })
    const other = await peer.call('click', { sessionId: own, selector: '#none', timeout: 3000 })
    expect(other.data.details.overlay.message).toBe(data.details.overlay.message)
    expect(other.data.message).not.toContain('Fix that first.')
  }, 120_000)

  test("Next's portal without a dialog is no error", async () => {
    await peer.call('navigate', { sessionId, url: `${site.url}/idle` })
    const { data } = await peer.call('click', { sessionId, selector: '#none', timeout: 1000 })
    expect(data).toMatchObject({ errorCode: 'ELEMENT_NOT_FOUND' })
    expect(data.details.overlay).toBeUndefined()
  }, 300_000)
})
