// Widgets that pages draw themselves: lists that mark what is under the mouse, drawn checkboxes, cards with controls in them, fields that
// take what they are given only under conditions.

import { type Action, button, click, family, type Page, type Target, textbox } from '../page.ts'

const script = (text: string): string => `<script>${text}</script>`
const box: Target = { role: 'combobox', name: 'Color' }
const selecting = (option: string): Action => ({ kind: 'select', target: box, option })
const filling = (text: string, next?: Target): Action => ({
  kind: 'fill',
  target: box,
  text,
  ...(next && { next }),
})

/** A list that marks the option under the mouse. `choose` runs with the name of the one that is clicked. */
const hoverList = (choose: string, start = ''): string => `
  <input id="box" role="combobox" aria-label="Color" aria-expanded="false" aria-controls="list" readonly value="${start}">
  <ul id="list" role="listbox" hidden></ul>
  ${script(`
    let active = 0
    const mark = () => [...list.children].forEach((one, i) => one.setAttribute('aria-selected', i === active))
    const close = () => { list.hidden = true; box.ariaExpanded = 'false' }
    const draw = () => {
      list.innerHTML = ''
      for (const [i, name] of ['Red', 'Green', 'Blue'].entries()) {
        const option = list.appendChild(document.createElement('li'))
        option.setAttribute('role', 'option')
        option.textContent = name
        option.onmouseenter = () => { active = i; mark() }
        option.onclick = () => { ${choose} }
      }
      mark()
    }
    box.onclick = () => { list.hidden = false; box.ariaExpanded = 'true'; draw() }
    box.onkeydown = ({ key }) => { if (key === 'Escape') close() }
    final = () => box.value`)}`
const take = 'box.value = name; close()'

const highlighted = family(
  'list that marks what is under the mouse',
  {
    'the first option': [hoverList(take), 'Red'],
    'another option': [hoverList(take), 'Blue'],
    'the first one, another chosen': [hoverList(take, 'Green'), 'Red'],
    'chosen already': [hoverList(take, 'Blue'), 'Blue'],
    'takes no click': [hoverList(''), 'Blue'],
    'closes without a choice': [hoverList('close()'), 'Green'],
    'takes the neighbor': [hoverList("box.value = name === 'Blue' ? 'Green' : name; close()"), 'Blue'],
    'chosen after a moment': [hoverList('setTimeout(() => { box.value = name }, 100); close()'), 'Green'],
  } satisfies Record<string, readonly [string, string]>,
  ([body, option]) => ({ body, action: selecting(option), asked: option, settleMs: 400 }),
)

/** A text field with a list; `code` tells what opens it and what is kept. */
const filter = (code: string): string => `
  <input id="box" role="combobox" aria-label="Color" aria-expanded="false" aria-controls="list"><input aria-label="Next">
  <ul id="list" role="listbox" hidden><li role="option">Red</li><li role="option">Green</li></ul>
  ${script(`
    let chosen = ''
    const open = (is) => { list.hidden = !is; box.ariaExpanded = String(is) }
    for (const option of list.children)
      option.onmousedown = (event) => { event.preventDefault(); chosen = box.value = option.textContent; open(false) }
    final = () => chosen
    ${code}`)}`
const drop = 'box.onblur = () => { open(false); box.value = chosen }'

const filtered = family(
  'field whose list decides',
  {
    'opened by the text': [filter(`box.oninput = () => open(true); ${drop}`), 'Green'],
    'opened by a key': [
      filter(`box.onkeydown = ({ key }) => { if (key === 'ArrowDown') open(true) }; ${drop}`),
      'Green',
    ],
    'opened by key and late': [
      filter(
        `box.onkeydown = ({ key }) => { if (key === 'ArrowDown') setTimeout(() => open(true), 100) }; ${drop}`,
      ),
      'Red',
    ],
    'keys alone are heard': [filter(`box.onkeyup = () => open(true); ${drop}`), 'Green'],
    'free text': [filter('box.onchange = () => { chosen = box.value }'), 'Violet'],
  } satisfies Record<string, readonly [string, string]>,
  ([body, text]) => ({ body, action: filling(text, textbox('Next')), asked: text, settleMs: 400 }),
)

const inner = (style: string): string =>
  `<button style="position: absolute; ${style}" onclick="event.stopPropagation(); did('Deleted')">Delete</button>`
const card = (style: string, attributes = 'onclick="did(\'Opened\')"'): string =>
  `<div role="link" tabindex="0" aria-label="Card" style="position: relative; width: 200px; height: 100px; background: #dde" ${attributes}>${inner(style)}</div>`

const containers = family(
  'card with a control in it',
  {
    'in its middle': card('left: 60px; top: 30px; width: 80px; height: 40px'),
    'over nearly all of it': card('left: 5px; top: 5px; width: 190px; height: 90px'),
    'over all of it': card('inset: 0'),
    'at its edge': card('right: 0; top: 0'),
    'that takes its clicks by the document':
      card('left: 60px; top: 30px; width: 80px; height: 40px', '') +
      script("document.onclick = ({ target }) => { if (target.role === 'link') did('Opened') }"),
  },
  (body) => ({ body, action: click({ role: 'link', name: 'Card' }), asked: 'Opened' }),
)

