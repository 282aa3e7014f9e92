// Fields that keep something else than what was entered, choices that are taken back, and forms that are not sent.

import { type Action, button, click, family, type Page, save, textbox } from '../page.ts'

const code = textbox('Code')
const type = (text: string): Action => ({ kind: 'type', target: code, text })
const fill = (text: string): Action => ({ kind: 'fill', target: code, text })
/** And the next field too. */
const fillBoth = (text: string): Action => ({ kind: 'fill', target: code, text, next: textbox('Next') })
const script = (text: string): string => `<script>${text}</script>`
const input = (attributes: string): string => `<input id="code" aria-label="Code" ${attributes}>`
const readCode = script('final = () => code.value ?? code.textContent')

/** A field, what is entered, and how: by keys or at once. */
type Entry = readonly [body: string, action: Action, asked: string]
const entered = ([body, action, asked]: Entry) => ({ body: body + readCode, action, asked, settleMs: 500 })

const limited = family(
  'field with a limit',
  {
    'maxlength, typed': [input('maxlength="3"'), type('abcdef'), 'abcdef'],
    'maxlength, set': [input('maxlength="3"'), fill('abcdef'), 'abcdef'],
    'cut on change': [
      input('onchange="this.value = this.value.slice(0, 4)"') + '<input aria-label="Next">',
      fillBoth('abcdef'),
      'abcdef',
    ],
    'long enough': [input('maxlength="6"'), type('abcdef'), 'abcdef'],
  } satisfies Record<string, Entry>,
  entered,
)

const masked = family(
  'field with a mask',
  {
    'digits only': [input(`oninput="this.value = this.value.replace(/\\D/g, '')"`), type('12ab34'), '12ab34'],
    'input refused': [input(`onbeforeinput="event.preventDefault()"`), fill('abc'), 'abc'],
    'groups of a card': [
      input(`oninput="this.value = this.value.replace(/\\D/g, '').replace(/(.{4})(?=.)/g, '$1 ')"`),
      type('4111111111111111'),
      '4111 1111 1111 1111',
    ],
    'upper case': [input('oninput="this.value = this.value.toUpperCase()"'), fill('abc'), 'ABC'],
    'a fixed beginning': [
      input(`value="+49 " oninput="if (!this.value.startsWith('+49 ')) this.value = '+49 '"`),
      fill('030123'),
      '030123',
    ],
  } satisfies Record<string, Entry>,
  entered,
)

const emptied = family(
  'field that is emptied',
  {
    'on blur': [input(`onblur="this.value = ''"`) + '<input aria-label="Next">', fillBoth('abc'), 'abc'],
    'on change': [input(`onchange="this.value = ''"`) + '<input aria-label="Next">', fillBoth('abc'), 'abc'],
    'at once': [input(`oninput="this.value = ''"`), fill('abc'), 'abc'],
    'in a frame': [input(`oninput="requestAnimationFrame(() => (this.value = ''))"`), type('abc'), 'abc'],
    'by the answer of the server': [
      input(
        `onchange="fetch('answer?status=422&ms=200').then((r) => r.ok || (this.value = ''))" oninput="this.onchange()"`,
      ),
      fill('abc'),
      'abc',
    ],
    'set back': [input(`value="old" oninput="this.value = 'old'"`), fill('abc'), 'abc'],
  } satisfies Record<string, Entry>,
  entered,
)

const host = (attributes: string): string => `<div id="host">${input(attributes)}</div>`
const replaced = family(
  'field that is drawn anew',
  {
    'at the first key': [host(`oninput="this.outerHTML = this.outerHTML"`), type('abc'), 'abc'],
    'at the focus, set': [
      host(`onfocus="this.onfocus = null; host.innerHTML = host.innerHTML.replace(/onfocus/, 'x')"`),
      fill('abc'),
      'abc',
    ],
    'keeping the value': [
      host(`oninput="const n = this.cloneNode(); n.value = this.value; this.replaceWith(n); n.focus()"`),
      type('abc'),
      'abc',
    ],
    'after it was set': [
      host(`onchange="host.innerHTML = host.innerHTML" oninput="this.onchange()"`),
      fill('abc'),
      'abc',
    ],
  } satisfies Record<string, Entry>,
  entered,
)

const digits = [0, 1, 2, 3]
  .map((i) => `<input class="digit" maxlength="1" aria-label="${i === 0 ? 'Code' : `Digit ${i}`}">`)
  .join('')
