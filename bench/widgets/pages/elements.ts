// Libraries of web components, and others without a framework that are no single field.

import { click, fill, select, type, type Page } from '../page.ts'

const imports = `import { html, save } from './kept'\n`
/** Keeps the value or state of elements at each of these events. */
const keep = (events: string, states: string) =>
  `for (const [id, name] of Object.entries(${states})) for (const event of ${events}) document.getElementById(id).addEventListener(event, ({ currentTarget }) => save(id)(currentTarget[name]))`

const shoelace: Page = {
  name: 'Shoelace',
  code: `${imports}import '@shoelace-style/shoelace/dist/themes/light.css'
import '@shoelace-style/shoelace/dist/shoelace.js'
html(\`<sl-select id="fruit" label="Fruit"><sl-option value="a">Apple</sl-option><sl-option value="b">Banana</sl-option></sl-select>
<sl-select id="tags" label="Tags" multiple><sl-option value="a">Apple</sl-option><sl-option value="b">Banana</sl-option><sl-option value="c">Cherry</sl-option></sl-select>
<sl-checkbox id="terms">Terms</sl-checkbox><sl-switch id="wifi">Wifi</sl-switch>
<sl-radio-group id="plan" label="Plan"><sl-radio value="free">Free</sl-radio><sl-radio value="pro">Pro</sl-radio></sl-radio-group>
<sl-radio-group id="size" label="Size"><sl-radio-button value="s">Small</sl-radio-button><sl-radio-button value="l">Large</sl-radio-button></sl-radio-group>
<sl-rating id="stars" label="Stars"></sl-rating><sl-range id="volume" label="Volume"></sl-range><sl-input id="name" label="Name"></sl-input><sl-textarea id="notes" label="Notes"></sl-textarea>
<sl-tree><sl-tree-item expanded>Files<sl-tree-item id="leaf">Main</sl-tree-item></sl-tree-item></sl-tree>\`)
${keep("['sl-change']", "{ fruit: 'value', tags: 'value', terms: 'checked', wifi: 'checked', plan: 'value', size: 'value', stars: 'value', volume: 'value', name: 'value', notes: 'value' }")}
document.querySelector('sl-tree').addEventListener('sl-selection-change', ({ detail }) => save('leaf')(detail.selection.map((x) => x.textContent)))`,
  acts: [
    select('combobox "Fruit"', 'Banana', 'fruit=b'),
    fill('combobox "Fruit"', 'Apple', 'fruit=a'),
    select('combobox "Tags"', ['Apple', 'Cherry'], 'tags=a,c'),
    fill('checkbox "Terms"', true, 'terms=true'),
    fill('switch "Wifi"', true, 'wifi=true'),
    click('radio "Pro"', 'plan=pro'),
    click('radio "Large"', 'size=l'),
    fill('slider "Stars"', '4', 'stars=4'),
    fill('slider "Volume"', '30', 'volume=30'),
    fill('textbox "Name"', 'Ada', 'name=Ada', true),
    fill('textbox "Notes"', 'Two', 'notes=Two', true),
    click('treeitem "Main"', 'leaf=Main'),
  ],
}

const material: Page = {
  name: 'Material Web',
  code: `${imports}import '@material/web/all.js'
html(\`<md-outlined-select id="fruit" label="Fruit"><md-select-option value="a"><div slot="headline">Apple</div></md-select-option><md-select-option value="b"><div slot="headline">Banana</div></md-select-option></md-outlined-select>
<label><md-checkbox id="terms" touch-target="wrapper"></md-checkbox>Terms</label><label><md-switch id="wifi"></md-switch>Wifi</label>
<label><md-radio id="free" name="plan" value="free"></md-radio>Free</label><label><md-radio id="pro" name="plan" value="pro"></md-radio>Pro</label>
<md-slider id="volume" aria-label="Volume"></md-slider><md-outlined-text-field id="name" label="Name"></md-outlined-text-field>
<md-filter-chip id="chip" label="Awesome"></md-filter-chip>
<md-tabs id="tabs"><md-primary-tab>One</md-primary-tab><md-primary-tab>Two</md-primary-tab></md-tabs>\`)
${keep("['change', 'input']", "{ fruit: 'value', terms: 'checked', wifi: 'selected', free: 'checked', pro: 'checked', volume: 'value', name: 'value', tabs: 'activeTabIndex' }")}
document.getElementById('chip').addEventListener('click', ({ currentTarget }) => setTimeout(() => save('chip')(currentTarget?.selected ?? document.getElementById('chip').selected)))`,
  acts: [
    select('combobox "Fruit"', 'Banana', 'fruit=b'),
    fill('combobox "Fruit"', 'Apple', 'fruit=a'),
    fill('checkbox "input"', true, 'terms=true'),
    fill('switch "touch"', true, 'wifi=true'),
    click('generic "plan"', 'free=true'),
    fill('slider "Volume"', '30', 'volume=30'),
    fill('textbox "Name"', 'Ada', 'name=Ada'),
    click('"Awesome"', 'chip=true'),
    click('text: Two', 'tabs=1'),
  ],
}

