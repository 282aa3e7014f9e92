// Libraries without a framework.

import { click, fill, select, type, type Page } from '../page.ts'

const options = ['Apple', 'Banana', 'Cherry', 'Damson']
  .map((label) => `<option value="${label.toLowerCase()}">${label}</option>`)
  .join('')
const lists = `html(\`<label for="fruit">Fruit</label><select id="fruit"><option value="">Choose</option>${options}</select><label for="tags">Tags</label><select id="tags" multiple>${options}</select>\`)
for (const id of ['fruit', 'tags']) document.getElementById(id).addEventListener('change', ({ currentTarget }) => save(id)([...currentTarget.selectedOptions].map((o) => o.value)))
`
const imports = `import { html, save } from './kept'\n`

const listActs = (fruit: string, tags: string) => [
  select(fruit, 'Cherry', 'fruit=cherry'),
  fill(fruit, 'Banana', 'fruit=banana'),
  select(tags, ['Apple', 'Damson'], 'tags=apple,damson'),
  select(tags, ['Banana', 'Damson'], 'tags=banana,damson'),
]

const tomSelect: Page = {
  name: 'Tom Select',
  code: `${imports}import 'tom-select/dist/css/tom-select.css'
import TomSelect from 'tom-select'
${lists}new TomSelect('#fruit', {}); new TomSelect('#tags', { plugins: ['remove_button'] })`,
  acts: listActs('combobox "Fruit"', 'combobox "Tags"'),
}

const choices: Page = {
  name: 'Choices.js',
  code: `${imports}import 'choices.js/public/assets/styles/choices.css'
import Choices from 'choices.js'
${lists}new Choices('#fruit', { labelId: '' }); new Choices('#tags', { removeItemButton: true })`,
  acts: listActs('combobox', 'listbox "Tags"'),
}

const select2: Page = {
  name: 'Select2',
  code: `${imports}import 'select2/dist/css/select2.css'
const $ = require('jquery')
require('select2')(window, $)
${lists}$('#fruit, #tags').select2({ width: '300px' }).on('change', function () { save(this.id)([].concat($(this).val())) })`,
  // It takes no name from the label of the hidden list.
  acts: listActs('combobox [', 'combobox "select2-selection'),
}

const slimSelect: Page = {
  name: 'Slim Select',
  code: `${imports}import 'slim-select/styles'
import SlimSelect from 'slim-select'
${lists}new SlimSelect({ select: '#fruit' }); new SlimSelect({ select: '#tags' })`,
  acts: listActs('combobox "Fruit"', 'combobox "Tags"'),
}

const flatpickr: Page = {
  name: 'flatpickr',
  code: `${imports}import 'flatpickr/dist/flatpickr.css'
import flatpickr from 'flatpickr'
html('<label>Day <input id="day"></label><label>Free <input id="free"></label><label>Clock <input id="clock"></label>')
const keep = (id) => (_, text) => save(id)(text)
flatpickr('#day', { defaultDate: '2026-11-01', onChange: keep('day') })
flatpickr('#free', { allowInput: true, onChange: keep('free') })
flatpickr('#clock', { enableTime: true, noCalendar: true, time_24hr: true, dateFormat: 'H:i', onChange: keep('clock'), onClose: keep('clock') })`,
  acts: [
    click(['textbox "Day"', '"November 20, 2026"'], 'day=2026-11-20'),
    fill('textbox "Free"', '2026-11-05', 'free=2026-11-05', true),
    type('textbox "Free"', '2026-12-06', 'free=2026-12-06', true),
    fill('textbox "Day"', '2026-11-05', 'day=2026-11-05'),
  ],
}

const pikaday: Page = {
  name: 'Pikaday',
  code: `${imports}import 'pikaday/css/pikaday.css'
import Pikaday from 'pikaday'
html('<label>Day <input id="day"></label>')
new Pikaday({ field: document.getElementById('day'), defaultDate: new Date(2026, 10, 1), toString: (d) => [d.getFullYear(), d.getMonth() + 1, d.getDate()].join('-'), parse: (s) => { const [y, m, d] = s.split('-'); return new Date(y, m - 1, d) }, onSelect() { save('day')(this.toString()) } })`,
  acts: [
    click(['textbox "Day"', 'button "20"'], 'day=2026-11-20'),
    fill('textbox "Use the arrow keys', '2026-11-5', 'day=2026-11-5', true),
    click(['textbox "Use the arrow keys', 'button "Next Month"', 'button "24"'], 'day=2026-12-24'),
    type('textbox "Use the arrow keys', '2027-1-2', 'day=2027-1-2', true),
  ],
}

