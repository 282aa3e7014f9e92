// The pages of the steps: those of real packages by their scripts, the others written by hand as applications write them.

import { page, serveSite, type Route, type Site } from '../../support/site.ts'
import type { Bundles } from './packages.ts'

/** Milliseconds that the script of a page which a server rendered is on its way, and that an interface answers after. */
const SCRIPT_MS = 2000
const INTERFACE_MS = 350

const people = ['Ada Lovelace', 'Grace Hopper', 'Alan Turing', 'Edsger Dijkstra', 'Barbara Liskov'].flatMap(
  (name) => [name, `${name} Jr`, `${name} Sr`, `${name} II`],
)
const state = (text: string) => `<output id="state">${text}</output>`
const tell = (text: string) => `document.querySelector('#state').textContent = ${text}`

const consent = page(
  `<button onclick="${tell("'Paid'")}">Pay now</button>${state('Open')}
  <div id="backdrop" style="position:fixed;inset:0;background:#0008"><div role="dialog" aria-label="Cookie consent" style="background:white;margin:100px">
  <p>We use cookies</p><button onclick="backdrop.remove()">Accept cookies</button></div></div>`,
)
const details = page(
  ['Invoice 1', 'Invoice 2', 'Invoice 3']
    .map(
      (name) =>
        `<details><summary>${name}</summary><p>Total of ${name}</p><button onclick="${tell(`'Removed ${name}'`)}">Remove</button></details>`,
    )
    .join('') + state('Nothing removed'),
)
const row = (tag: string, cell: string) => (name: string) =>
  `<${tag}><${cell}>${name}</${cell}><${cell}>${name.toLowerCase().replaceAll(' ', '.')}@example.org</${cell}>
  <${cell}><button onclick="${tell(`'Deleted ${name}'`)}">Delete</button></${cell}></${tag}>`
const table = page(
  `<table><thead><tr><th>Name<th>Mail<th></thead><tbody>${people.map(row('tr', 'td')).join('')}</tbody></table>${state('Nothing')}`,
)
const cards = page(`<main>${people.map(row('div', 'span')).join('')}</main>${state('Nothing')}`)
const html5 = page(
  `<ul><li id="card" draggable="true" style="width:9em">Write report</li></ul><div id="done" role="region" aria-label="Done" style="width:200px;height:100px;border:1px solid">Done</div>${state('Report is in Todo')}
  <script>card.ondragstart = (event) => event.dataTransfer.setData('text/plain', 'report')
  done.ondragover = (event) => event.preventDefault()
  done.ondrop = (event) => { event.preventDefault(); done.append(card); ${tell("event.dataTransfer.getData('text/plain') + ' is in Done'")} }</script>`,
)
const fields = page(
  `<form><label>Day <input type="date" name="day"></label><label>Seats <input type="number" name="seats" min="1" max="9"></label></form>
  <div id="note" contenteditable role="textbox" aria-label="Note" style="border:1px solid"><p>Old note</p></div>`,
)
const opener = page(`<a href="/report" target="_blank">Open report</a>`)
const upload = page(
  `<input id="file" type="file" hidden><button onclick="file.click()">Upload avatar</button>${state('No file')}
  <script>file.onchange = async () => { ${tell("file.files[0].name + ': ' + (await file.files[0].text())")} }</script>`,
)
const form = page(
  `<form onsubmit="event.preventDefault(); ${tell("'Thanks ' + name_.value")}"><label>Your name <input id="name_"></label><button>Subscribe</button></form>${state('Nobody')}`,
)
const confirmed = page(
  `<button onclick="if (confirm('Delete the project?')) ${tell("'Deleted'")}">Delete project</button>${state('Kept')}`,
)
const draft = page(
  `<label>Draft <input id="draft"></label><script>onbeforeunload = (event) => { if (draft.value) event.preventDefault() }</script>`,
)
const orderForm = page(
  `<form><label>Volume <input type="range" name="volume" value="10"></label><label><input type="radio" name="way" value="normal" checked> Normal</label>
  <label><input type="radio" name="way" value="express"> Express</label><label><input type="checkbox" name="gift"> Gift</label>
  <label>Country <select name="country"><option value="SE">Sweden</option><option value="NO">Norway</option></select></label></form>${state('Nothing')}
  <script>const form = document.forms[0]; form.oninput = () => { ${tell("[form.volume.value, form.way.value, form.gift.checked, form.country.value].join(' ')")} }</script>`,
)
const dropzone = page(
  `<div id="zone" role="region" aria-label="Drop files here" style="width:300px;height:100px;border:1px dashed">Drop files here</div>${state('No file')}
  <script>zone.ondragover = (event) => event.preventDefault()
  zone.ondrop = async (event) => { event.preventDefault(); const [file] = event.dataTransfer.files; ${tell("file.name + ': ' + (await file.text())")} }</script>`,
)
const menu = page(
  `<style>nav ul { display: none } nav:hover ul { display: block }</style><nav><button>Products</button><ul><li><button onclick="${tell("'Prices'")}">Prices</button></li></ul></nav>${state('Nothing')}`,
)
const login = page(
  `<form onsubmit="event.preventDefault(); fetch('/api/save').then(() => (location.href = '/welcome'))"><label>User <input></label><button>Log in</button></form>`,
)
const popup = page(
  `<button onclick="window.open('/popup', 'login', 'width=300,height=300')">Log in with Example</button>${state('Nobody')}<script>onmessage = ({ data }) => { ${tell("'Hello ' + data")} }</script>`,
)
const long = page(
  `<table><tbody>${Array.from({ length: 400 }, (_, index) => row('tr', 'td')(`Person ${index}`)).join('')}</tbody></table>${state('Nothing')}`,
)
const catalogue = page(
  `<main>${Array.from({ length: 200 }, (_, index) => row('div', 'span')(`Person ${index}`)).join('')}</main>${state('Nothing')}`,
)
const late = page(
  `<button onclick="setTimeout(() => { ${tell("'Imported 12 rows'")} }, 2500)">Import</button>${state('Nothing')}`,
)
const narrow = page(
  `<style>#menu { display: none } @media (max-width: 500px) { #menu { display: block } }</style><button id="menu" onclick="${tell("'Menu'")}">Open menu</button>${state('Nothing')}`,
)
const component = page(
  `<my-box></my-box>${state('Nothing')}<script>customElements.define('my-box', class extends HTMLElement { connectedCallback() { this.attachShadow({ mode: 'open' }).innerHTML = '<button>Inside</button>'; this.shadowRoot.querySelector('button').onclick = () => { ${tell("'Clicked inside'")} } } })</script>`,
)
const rendered = ({ html }: Bundles) =>
  page(
    `<div id="root">${html}</div><script type="module">import('/hydrate.js').catch(console.error)</script>`,
  )
