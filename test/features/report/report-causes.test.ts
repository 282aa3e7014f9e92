// A person finds the cause of a failure in a report: of applications that fail as applications do, driven as an agent drives them, the
// cause is in text that is visible when the file is opened, without a click.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type BrowserPages, openPages } from '../../support/checks.ts'
import { callOrThrow, connect, type Peer } from '../../support/client.ts'
import { readVisibleText, unfoldAll } from '../../support/visible-text.ts'

/** `cause` is what a person looks for who has to mend it, whatever words the report has around it: above the timeline, but for what only
 * the timeline can tell. */
interface Seed {
  readonly files: Readonly<Record<string, string>>
  readonly steps: readonly (readonly [tool: string, input: Record<string, unknown>])[]
  readonly cause: readonly (string | RegExp)[]
  readonly inTimeline?: RegExp
}

// The files of the application, before them what its routes answer.
const SERVER = `
import { createServer } from 'node:http'
import { readFileSync } from 'node:fs'
import { routes } from './routes.mjs'
createServer((request, response) => {
  const path = request.url.split('?')[0]
  try {
    const route = routes[path]
    if (route) return route(request, response)
    const name = path === '/' ? 'index.html' : path.slice(1)
    const type = { html: 'text/html', js: 'text/javascript' }[name.split('.').at(-1)] ?? 'text/plain'
    response.setHeader('content-type', type)
    response.end(readFileSync(new URL(name, import.meta.url)))
  } catch (error) {
    if (error.code !== 'ENOENT') console.error(error.stack)
    response.writeHead(error.code === 'ENOENT' ? 404 : 500, { 'content-type': 'text/html' })
    response.end(error.code === 'ENOENT' ? 'Not found' : 'Internal Server Error')
  }
}).listen(process.env.PORT, () => console.log('ready'))
`
const NO_ROUTES = 'export const routes = {}'
const page = (body: string) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Shop</title><body>${body}`

const seeds: Readonly<Record<string, Seed>> = {
  'an endpoint throws': {
    files: {
      'index.html': page(
        `<h1>Shop</h1><button onclick="fetch('/api/order', { method: 'POST' }).then((answer) => answer.ok && this.after('Thank you'))">Order</button>`,
      ),
      'routes.mjs': `
const prices = {}
const total = (items) => items.reduce((sum, item) => sum + prices[item].cents, 0)
export const routes = { '/api/order': (_, response) => response.end(String(total(['pear']))) }`,
    },
    steps: [
      ['click', { selector: 'button' }],
      ['wait_for', { text: 'Thank you', timeout: 2000 }],
    ],
    cause: [
      /POST \S+\/api\/order\b.*500/,
      "Cannot read properties of undefined (reading 'cents')",
      /routes\.mjs:3\b/,
    ],
  },
  'a service does not run': {
    files: {
      'index.html': page(`<h1>Stock</h1><p id="stock">Loading…</p><script src="/app.js"></script>`),
      'app.js': `fetch('http://127.0.0.1:9/stock').then((answer) => answer.json()).then((list) => (stock.textContent = list.join()))`,
      'routes.mjs': NO_ROUTES,
    },
    steps: [['wait_for', { selector: '#stock', is: 'visible', text: 'pears', timeout: 2000 }]],
    cause: [/http:\/\/127\.0\.0\.1:9\/stock.*(REFUSED|refused|UNSAFE_PORT)/],
  },
  'a handler throws': {
    files: {
      'index.html': page('<button id="total">Total</button><script src="/app.js"></script>'),
      'app.js': `