const ionic: Page = {
  name: 'Ionic',
  code: `${imports}import '@ionic/core/css/core.css'
import { initialize } from '@ionic/core/components'
import { defineCustomElement as s } from '@ionic/core/components/ion-select.js'
import { defineCustomElement as o } from '@ionic/core/components/ion-select-option.js'
import { defineCustomElement as c } from '@ionic/core/components/ion-checkbox.js'
import { defineCustomElement as t } from '@ionic/core/components/ion-toggle.js'
import { defineCustomElement as r } from '@ionic/core/components/ion-radio.js'
import { defineCustomElement as g } from '@ionic/core/components/ion-radio-group.js'
import { defineCustomElement as v } from '@ionic/core/components/ion-range.js'
import { defineCustomElement as i } from '@ionic/core/components/ion-input.js'
import { defineCustomElement as sg } from '@ionic/core/components/ion-segment.js'
import { defineCustomElement as sb } from '@ionic/core/components/ion-segment-button.js'
initialize(); for (const define of [s, o, c, t, r, g, v, i, sg, sb]) define()
html(\`<ion-select id="fruit" label="Fruit" interface="popover"><ion-select-option value="a">Apple</ion-select-option><ion-select-option value="b">Banana</ion-select-option></ion-select>
<ion-checkbox id="terms">Terms</ion-checkbox><ion-toggle id="wifi">Wifi</ion-toggle>
<ion-radio-group id="plan"><ion-radio value="free">Free</ion-radio><ion-radio value="pro">Pro</ion-radio></ion-radio-group>
<ion-range id="volume" aria-label="Volume"></ion-range><ion-input id="name" label="Name"></ion-input>
<ion-segment id="period"><ion-segment-button value="d">Daily</ion-segment-button><ion-segment-button value="w">Weekly</ion-segment-button></ion-segment>\`)
${keep("['ionChange', 'ionInput']", "{ fruit: 'value', terms: 'checked', wifi: 'checked', plan: 'value', volume: 'value', name: 'value', period: 'value' }")}`,
  acts: [
    fill('checkbox "Terms"', true, 'terms=true'),
    fill('switch "Wifi"', true, 'wifi=true'),
    click('radio "Pro"', 'plan=pro'),
    fill('slider "Volume"', '30', 'volume=30'),
    fill('textbox "Name"', 'Ada', 'name=Ada'),
    click('tab "Weekly"', 'period=w'),
    click(['"Fruit"', 'radio "Banana"'], 'fruit=b'),
  ],
}

const fluent: Page = {
  name: 'Fluent UI web components',
  code: `${imports}import * as F from '@fluentui/web-components'
F.provideFluentDesignSystem().register(F.allComponents)
html(\`<fluent-select id="fruit" aria-label="Fruit"><fluent-option value="a">Apple</fluent-option><fluent-option value="b">Banana</fluent-option><fluent-option value="c">Cherry</fluent-option></fluent-select>
<fluent-combobox id="city" aria-label="City" autocomplete="both"><fluent-option>Rome</fluent-option><fluent-option>Oslo</fluent-option></fluent-combobox>
<fluent-checkbox id="terms">Terms</fluent-checkbox><fluent-switch id="wifi">Wifi</fluent-switch>
<fluent-radio-group id="plan" aria-label="Plan"><fluent-radio value="free">Free</fluent-radio><fluent-radio value="pro">Pro</fluent-radio></fluent-radio-group>
<fluent-slider id="volume" aria-label="Volume" min="0" max="100"></fluent-slider><fluent-text-field id="name">Name</fluent-text-field><fluent-number-field id="amount">Amount</fluent-number-field>
<fluent-tabs id="tabs"><fluent-tab id="one">One</fluent-tab><fluent-tab id="two">Two</fluent-tab></fluent-tabs>\`)
${keep("['change', 'input', 'click']", "{ fruit: 'value', city: 'value', terms: 'checked', wifi: 'checked', plan: 'value', volume: 'value', name: 'value', amount: 'value', tabs: 'activeid' }")}`,
  acts: [
    select('combobox "Fruit"', 'Banana', 'fruit=b'),
    fill('combobox "Fruit"', 'Apple', 'fruit=a'),
    fill('combobox [', 'Oslo', 'city=Oslo'),
    fill('checkbox "Terms"', true, 'terms=true'),
    fill('switch "Wifi"', true, 'wifi=true'),
    click('radio "Pro"', 'plan=pro'),
    fill('slider "Volume"', '30', 'volume=30'),
    fill('textbox "Name"', 'Ada', 'name=Ada'),
    fill('"Amount"', '12', 'amount=12', true),
  ],
}

