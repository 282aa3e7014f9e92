// Lists whose rows are not any more what they were when they were read, and controls that are there twice.

import { button, click, family, type Page } from '../page.ts'

const names = ['Ann', 'Bob', 'Cid', 'Dan']
const row = (name: string): string =>
  `<li>${name} <button onclick="did('Deleted ' + this.parentNode.firstChild.data.trim())">Delete</button></li>`
const list = `<ul id="list">${names.map(row).join('')}</ul>`
const script = (code: string): string => `<script>function between() { ${code} }</script>`
/** Draws rows with other names into the elements that are there, as frameworks without keys do. */
const reuse = (now: readonly string[]): string =>
  `const now = ${JSON.stringify(now)}; [...list.children].forEach((one, i) => now[i] ? one.firstChild.data = now[i] + ' ' : one.remove())`
const redraw = (now: readonly string[]): string =>
  `list.innerHTML = ${JSON.stringify(now.map(row).join('')).replaceAll('</', '<\\/')}`
const deleteBob = { action: click(button('Delete', 1)), asked: 'Deleted Bob', between: 'run' } as const

const moved = family(
  'rows that move',
  {
    reversed: 'list.append(...[...list.children].reverse())',
    'first removed': 'list.firstElementChild.remove()',
    'one put before':
      "list.insertAdjacentHTML('afterbegin', list.firstElementChild.outerHTML.replace('Ann', 'Zoe'))",
    'asked one removed': 'list.children[1].remove()',
    'sorted under the mouse':
      'list.onmouseenter = () => { list.onmouseenter = null; list.prepend(list.lastElementChild) }',
  },
  (code) => ({ ...deleteBob, body: list + script(code) }),
)

const redrawn = family(
  'rows drawn anew',
  {
    reversed: names.toReversed(),
    'first removed': names.slice(1),
    'one put before': ['Zoe', ...names],
    'asked one removed': ['Ann', 'Cid', 'Dan'],
    'the same': names,
  },
  (now) => ({ ...deleteBob, body: list + script(redraw(now)) }),
)

const reused = family(
  'rows whose elements are reused',
  {
    reversed: names.toReversed(),
    'first removed': names.slice(1),
    'asked one removed': ['Ann', 'Cid', 'Dan'],
    'the same': names,
  },
  (now) => ({ ...deleteBob, body: list + script(reuse(now)) }),
)

const item = (index: number): string =>
  `<div style="height: 30px"><span>Item ${index}</span> <button onclick="did('Opened ' + this.previousElementSibling.textContent)">Open</button></div>`
const virtual = (render: string): string =>
  `<div id="box" style="height: 120px; overflow: auto" onscroll="render(Math.floor(box.scrollTop / 30))"><div id="space" style="height: 3000px">${[0, 1, 2, 3].map(item).join('')}</div></div>
  <script>function render(from) { space.style.paddingTop = from * 30 + 'px'; ${render} }</script>`
const recycle =
  "[...space.children].forEach((one, i) => { one.firstElementChild.textContent = 'Item ' + (from + i) })"
const rebuild =
  "space.innerHTML = [0, 1, 2, 3].map((i) => space.firstElementChild.outerHTML.replace(/Item \\d+/, 'Item ' + (from + i))).join('')"

const virtualLists = family(
  'virtual list',
  {
    'recycled after a scroll': [recycle, 'box.scrollTop = 600'],
    'rebuilt after a scroll': [rebuild, 'box.scrollTop = 600'],
    'recycled by one row': [recycle, 'box.scrollTop = 30'],
    'rebuilt by one row': [rebuild, 'box.scrollTop = 30'],
    'not scrolled': [recycle, ''],
  } satisfies Record<string, readonly [string, string]>,
  ([render, code]) => ({
    body: virtual(render) + `<script>async function between() { ${code}; await wait(50) }</script>`,
    action: click(button('Open', 1)),
    asked: 'Opened Item 1',
    between: 'run',
  }),
)

const half = (id: string, style = ''): string =>
  `<nav id="${id}" aria-label="${id}" style="${style}"><button onclick="did('Menu of ${id}')">Menu</button></nav>`
const double = family(
  'controls that are there twice',
  {
    'the first goes': [half('wide') + half('narrow'), 'wide.remove()', 1, 'Menu of narrow'],
    'the asked one goes': [half('wide') + half('narrow'), 'narrow.remove()', 1, 'Menu of narrow'],
    'the asked one is hidden': [half('wide') + half('narrow'), 'narrow.hidden = true', 1, 'Menu of narrow'],
    'one hidden comes up': [
      half('wide', 'display: none') + half('narrow'),
      "wide.style.display = ''",
      0,
      'Menu of narrow',
    ],
    stacked: [
      half('narrow', 'position: absolute; top: 0') + half('wide', 'position: absolute; top: 0'),
      '',
      0,
      'Menu of narrow',
    ],
  } satisfies Record<string, readonly [string, string, number, string]>,
  ([body, code, nth, asked]) => ({
    body: body + script(code),
    action: click(button('Menu', nth)),
    asked,
    between: 'run',
  }),
)

export const listPages: readonly Page[] = [moved, redrawn, reused, virtualLists, double].flat()