const HIDDEN = 'position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%)'
const check = (name: string, role = 'checkbox'): Action => ({ kind: 'check', target: { role, name } })
const readCheck = script("final = () => c.checked ? 'on' : ''")
const drawing = '<span style="display: inline-block; width: 30px; height: 30px; background: #aac"></span>'

const checkboxes = family(
  'checkbox under its own drawing',
  {
    'out of sight': `<label><input id="c" type="checkbox" style="${HIDDEN}">${drawing} Night</label>`,
    'without a size': `<label><input id="c" type="checkbox" style="opacity: 0; width: 0; height: 0">${drawing} Night</label>`,
    'under the drawing': `<label style="position: relative"><input id="c" type="checkbox"><span style="position: absolute; inset: 0; background: #aac"></span> Night</label>`,
    'beside a link': `<label><input id="c" type="checkbox" style="${HIDDEN}"><a href="#x" onclick="did('Read')">Night</a> ${drawing}</label>`,
    'that is taken back': `<label><input id="c" type="checkbox" style="${HIDDEN}" onchange="this.checked = false">${drawing} Night</label>`,
    'taken back later': `<label><input id="c" type="checkbox" style="${HIDDEN}" onchange="setTimeout(() => (this.checked = false), 30)">${drawing} Night</label>`,
    'whose label does nothing': `<label onclick="event.preventDefault()"><input id="c" type="checkbox" style="${HIDDEN}">${drawing} Night</label>`,
    'turned off': `<label><input id="c" type="checkbox" disabled style="${HIDDEN}">${drawing} Night</label>`,
  },
  (body) => ({ body: body + readCheck, action: check('Night'), asked: 'on', settleMs: 300 }),
)

const lost = family(
  'press that hides what was pressed',
  {
    'by blur': `<input id="f" aria-label="Word" onblur="m.hidden = true"><ul id="m"><li><button onclick="did('Chosen')">One</button></li></ul>${script('f.focus()')}`,
    'by its own press': `<button onmousedown="this.hidden = true" onclick="did('Chosen')">One</button>`,
    'moved away by the press': `<button onmousedown="this.style.marginTop = '300px'" onclick="did('Chosen')">One</button>`,
    'chosen by the press': `<button onmousedown="did('Chosen'); this.hidden = true">One</button>`,
    'drawn anew by the press': `<p id="p" onmousedown="p.innerHTML = p.innerHTML"><button onclick="did('Chosen')">One</button></p>`,
  },
  (body) => ({ body, action: click(button('One')), asked: 'Chosen', settleMs: 300 }),
)

const two = (first: string, second = ''): string =>
  `<input id="one" aria-label="One" ${first}><input id="two" aria-label="Two" ${second}>${script("final = () => one.value + '|' + two.value")}`

const neighbors = family(
  'second field of two',
  {
    'the first takes the focus back': two('onblur="setTimeout(() => this.focus())"'),
    'the first takes it back at once': two('onblur="this.focus()"'),
    'the first copies it': two('', 'oninput="one.value = this.value"'),
    'drawn anew by the first': `<div id="d"></div>${script(
      `let values = ['', '']; const draw = () => { d.innerHTML = '<label>One <input></label><label>Two <input></label>'
       ;[...d.querySelectorAll('input')].forEach((one, i) => { one.value = values[i]; one.oninput = () => { values[i] = one.value }; one.onchange = draw }) }
       draw(); final = () => values.join('|')`,
    )}`,
  },
  (body) => ({
    body,
    action: { kind: 'fill', target: textbox('One'), text: 'abc', next: textbox('Two') },
    asked: 'abc|abc',
    settleMs: 300,
  }),
)

const options = (pairs: Readonly<Record<string, string>>): string =>
  `<select id="s" aria-label="Color"><option value="">choose</option>${Object.entries(pairs)
    .map(([value, label]) => `<option value="${value}">${label}</option>`)
    .join('')}</select>${script("final = () => s.selectedOptions[0].text.replace(/\\s/g, ' ')")}`

const shifted = family(
  'list whose labels are the values of others',
  {
    'one further': [options({ 1: '0', 2: '1', 3: '2' }), '1'],
    'in reverse': [options({ 5: 'One', One: 'Two' }), 'One'],
    'with spaces': [options({ a: '1&nbsp;234', b: '1' }), '1 234'],
    'taken back': [
      options({ a: 'Red' }) + script("s.onchange = () => setTimeout(() => { s.value = '' })"),
      'Red',
    ],
    'drawn anew': [options({ a: 'Red' }) + script('s.onchange = () => { s.outerHTML = s.outerHTML }'), 'Red'],
  } satisfies Record<string, readonly [string, string]>,
  ([body, option]) => ({ body, action: selecting(option), asked: option, settleMs: 300 }),
)

export const widgetPages: readonly Page[] = [
  ...highlighted,
  ...filtered,
  ...containers,
  ...checkboxes,
  ...lost,
  ...neighbors,
  ...shifted,
]