const jstree: Page = {
  name: 'jsTree',
  code: `${imports}import 'jstree/dist/themes/default/style.css'
const $ = require('jquery')
require('jstree')
html('<div id="tree"></div>')
$('#tree').jstree({ plugins: ['checkbox'], core: { data: [{ text: 'src', state: { opened: true }, children: [{ text: 'main' }, { text: 'test' }] }, { text: 'docs', children: [{ text: 'guide' }] }] } }).on('changed.jstree', (e, d) => save('chosen')(d.selected.map((id) => d.instance.get_text(id)))).on('open_node.jstree', (e, d) => save('open')(d.node.text))`,
  acts: [
    click('"main"', 'chosen=main'),
    click('"test"', 'chosen=main,test,src'),
    click('"main"', 'chosen=test'),
    click('"docs"', 'chosen=test,docs,guide'),
  ],
}

const tabulator: Page = {
  name: 'Tabulator',
  code: `${imports}import 'tabulator-tables/dist/css/tabulator.css'
import { TabulatorFull } from 'tabulator-tables'
html('<div id="table"></div>')
const table = new TabulatorFull('#table', { height: 300, selectableRows: true, data: [{ id: 1, name: 'Bob', age: 30 }, { id: 2, name: 'Ada', age: 40 }], columns: [{ title: 'Name', field: 'name', editor: 'input', headerFilter: 'input' }, { title: 'Age', field: 'age' }] })
table.on('dataSorted', (_, rows) => save('order')(rows.map((r) => r.getData().name)))
table.on('rowSelected', (r) => save('row')(r.getData().name))
table.on('cellEdited', (c) => save('edited')(c.getValue()))
table.on('dataFiltered', (f, rows) => save('filtered')(rows.map((r) => r.getData().name)))`,
  acts: [
    click('columnheader "Age"', 'order=Bob,Ada'),
    click('columnheader "Age"', 'order=Ada,Bob'),
    click('gridcell "40"', 'row=Ada'),
    { ...fill('searchbox', 'Ad', 'filtered=Ada'), lines: ['searchbox'] },
  ],
}

const quill: Page = {
  name: 'Quill',
  code: `${imports}import 'quill/dist/quill.snow.css'
import Quill from 'quill'
html('<div id="body"></div>')
const quill = new Quill('#body', { theme: 'snow' })
quill.on('text-change', () => { save('text')(quill.getText().trim()); save('html')(quill.root.innerHTML) })`,
  acts: [
    fill('generic editable', 'First line', 'text=First line'),
    type('generic editable', 'Other', 'text=Other'),
    fill('generic editable', 'One\nTwo', 'text=One\nTwo'),
  ].map((act) => ({ ...act, lines: ['editable'] })),
}

const codemirror: Page = {
  name: 'CodeMirror',
  code: `${imports}import { basicSetup, EditorView } from 'codemirror'
html('<div id="body"></div>')
new EditorView({ doc: 'let a = 1', extensions: [basicSetup, EditorView.contentAttributes.of({ 'aria-label': 'Code' }), EditorView.updateListener.of((u) => u.docChanged && save('text')(u.state.doc.toString()))], parent: document.getElementById('body') })`,
  acts: [
    fill('textbox "Code"', 'if (a) {\n  b()\n}', 'text=if (a) {\n  b()\n}'),
    type('textbox "Code"', 'let c = 3', 'text=let c = 3'),
    fill('textbox "Code"', '', 'text='),
  ],
}

const monaco: Page = {
  name: 'Monaco',
  code: `${imports}import * as monaco from 'monaco-editor/editor/editor.api.js'
html('<div id="body" style="height: 200px"></div>')
window.MonacoEnvironment = { getWorker: () => new Worker('data:text/javascript,') }
const editor = monaco.editor.create(document.getElementById('body'), { value: 'let a = 1', language: 'plaintext', ariaLabel: 'Code' })
editor.onDidChangeModelContent(() => save('text')(editor.getValue()))`,
  acts: [
    fill('textbox "Code', 'if (a) {\n  b()\n}', 'text=if (a) {\n  b()\n}'),
    type('textbox "Code', 'let c = 3', 'text=let c = 3'),
    fill('textbox "Code', 'x', 'text=x'),
  ],
}

export const elements: readonly Page[] = [
  shoelace,
  material,
  ionic,
  fluent,
  jstree,
  tabulator,
  quill,
  codemirror,
  monaco,
]
