// Clicks that reach nothing, something else, or more than once.

import { button, click, family, link, type Page, save } from '../page.ts'

const clickSave = { action: click(button('Save')), asked: 'Saved' } as const
const script = (code: string): string => `<script>${code}</script>`
const between = (code: string): string => script(`function between() { ${code} }`)
const veil = (attributes = ''): string =>
  `<div id="veil" ${attributes} style="position: fixed; inset: 0; background: #0002"></div>`
const field = (attributes: string): string => `<input id="name" aria-label="Name" ${attributes} autofocus>`
const redraw = 'host.innerHTML = host.innerHTML'

const redrawn = family(
  'redrawn before the click',
  {
    'same markup': redraw,
    'other label': "save.outerHTML = save.outerHTML.replace('Save<', 'Keep<').replace('Saved', 'Kept')",
    removed: 'save.remove()',
    'over and over': `setInterval(() => { ${redraw} }, 100)`,
    'whole body': 'document.body.innerHTML = document.body.innerHTML',
  },
  (code) => ({ ...clickSave, body: `<div id="host">${save()}</div>${between(code)}`, between: 'run' }),
)

const underMouse = family(
  'changes under the mouse',
  {
    'redrawn once': `host.onmouseenter = () => { host.onmouseenter = null; ${redraw} }`,
    'redrawn at each move': `host.onmousemove = () => { ${redraw} }`,
    'runs away':
      "host.onmouseenter = () => { host.style.marginLeft = (host.offsetLeft > 200 ? 0 : 400) + 'px' }",
    disabled: 'host.onmouseenter = () => { save.disabled = true }',
    'swapped with its neighbour':
      "host.onmouseenter = () => { host.onmouseenter = null; const b = document.createElement('button'); b.textContent = 'Delete'; b.onclick = () => did('Deleted'); b.style.width = '200px'; host.prepend(b) }",
  },
  (code) => ({ ...clickSave, body: `<div id="host" style="width: 300px">${save()}</div>${script(code)}` }),
)

const lost = family(
  'lost between press and release',
  {
    'moved by a message': `${field('onblur="note.hidden = false"')}<p id="note" hidden style="height: 80px">Required</p>${save()}`,
    'replaced on press': `<div id="host" onmousedown="${redraw}">${save()}</div>`,
    'other icon':
      '<button id="save" onmousedown="this.innerHTML = \'<i>Save</i>\'" onclick="did(\'Saved\')"><b>Save</b></button>',
    disabled: `${field('onblur="save.disabled = true"')}${save()}`,
    'covered on press': `${save(`onmousedown="veil.hidden = false" onclick="did('Saved')"`)}${veil('hidden')}`,
    'removed on press': `<div>${save(`onpointerdown="this.remove()" onclick="did('Saved')"`)}</div>`,
    'scrolled on press': `${save(`onpointerdown="scrollBy(0, 300)" onclick="did('Saved')"`)}<p style="height: 3000px">Long</p>`,
  },
  (body) => ({
    ...clickSave,
    body: body + script("document.querySelector('[autofocus]')?.focus()"),
  }),
)

const pressed = family(
  'acts on the press',
  {
    'and goes': `<div>${save(`onmousedown="did('Saved'); this.remove()"`)}</div>`,
    'and covers itself': `${save(`onpointerdown="did('Saved'); veil.hidden = false"`)}${veil('hidden')}`,
    'and stops the click': save(`onmousedown="event.preventDefault(); did('Saved')"`),
  },
  (body) => ({ ...clickSave, body }),
)

const overlays = family(
  'overlay that comes late',
  {
    stays: [`${save()}${veil('hidden')}`, 'veil.hidden = false'],
    'goes after a while': [
      `${save()}${veil('hidden')}`,
      'veil.hidden = false; setTimeout(() => veil.remove(), 700)',
    ],
    'lets the mouse through': [
      `${save()}<div id="veil" hidden style="position: fixed; inset: 0; pointer-events: none"></div>`,
      'veil.hidden = false',
    ],
    'takes the click for itself': [
      `<div onmousemove="veil.hidden = false">${save()}</div>${veil(`hidden onclick="did('Closed')"`)}`,
      '',
    ],
    dialog: [`${save()}<dialog id="box">Cookies <button>Accept</button></dialog>`, 'box.showModal()'],
    inert: [`<main id="main">${save()}</main>`, 'main.inert = true'],
  } satisfies Record<string, readonly [string, string]>,
  ([body, code]) => ({ ...clickSave, body: body + between(code), between: 'run' }),
)

const disabled = family(
  'disabled late',
  {
    'and stays so': 'save.disabled = true',
    'enabled again': 'save.disabled = true; setTimeout(() => (save.disabled = false), 700)',
    'its fieldset': 'set.disabled = true',
    'by aria-disabled':
      "save.setAttribute('aria-disabled', 'true'); save.onclick = null; save.removeAttribute('onclick')",
  },
  (code) => ({
    ...clickSave,
    body: `<fieldset id="set">${save()}</fieldset>${between(code)}`,
    between: 'run',
  }),
)

const dead = family(
  'dead control',
  {
    'link to #': '<a href="#">Save</a>',
    'link that is stopped': '<a href="document" onclick="event.preventDefault()">Save</a>',
    'link to an answer without content': '<a href="answer?status=204">Save</a>',
  },
  (body) => ({ body, action: click(link('Save')), asked: 'Saved' }),
)

