// Pages that are left, reloaded or not reached; frames, shadow roots and dialogs.

import { button, click, family, link, type Page, save } from '../page.ts'

const clickSave = { action: click(button('Save')), asked: 'Saved' } as const
const between = (code: string): string => `<script>function between() { ${code} }</script>`
const documentOf = (body: string, more = ''): string => `document?body=${encodeURIComponent(body)}${more}`
const landing = (text: string, more = ''): string =>
  documentOf(`<h1>${text}</h1><script>addEventListener('load', () => did('${text}'))</script>`, more)

const left = family(
  'left between snapshot and click',
  {
    reloaded: `${save()}${between('location.reload()')}`,
    'reloaded in another order': `<div id="host">${save()}<button onclick="did('Deleted')">Delete</button></div><script>if (sessionStorage.again) host.prepend(host.lastChild); sessionStorage.again = 1; function between() { location.reload() }</script>`,
    'reloaded without it': `<div id="host">${save()}</div><script>if (sessionStorage.again) host.innerHTML = '<button>Load</button>'; sessionStorage.again = 1; function between() { location.reload() }</script>`,
    'another page with the same button': `${save()}${between(`location.href = ${JSON.stringify(documentOf(`<h1>Other</h1><button onclick="did('Saved the other')">Save</button>`))}`)}`,
    'another page with another button': `${save()}${between(`location.href = ${JSON.stringify(documentOf(`<button onclick="did('Deleted')">Delete</button>`))}`)}`,
    'another page at the same places': `<button>Keep</button>${save()}${between(`location.href = ${JSON.stringify(documentOf(`<button onclick="did('Left')">Leave</button><button onclick="did('Deleted')">Delete</button>`))}`)}`,
  },
  (body) => ({ ...clickSave, body, between: 'load' }),
)

const routed = family(
  'another view of one page',
  {
    'the same button of another item': `<div id="host"><h1>Item 1</h1><button onclick="did(host.firstElementChild.textContent + ' bought')">Buy</button></div>${between("history.pushState(0, '', '?2'); host.innerHTML = host.innerHTML.replace('Item 1', 'Item 2')")}`,
    'reused button of another item': `<div id="host"><h1>Item 1</h1><button onclick="did(host.firstElementChild.textContent + ' bought')">Buy</button></div>${between("history.pushState(0, '', '?2'); host.firstElementChild.textContent = 'Item 2'")}`,
    'the same item drawn anew': `<div id="host"><h1>Item 1</h1><button onclick="did(host.firstElementChild.textContent + ' bought')">Buy</button></div>${between('host.innerHTML = host.innerHTML')}`,
    gone: `<div id="host"><h1>Item 1</h1><button onclick="did(host.firstElementChild.textContent + ' bought')">Buy</button></div>${between("history.pushState(0, '', '?2'); host.innerHTML = '<h1>Sold out</h1>'")}`,
  },
  (body) => ({ body, action: click(button('Buy')), asked: 'Item 1 bought', between: 'run' }),
)

const links = family(
  'link that leads',
  {
    'to its page': landing('Two parcels'),
    'to a slow page': landing('Two parcels', '&ms=1200'),
    'by a redirect': `moved?to=${encodeURIComponent(landing('Two parcels'))}`,
    'to a log-in': `moved?to=${encodeURIComponent(documentOf('<h1>Log in</h1>'))}`,
    'to a 404': documentOf('<h1>Not found</h1>', '&status=404'),
    'to a page that leads back': documentOf('<script>location.replace("./")</script>'),
  },
  (url) => ({
    body: `<a href="${url.replaceAll('"', '&quot;')}">Orders</a>`,
    action: click(link('Orders')),
    asked: 'Two parcels',
    settleMs: 1500,
  }),
)

const windows = family(
  'window that opens',
  {
    'by a link': `<a href="${landing('Two parcels')}" target="_blank" rel="opener">Orders</a>`,
    'by a script': `<a href="#" onclick="window.open('${landing('Two parcels').replaceAll("'", '%27')}')">Orders</a>`,
    'and closes itself': `<a href="${documentOf('<script>close()</script>')}" target="_blank" rel="opener">Orders</a>`,
  },
  (body) => ({ body, action: click(link('Orders')), asked: 'Two parcels', settleMs: 800 }),
)

const frame = (body: string, attributes = ''): string =>
  `<iframe id="frame" src="${documentOf(body)}" ${attributes}></iframe>`