const cart = { items: null }
document.querySelector('#total').addEventListener('click', () => {
  document.title = cart.items.length + ' items'
})`,
      'routes.mjs': NO_ROUTES,
    },
    // The agent does not see it: no call fails.
    steps: [['click', { selector: '#total' }]],
    cause: ["Cannot read properties of null (reading 'length')", /app\.js:4\b/],
  },
  'a selector of the version before': {
    files: {
      'index.html': page(
        '<form><input name="mail" aria-label="Mail"><button type="button" id="checkout-button">Check out</button></form>',
      ),
      'routes.mjs': NO_ROUTES,
    },
    steps: [['click', { selector: '#chekout-button', timeout: 1500 }]],
    cause: ['No element matched #chekout-button', 'button "Check out"'],
  },
  'a banner covers the button': {
    files: {
      'index.html': page(
        `<div style="height:150vh"></div><button id="pay">Pay</button><div id="cookie-banner" style="position:fixed;inset:0;background:#fffc">We use cookies</div>`,
      ),
      'routes.mjs': NO_ROUTES,
    },
    steps: [['click', { selector: '#pay', timeout: 1500 }]],
    cause: [/cover/, /cookie-banner/],
  },
  'a button is disabled until the terms are accepted': {
    files: {
      'index.html': page(
        `<label><input type="checkbox" onchange="send.disabled = !this.checked"> I accept the terms</label><button id="send" disabled>Send</button>`,
      ),
      'routes.mjs': NO_ROUTES,
    },
    steps: [['click', { selector: '#send', timeout: 1500 }]],
    cause: [/#send.*disabled/],
  },
  'the server dies': {
    files: {
      'index.html': page(`<button onclick="fetch('/api/report').catch(() => {})">Report</button>`),
      'routes.mjs': `
import { connect } from 'node:net'
export const routes = { '/api/report': () => connect(9, '127.0.0.1') }`,
    },
    steps: [
      ['click', { selector: 'button' }],
      ['wait_for', { text: 'Report of today', timeout: 2000 }],
    ],
    cause: ['connect ECONNREFUSED 127.0.0.1:9', /exit(ed)?\b.*\b1\b/],
  },
  'an export is missing': {
    files: {
      'index.html': page('<div id="root"></div><script type="module" src="/main.js"></script>'),
      'main.js': `import { mount } from './view.js'\nmount(document.querySelector('#root'))`,
      'view.js': `export const render = (root) => (root.textContent = 'Cart')`,
      'routes.mjs': NO_ROUTES,
    },
    steps: [['wait_for', { text: 'Cart', timeout: 2000 }]],
    cause: [/view\.js' does not provide an export named 'mount'/, /main\.js:1\b/],
  },
  'an imported file is not there': {
    files: {
      'index.html': page('<div id="root"></div><script type="module" src="/main.js"></script>'),
      'main.js': `import './Cart.js'\ndocument.querySelector('#root').textContent = 'Cart'`,
      'cart.js': '',
      'routes.mjs': NO_ROUTES,
    },
    steps: [['click', { selector: '#root button', timeout: 1500 }]],
    cause: [/\/Cart\.js.*404/],
  },
  'a blocked host': {
    files: {
      'index.html': page(
        `<h1>Map</h1><script src="https://cdn.maps.example/map.js"></script><script>draw('#map')</script>`,
      ),
      'routes.mjs': NO_ROUTES,
    },
    steps: [['wait_for', { selector: '#map canvas', timeout: 2000 }]],
    cause: [/cdn\.maps\.example\/map\.js/, 'draw is not defined', /not allowed|blocked|denied/i],
  },
  'two pages redirect to each other': {
    files: {
      'index.html': page('<a href="/account">Account</a>'),
      'routes.mjs': `
const to = (location) => (_, response) => response.writeHead(302, { location }).end()
export const routes = { '/account': to('/login?next=/account'), '/login': to('/account') }`,
    },
    steps: [['navigate', { url: '/account' }]],
    cause: [/TOO_MANY_REDIRECTS/, /\/login\?next=\/account/],
  },
  'another origin is not allowed to read': {
    files: {
      'index.html': page('<h1>Prices</h1><script src="/app.js"></script>'),
      'app.js': `fetch(location.origin.replace('localhost', '127.0.0.1') + '/api/prices').then((answer) => answer.json()).then(() => document.body.append('12 prices'))`,
      'routes.mjs': `export const routes = { '/api/prices': (_, response) => response.end('[]') }`,
    },
    steps: [['wait_for', { text: '12 prices', timeout: 2000 }]],
    cause: [/\/api\/prices.*blocked by CORS policy/s, /Access-Control-Allow-Origin/],
  },
  'HTML where JSON is expected': {
    files: {
      'index.html': page('<h1>Orders</h1><script src="/app.js"></script>'),
      'app.js': `