const deadButtons = family(
  'dead button',
  {
    'no handler': save(''),
    'stopped above': `<div id="host">${save()}</div>${script("host.addEventListener('click', (e) => e.stopPropagation(), true)")}`,
    'only a double click': save(`ondblclick="did('Saved')"`),
    'only the second click': save(`onclick="if (this.dataset.once) did('Saved'); this.dataset.once = 1"`),
  },
  (body) => ({ ...clickSave, body }),
)

const once = family(
  'must be clicked once',
  {
    'handler blocks the page': save(
      `onclick="did('Saved'); const end = Date.now() + 1500; while (Date.now() < end);"`,
    ),
    'replaced by the click': `<div id="host">${save(`onclick="did('Saved'); ${redraw}"`)}</div>`,
    'goes with the click': save(`onclick="did('Saved'); this.remove()"`),
    'leads to a slow page': save(`onclick="did('Saved'); location.href = 'document?ms=1500'"`),
    'closes what is around it': `<dialog open id="box">${save(`onclick="did('Saved'); box.close()"`)}</dialog>`,
  },
  (body) => ({ ...clickSave, body, settleMs: 400 }),
)

const late = family(
  'effect that comes late',
  {
    'after 300 ms': save(`onclick="setTimeout(did, 300, 'Saved')"`),
    'after its answer': save(`onclick="fetch('answer?ms=300').then(() => did('Saved'))"`),
    'after a slow answer': save(`onclick="fetch('answer?ms=1200').then(() => did('Saved'))"`),
    'ignored while it is new': `${save('')}${script("setTimeout(() => (save.onclick = () => did('Saved')), 700)")}`,
    'ignored without a rest before': save(
      `onmousemove="this.dataset.at = Date.now()" onclick="if (Date.now() - this.dataset.at > 200) did('Saved')"`,
    ),
  },
  (body) => ({ ...clickSave, body, settleMs: 1500 }),
)

const thrown = family(
  'handler that fails',
  {
    throws: save(`onclick="null.save(); did('Saved')"`),
    rejects: save(`onclick="(async () => { await 0; null.save(); did('Saved') })()"`),
    'throws later': save(`onclick="setTimeout(() => { null.save(); did('Saved') }, 100)"`),
    'catches and logs': save(
      `onclick="try { null.save(); did('Saved') } catch (error) { console.error(error.message) }"`,
    ),
  },
  (body) => ({ ...clickSave, body, settleMs: 300 }),
)

const served = family(
  'saved by the server',
  {
    'refused with 500': 'answer?status=500',
    'refused late': 'answer?status=500&ms=400',
    'no answer for long': 'answer?ms=6000',
    'refused within a 200': 'answer?text={"ok":false}',
    'allowed at once': 'answer?text={"ok":true}',
    'allowed late': 'answer?text={"ok":true}%26ms=400'.replace('%26', '&'),
  },
  (url) => ({
    ...clickSave,
    body: save(
      `onclick='fetch(${JSON.stringify(url).replaceAll("'", '&#39;')}, { method: "POST" }).then((r) => r.ok ? r.json() : {}).then(({ ok }) => ok && did("Saved"))'`,
    ),
    settleMs: 800,
  }),
)

const optimistic = family(
  'optimistic and rolled back',
  {
    'by a 500': "fetch('answer?status=500').then((r) => r.ok || undo('Saved'))",
    'by a late 409': "fetch('answer?status=409&ms=350').then((r) => r.ok || undo('Saved'))",
    'by a slow 500': "fetch('answer?status=500&ms=1200').then((r) => r.ok || undo('Saved'))",
    'by the page in a frame': "requestAnimationFrame(() => undo('Saved'))",
    'by a message that fails silently':
      "fetch('answer?text={}').then((r) => r.json()).then(({ ok }) => ok || undo('Saved'))",
    'not at all': "fetch('answer?ms=300')",
  },
  (code) => ({ ...clickSave, body: save(`onclick="did('Saved'); ${code}"`), settleMs: 1500 }),
)

const places = family(
  'hard to reach',
  {
    'below a fixed header': `<header style="position: fixed; inset: 0 0 auto; height: 80px; background: #eee">Shop</header><p style="height: 2000px"></p>${save()}<p style="height: 2000px"></p>`,
    'in a scrolled box': `<div style="height: 100px; overflow: auto"><p style="height: 900px"></p>${save()}</div>`,
    'outside of the page': `<div style="position: absolute; left: -500px">${save()}</div>`,
    'no size': save(
      `style="width: 0; height: 0; padding: 0; border: 0; overflow: hidden" onclick="did('Saved')"`,
    ),
    'moves all the time': `<style>@keyframes go { to { transform: translateX(300px) } }</style>${save(`style="animation: go 1s infinite alternate" onclick="did('Saved')"`)}`,
  },
  (body) => ({ ...clickSave, body }),
)

export const clickPages: readonly Page[] = [
  redrawn,
  underMouse,
  lost,
  pressed,
  overlays,
  disabled,
  dead,
  deadButtons,
  once,
  late,
  thrown,
  served,
  optimistic,
  places,
].flat()