const masked = `html('<label>Day <input id="day"></label><label>Phone <input id="phone"></label><label>Serial <input id="serial"></label><label>Money <input id="money"></label>')
const at = (id) => document.getElementById(id)
for (const id of ['day', 'phone', 'serial', 'money']) Object.defineProperty(window.kept, id, { get: () => at(id).value })
`
const maskActs = [
  fill('textbox "Day"', '05/11/2026', 'day=05/11/2026'),
  type('textbox "Day"', '06/12/2027', 'day=06/12/2027'),
  fill('textbox "Phone"', '(020) 555-0199', 'phone=(020) 555-0199'),
  type('textbox "Phone"', '0305550188', 'phone=(030) 555-0188'),
  fill('textbox "Serial"', '1234567812345678', 'serial=1234 5678 1234 5678'),
  type('textbox "Serial"', '8765432187654321', 'serial=8765 4321 8765 4321'),
  fill('textbox "Money"', '1234567', 'money=1,234,567'),
  type('textbox "Money"', '7654321', 'money=7,654,321'),
]

const imask: Page = {
  name: 'IMask',
  code: `${imports}import IMask from 'imask'
${masked}IMask(at('day'), { mask: '00/00/0000', lazy: false }); IMask(at('phone'), { mask: '(000) 000-0000' }); IMask(at('serial'), { mask: '0000 0000 0000 0000' }); IMask(at('money'), { mask: Number, thousandsSeparator: ',' })`,
  acts: maskActs,
}

const inputmask: Page = {
  name: 'Inputmask',
  code: `${imports}import Inputmask from 'inputmask'
${masked}Inputmask('99/99/9999').mask(at('day')); Inputmask('(999) 999-9999').mask(at('phone')); Inputmask('9999 9999 9999 9999').mask(at('serial')); Inputmask('integer', { groupSeparator: ',' }).mask(at('money'))`,
  acts: maskActs,
}

const cleave: Page = {
  name: 'Cleave.js',
  code: `${imports}import Cleave from 'cleave.js'
${masked}new Cleave('#day', { date: true }); new Cleave('#phone', { delimiters: ['(', ') ', '-'], blocks: [0, 3, 3, 4] }); new Cleave('#serial', { blocks: [4, 4, 4, 4] }); new Cleave('#money', { numeral: true })`,
  acts: maskActs,
}

const bootstrap: Page = {
  name: 'Bootstrap',
  code: `${imports}import 'bootstrap/dist/css/bootstrap.css'
import 'bootstrap'
html(\`<div class="form-check"><input class="form-check-input" type="checkbox" id="terms"><label class="form-check-label" for="terms">Terms</label></div>
<div class="form-check form-switch"><input class="form-check-input" type="checkbox" role="switch" id="wifi"><label class="form-check-label" for="wifi">Wifi</label></div>
<div class="btn-group"><input type="radio" class="btn-check" name="size" id="small"><label class="btn btn-outline-primary" for="small">Small</label><input type="radio" class="btn-check" name="size" id="large"><label class="btn btn-outline-primary" for="large">Large</label></div>
<input type="checkbox" class="btn-check" id="bold"><label class="btn btn-primary" for="bold">Bold</label>
<div class="form-floating"><select class="form-select" id="fruit"><option></option><option>Apple</option><option>Cherry</option></select><label for="fruit">Fruit</label></div>
<div class="form-floating"><input class="form-control" id="name" placeholder="x"><label for="name">Name</label></div>
<input type="range" class="form-range" id="volume" aria-label="Volume">
<div class="dropdown"><button class="btn dropdown-toggle" data-bs-toggle="dropdown">Menu</button><ul class="dropdown-menu"><li><a class="dropdown-item" href="#" id="copy">Copy</a></li></ul></div>
<button data-bs-toggle="collapse" data-bs-target="#more">More</button><div class="collapse" id="more">Rest</div>\`)
for (const id of ['terms', 'wifi', 'small', 'large', 'bold']) document.getElementById(id).addEventListener('change', ({ currentTarget }) => save(id)(currentTarget.checked))
for (const id of ['fruit', 'name', 'volume']) document.getElementById(id).addEventListener('input', ({ currentTarget }) => save(id)(currentTarget.value))
document.getElementById('copy').onclick = () => save('menu')('copy')
document.getElementById('more').addEventListener('shown.bs.collapse', () => save('more')(true))`,
  acts: [
    fill('checkbox "Terms"', true, 'terms=true'),
    click('switch "Wifi"', 'wifi=true'),
    click('radio "Large"', 'large=true'),
    fill('radio "Small"', true, 'small=true'),
    fill('checkbox "Bold"', true, 'bold=true'),
    select('combobox "Fruit"', 'Cherry', 'fruit=Cherry'),
    fill('combobox "Fruit"', 'Apple', 'fruit=Apple'),
    fill('textbox "Name"', 'Ada', 'name=Ada'),
    fill('slider "Volume"', '30', 'volume=30'),
    click(['button "Menu"', 'link "Copy"'], 'menu=copy'),
    click('button "More"', 'more=true'),
  ],
}

export const plain: readonly Page[] = [
  tomSelect,
  choices,
  select2,
  slimSelect,
  flatpickr,
  pikaday,
  imask,
  inputmask,
  cleave,
  bootstrap,
]