const readDigits = "final = () => [...document.querySelectorAll('input')].map((one) => one.value).join('|')"
const focusMoves = family(
  'focus that moves',
  {
    'from digit to digit': [
      digits + script(`document.oninput = (e) => e.target.nextElementSibling?.focus?.(); ${readDigits}`),
      type('1234'),
      '1|2|3|4',
    ],
    nowhere: [digits + script(readDigits), type('1234'), '1|2|3|4'],
    'away at the focus': [
      `${input('onfocus="other.focus()"')}<input id="other" aria-label="Other">${script(readDigits)}`,
      type('abc'),
      'abc|',
    ],
    'nowhere at a key': [`${input('oninput="this.blur()"')}${script(readDigits)}`, type('abc'), 'abc'],
  } satisfies Record<string, Entry>,
  ([body, action, asked]) => ({ body, action, asked, settleMs: 100 }),
)

const editor = (code: string): string =>
  `<div id="code" role="textbox" aria-label="Code" contenteditable>old</div>${script(code)}`
const editors = family(
  'editable element',
  {
    plain: [editor(''), fill('abc'), 'abc'],
    'refuses input': [
      editor("code.addEventListener('beforeinput', (e) => e.preventDefault())"),
      fill('abc'),
      'abc',
    ],
    'draws its model again later': [
      editor("code.addEventListener('input', () => setTimeout(() => (code.textContent = 'old'), 50))"),
      type('abc'),
      'abc',
    ],
    'takes keys into a model': [
      editor(
        "let model = ''; code.addEventListener('beforeinput', (e) => { e.preventDefault(); if (e.inputType === 'insertText') model += e.data; else model = ''; code.textContent = model })",
      ),
      type('abc'),
      'abc',
    ],
  } satisfies Record<string, Entry>,
  entered,
)

const selecting = (option: string, name = 'Size'): Action => ({
  kind: 'select',
  target: { role: 'combobox', name },
  option,
})
const options = '<option>Small</option><option>Medium</option><option>Large</option>'
const select = (attributes: string, content = options): string =>
  `<select id="size" aria-label="Size" ${attributes}>${content}</select>${script('final = () => size.selectedOptions[0]?.text')}`
const selects = family(
  'choice from a list',
  {
    kept: select(''),
    'set back at once': select('onchange="this.selectedIndex = 0"'),
    'set back by the server': select(
      `onchange="fetch('answer?status=409&ms=200').then((r) => r.ok || (this.selectedIndex = 0))"`,
    ),
    'drawn anew': select(`onchange="this.innerHTML = this.innerHTML"`),
    'options that come late':
      select('', '<option>Small</option>') + script("setTimeout(() => size.add(new Option('Large')), 1500)"),
    'list made of elements': `<div id="size" role="combobox" aria-label="Size" aria-expanded="false" tabindex="0" onclick="list.hidden = false; this.ariaExpanded = 'true'">Small</div><ul id="list" role="listbox" hidden><li role="option" onclick="list.hidden = true; size.ariaExpanded = 'false'">Large</li></ul>${script('final = () => size.textContent')}`,
  },
  (body) => ({ body, action: selecting('Large'), asked: 'Large', settleMs: 500 }),
)

const box = (attributes: string): string =>
  `<label><input type="checkbox" id="terms" ${attributes}>Terms</label>${script("final = () => terms.checked ? 'checked' : 'open'")}`
const checks = family(
  'box that is controlled',
  {
    kept: box(''),
    stopped: box('onclick="event.preventDefault()"'),
    'set back in a task': box('onchange="setTimeout(() => (this.checked = false))"'),
    'set back by the server': box(
      `onchange="fetch('answer?status=409&ms=200').then((r) => r.ok || (this.checked = false))"`,
    ),
    'drawn anew': `<div id="host">${box('onchange="host.innerHTML = host.innerHTML"')}</div>`,
    'made of an element': `<div id="terms" role="checkbox" aria-checked="false" tabindex="0">Terms</div>${script("final = () => terms.ariaChecked === 'true' ? 'checked' : 'open'")}`,
  },
  (body) => ({
    body,
    action: { kind: 'check', target: { role: 'checkbox', name: 'Terms' } },
    asked: 'checked',
    settleMs: 500,
  }),
)