const client = (script: string) => page(`<div id="root" style="height:200px"></div>${script}`)

const written: Readonly<Record<string, string>> = {
  '/consent': consent,
  '/details': details,
  '/table': table,
  '/cards': cards,
  '/html5': html5,
  '/fields': fields,
  '/opener': opener,
  '/report': page('<h1>Report</h1><p>Quarter total: 42</p>', 'Report'),
  '/upload': upload,
  '/form': form,
  '/frame': page('<h1>News</h1><iframe title="Newsletter" src="/form"></iframe>'),
  '/confirm': confirmed,
  '/draft': draft,
  '/elsewhere': page('<h1>Elsewhere</h1>', 'Elsewhere'),
  '/order-form': orderForm,
  '/dropzone': dropzone,
  '/menu': menu,
  '/login': login,
  '/welcome': page('<h1>Welcome back</h1>', 'Welcome'),
  '/popup': page(
    '<button onclick="window.opener.postMessage(`Ada`); window.close()">Allow</button>',
    'Allow',
  ),
  '/popup-opener': popup,
  '/long': long,
  '/component': component,
  '/catalogue': catalogue,
  '/late': late,
  '/narrow': narrow,
  '/greeting': page(`<h1>Greeting</h1><script>alert('Welcome to the sale')</script>`),
  '/download': page('<a href="/report.csv" download>Export report</a>'),
  '/slow': page(
    `<button onclick="fetch('/api/save').then(() => { ${tell("'Saved'")} })">Save</button>${state('Unsaved')}`,
  ),
}

const answers = (status: number, body: unknown): Route => {
  return (_, response) =>
    void setTimeout(() => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
    }, INTERFACE_MS)
}

export interface Pages {
  readonly url: string
  /** Another origin. */
  readonly other: string
  close(): void
}

export async function servePages(bundles: Bundles): Promise<Pages> {
  const file =
    (path: string, ms = 0): Route =>
    async (_, response) => {
      const blob = bundles.files[path]
      const body = new Uint8Array((await blob?.arrayBuffer()) ?? [])
      const type = path.endsWith('.css') ? 'text/css' : 'text/javascript'
      setTimeout(() => response.writeHead(200, { 'content-type': type }).end(body), ms)
    }
  const widgets = [
    '/mui-select',
    '/radix-select',
    '/cart',
    '/modal',
    '/search',
    '/board-delay',
    '/board-distance',
    '/order',
  ].map((path) => [path, client('<script type="module" src="/widgets.js"></script>')])
  const editors = ['/monaco', '/codemirror'].map((path) => [
    path,
    client('<link rel="stylesheet" href="/editors.css"><script type="module" src="/editors.js"></script>'),
  ])
  const other: Site = await serveSite({ '/form': form })
  const own: Site = await serveSite({
    ...written,
    ...Object.fromEntries([...widgets, ...editors]),
    ...Object.fromEntries(Object.keys(bundles.files).map((path) => [path, file(path)])),
    '/hydrate.js': file('/hydrate.js', SCRIPT_MS),
    '/rendered': rendered(bundles),
    '/other-frame': page(`<h1>News</h1><iframe title="Newsletter" src="${other.url}/form"></iframe>`),
    '/api/orders/7': answers(500, { error: 'no such column: discount' }),
    '/api/save': answers(200, {}),
    '/report.csv': (_, response) =>
      response.writeHead(200, { 'content-type': 'text/csv', 'content-disposition': 'attachment' }).end('a,b'),
    '/cities': answers(200, ['Berlin', 'Bern']),
    '/favicon.ico': (_, response) => response.writeHead(204).end(),
  })
  return {
    url: own.url,
    other: other.url,
    close() {
      own.close()
      other.close()
    },
  }
}