fetch('/api/orders')
  .then((answer) => answer.json())
  .then((orders) => document.body.append(orders.length + ' orders'))`,
      'routes.mjs': `export const routes = { '/api/orders': (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Log in</title>') }`,
    },
    steps: [['wait_for', { text: '3 orders', timeout: 2000 }]],
    cause: [/Unexpected token '<', "<!doctype.*not valid JSON/],
    inTimeline: /GET \/api\/orders/,
  },
  'an answer that does not come': {
    files: {
      'index.html': page(
        '<h1>Report</h1><script>fetch("/api/slow").then(() => document.body.append("Done"))</script>',
      ),
      'routes.mjs': `export const routes = { '/api/slow': () => {} }`,
    },
    steps: [['wait_for', { text: 'Done', timeout: 2000 }]],
    cause: ['waiting for the text "Done"'],
    inTimeline: /GET \/api\/slow.*pending/,
  },
  'a login that has expired': {
    files: {
      'index.html': page(
        '<h1>Inbox</h1><script>fetch("/api/inbox").then((answer) => answer.ok && document.body.append("1 message"))</script>',
      ),
      'routes.mjs': `export const routes = { '/api/inbox': (_, response) => response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":"session has expired"}') }`,
    },
    steps: [['wait_for', { text: '1 message', timeout: 2000 }]],
    cause: [/\/api\/inbox.*401/, 'session has expired'],
  },
}

let folder: string
let peer: Peer
let browsers: BrowserPages
beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'fl-causes-')))
  const args = [
    '--headless',
    '--report',
    'on',
    '--output-dir',
    join(folder, 'out'),
    '--allowed-hosts',
    'localhost,127.0.0.1',
  ]
  peer = await connect({ args })
  browsers = await openPages('chromium', 1)
}, 300_000)
afterAll(async () => {
  await browsers.close()
  await peer.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Does what an agent does with the application, and returns the path of the report. */
async function reportOf(name: string, { files, steps }: Seed): Promise<string> {
  const cwd = join(folder, name.replaceAll(' ', '-'))
  for (const [path, text] of Object.entries({ ...files, 'server.mjs': SERVER })) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true })
    writeFileSync(join(cwd, path), text)
  }
  const { sessionId } = await callOrThrow(peer, 'create_session', { command: ['node', 'server.mjs'], cwd })
  await callOrThrow(peer, 'navigate', { sessionId, url: '/' })
  await callOrThrow(peer, 'snapshot', { sessionId })
  for (const [tool, input] of steps) await peer.call(tool, { sessionId, ...input })
  const { message } = await callOrThrow(peer, 'close_session', { sessionId })
  return /Its report is (.+\.html)\./.exec(message)?.[1] ?? ''
}

test.each(Object.entries(seeds))(
  '%s',
  async (name, seed) => {
    const path = await reportOf(name, seed)
    const [reader] = browsers.pages
    if (!reader) throw new Error('no page')
    await reader.goto(pathToFileURL(path).href)
    const top = await reader.evaluate(readVisibleText)
    await reader.evaluate(unfoldAll)
    const [, timeline = ''] = (await reader.evaluate(readVisibleText)).split('\n Timeline\n')
    const missing = seed.cause.filter((one) =>
      typeof one === 'string' ? !top.includes(one) : !one.test(top),
    )
    expect(missing).toEqual([])
    expect(timeline).toMatch(seed.inTimeline ?? /Opened/)
  },
  120_000,
)