const form = (content: string, attributes = ''): string =>
  `<form onsubmit="event.preventDefault(); did('Sent')" ${attributes}>${content}<button>Send</button></form>`
const forms = family(
  'form that is sent',
  {
    'as it is': form(input('value="a"')),
    'a field is required': form(input('required')),
    'a field that is not shown is required': form('<input name="x" required hidden>'),
    'stopped by a script': `<form onsubmit="event.preventDefault(); show('Code is taken')">${input('value="a"')}<button>Send</button></form>`,
    'refused by the server': `<form onsubmit="event.preventDefault(); fetch('answer?status=422').then((r) => r.ok && did('Sent'))">${input('value="a"')}<button>Send</button></form>`,
    'in a frame, a field is required': `<iframe src="document?body=${encodeURIComponent(form(input('required')))}"></iframe>`,
  },
  (body) => ({ body, action: click(button('Send')), asked: 'Sent', settleMs: 300 }),
)

const entering = family(
  'form that is sent by Enter',
  {
    'as it is': form(input('')),
    'without a button': `<form onsubmit="event.preventDefault(); did('Sent')">${input('')}<input aria-label="Other"></form>`,
    'Enter is stopped': form(input(`onkeydown="if (event.key === 'Enter') event.preventDefault()"`)),
    'another field is required': form(`${input('')}<input aria-label="Other" required>`),
  },
  (body) => ({
    body,
    action: { kind: 'type', target: code, text: 'abc', submit: true },
    asked: 'Sent',
    settleMs: 100,
  }),
)

const file = (attributes: string): string =>
  `<input type="file" id="file" aria-label="File" ${attributes}>${script("final = () => file.files[0]?.name ?? ''")}`
const files = family(
  'file',
  {
    taken: file(''),
    'cleared on change': file(`onchange="this.value = ''"`),
    'cleared by the server': file(
      `onchange="fetch('answer?status=413&ms=200').then((r) => r.ok || (this.value = ''))"`,
    ),
  },
  (body) => ({
    body,
    action: { kind: 'upload', target: button('File'), file: 'note.txt' },
    asked: 'note.txt',
    settleMs: 400,
  }),
)

const card =
  '<div id="card" role="button" aria-label="Card" tabindex="0" draggable="true" style="width: 80px; height: 40px; background: #ccc">Card</div>'
const place = (attributes: string): string =>
  `<div id="place" role="button" aria-label="Place" tabindex="0" style="margin-top: 60px; width: 200px; height: 100px; background: #eee" ${attributes}>Place</div>`
const dropped = `ondragover="event.preventDefault()" ondrop="event.preventDefault(); did('Moved')"`
const drags = family(
  'drag',
  {
    taken: card + place(dropped),
    'no place for it': card + place(`ondrop="did('Moved')"`),
    'dropped and ignored':
      card + place(`ondragover="event.preventDefault()" ondrop="event.preventDefault()"`),
    'refused by the server':
      card +
      place(
        `ondragover="event.preventDefault()" ondrop="event.preventDefault(); fetch('answer?status=409').then((r) => r.ok && did('Moved'))"`,
      ),
    'by the pointer': `${card.replace('draggable="true"', 'onpointerdown="dragged = 1"')}${place(`onpointerup="if (window.dragged) did('Moved')"`)}`,
  },
  (body) => ({
    body,
    action: { kind: 'drag', target: button('Card'), to: button('Place') },
    asked: 'Moved',
    settleMs: 300,
  }),
)

const keys = family(
  'key',
  {
    'nobody listens': ['F4', save()],
    'focus is taken away': ['Enter', `${save(`onfocus="this.blur()" onclick="did('Saved')"`)}`],
  } satisfies Record<string, readonly [string, string]>,
  ([key, body]) => ({ body, action: { kind: 'press', target: button('Save'), key }, asked: 'Saved' }),
)

const hovers = family(
  'hover',
  {
    opens: `<button onmouseenter="did('Opened')">Menu</button>`,
    'opens late': `<button onmouseenter="setTimeout(did, 250, 'Opened')">Menu</button>`,
  },
  (body) => ({ body, action: { kind: 'hover', target: button('Menu') }, asked: 'Opened', settleMs: 400 }),
)

export const fieldPages: readonly Page[] = [
  limited,
  masked,
  emptied,
  replaced,
  focusMoves,
  editors,
  selects,
  checks,
  forms,
  entering,
  files,
  drags,
  keys,
  hovers,
].flat()