const frames = family(
  'button in a frame',
  {
    'as it was': [frame(save()), ''],
    reloaded: [frame(save()), 'frame.contentWindow.location.reload()'],
    'replaced by an equal frame': [frame(save()), 'frame.replaceWith(frame.cloneNode())'],
    'leads to another document': [
      frame(save()),
      `frame.src = ${JSON.stringify(documentOf(`<button onclick="did('Deleted')">Delete</button>`))}`,
    ],
    covered: [
      `${frame(save())}<div id="veil" hidden style="position: fixed; inset: 0"></div>`,
      'veil.hidden = false',
    ],
    'without scripts': [frame(save(), 'sandbox=""'), ''],
    'in a frame': [frame(`<iframe src="${documentOf(save()).replaceAll("'", '%27')}"></iframe>`), ''],
  } satisfies Record<string, readonly [string, string]>,
  ([body, code]) => ({
    ...clickSave,
    body: body + `<script>async function between() { ${code} }</script>`,
    between: 'run',
    settleMs: 300,
  }),
)

const host = (mode: string, html: string): string =>
  `<div id="host"></div><script>const root = host.attachShadow({ mode: '${mode}' }); root.innerHTML = ${JSON.stringify(html).replaceAll('</', '<\\/')}</script>`
const shadows = family(
  'button in a shadow root',
  {
    open: [host('open', save()), ''],
    closed: [host('closed', save()), ''],
    'drawn anew': [host('open', save()), 'root.innerHTML = root.innerHTML'],
    'lost on the press': [
      host('open', `<div onmousedown="this.innerHTML = this.innerHTML">${save()}</div>`),
      '',
    ],
    'covered in the root': [
      host('open', `${save()}<div id="veil" hidden style="position: fixed; inset: 0"></div>`),
      "root.getElementById('veil').hidden = false",
    ],
  } satisfies Record<string, readonly [string, string]>,
  ([body, code]) => ({ ...clickSave, body: body + between(code), between: 'run' }),
)

const dialogs = family(
  'dialog of the browser',
  {
    confirm: save(`onclick="if (confirm('Sure?')) did('Saved')"`),
    'confirm after a moment': save(`onclick="setTimeout(() => confirm('Sure?') && did('Saved'), 100)"`),
    alert: save(`onclick="alert('Wait'); did('Saved')"`),
    'in the page': `${save('onclick="box.showModal()"')}<dialog id="box">Sure? <button onclick="did('Saved')">Yes</button></dialog>`,
    'before the page is left': `${save(`onclick="location.href = 'document'"`)}<script>addEventListener('beforeunload', (e) => e.preventDefault())</script>`,
  },
  (body) => ({ ...clickSave, body, settleMs: 300 }),
)

const answers = family(
  'dialog that is accepted',
  {
    'and acts': save(`onclick="if (confirm('Sure?')) did('Saved')"`),
    'and asks again': save(`onclick="if (confirm('Sure?') && confirm('Really?')) did('Saved')"`),
    'and is refused by the server': save(
      `onclick="if (confirm('Sure?')) fetch('answer?status=500').then((r) => r.ok && did('Saved'))"`,
    ),
  },
  (body) => ({
    body,
    first: click(button('Save')),
    action: { kind: 'accept' },
    asked: 'Saved',
    settleMs: 300,
  }),
)

const addresses = family(
  'address that is opened',
  {
    'its page': landing('Two parcels'),
    'a log-in instead': `moved?to=${encodeURIComponent(documentOf('<h1>Log in</h1>'))}`,
    'a 404': documentOf('<h1>Not found</h1>', '&status=404'),
    'left by a script': documentOf('<script>location.replace("./document")</script>'),
    'an answer without content': 'answer?status=204',
  },
  (path) => ({
    body: '<h1>Start</h1>',
    action: { kind: 'navigate', path },
    asked: 'Two parcels',
    settleMs: 300,
  }),
)

const hydrated = family(
  'handlers that come late',
  {
    'with a slow script': `${save('')}<script type="module">await 0; const s = document.createElement('script'); s.src = 'code?ms=500&text=' + encodeURIComponent("save.onclick = () => did('Saved')"); document.body.append(s)</script>`,
    'with a copy of the button': `<div id="root">${save('')}</div><script>onload = () => { const s = document.createElement('script'); s.src = 'code?ms=400&text=' + encodeURIComponent("root.innerHTML = root.innerHTML; save.onclick = () => did('Saved')"); document.body.append(s) }</script>`,
    never: `${save('')}<script src="nothing.js"></script>`,
  },
  (body) => ({ ...clickSave, body, settleMs: 300 }),
)

export const documentPages: readonly Page[] = [
  left,
  routed,
  links,
  windows,
  frames,
  shadows,
  dialogs,
  answers,
  addresses,
  hydrated,
].flat()
