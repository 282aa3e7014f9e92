// Libraries for one kind of field, and editors, for React.

import { click, fill, select, type, type Page } from '../page.ts'

const reactSelect: Page = {
  name: 'react-select',
  code: `import Select from 'react-select'
import Creatable from 'react-select/creatable'
import { save, show } from './kept'
const options = ['Apple', 'Banana', 'Cherry', 'Damson'].map((label) => ({ value: label.toLowerCase(), label }))
const many = Array.from({ length: 300 }, (_, i) => ({ value: i, label: 'Row ' + i }))
show(<>
  <label htmlFor="fruit">Fruit</label><Select inputId="fruit" options={options} onChange={(o) => save('fruit')(o?.value)} />
  <label htmlFor="tags">Tags</label><Select inputId="tags" isMulti options={options} onChange={(o) => save('tags')(o.map((x) => x.value))} />
  <label htmlFor="fixed">Fixed</label><Select inputId="fixed" isSearchable={false} options={options} onChange={(o) => save('fixed')(o?.value)} />
  <label htmlFor="own">Own</label><Creatable inputId="own" options={options} onChange={(o) => save('own')(o?.value)} />
  <label htmlFor="many">Many</label><Select inputId="many" options={many} onChange={(o) => save('many')(o?.value)} />
</>)`,
  acts: [
    select('combobox "Fruit"', 'Cherry', 'fruit=cherry'),
    fill('combobox "Fruit"', 'Banana', 'fruit=banana'),
    click(['combobox "Fruit"', '"Damson"'], 'fruit=damson'),
    select('combobox "Tags"', ['Apple', 'Damson'], 'tags=apple,damson'),
    select('combobox "Tags"', ['Banana'], 'tags=banana'),
    select('combobox "Fixed"', 'Cherry', 'fixed=cherry'),
    fill('combobox "Fixed"', 'Apple', 'fixed=apple'),
    select('combobox "Own"', 'Apple', 'own=apple'),
    select('combobox "Many"', 'Row 287', 'many=287'),
    fill('combobox "Many"', 'Row 12', 'many=12'),
  ],
}

const downshift: Page = {
  name: 'Downshift',
  code: `import { useState } from 'react'
import { useCombobox, useSelect } from 'downshift'
import { save, show } from './kept'
const all = ['Apple', 'Banana', 'Cherry', 'Damson']
function City() {
  const [items, setItems] = useState(all)
  const c = useCombobox({ items, onInputValueChange: ({ inputValue }) => setItems(all.filter((x) => x.toLowerCase().includes(inputValue.toLowerCase()))), onSelectedItemChange: ({ selectedItem }) => save('fruit')(selectedItem) })
  return <div><label {...c.getLabelProps()}>Fruit</label><input {...c.getInputProps()} /><button {...c.getToggleButtonProps()}>v</button><ul {...c.getMenuProps()}>{c.isOpen && items.map((item, index) => <li key={item} {...c.getItemProps({ item, index })} style={{ background: c.highlightedIndex === index ? '#def' : '' }}>{item}</li>)}</ul></div>
}
function Size() {
  const items = ['Small', 'Medium', 'Large']
  const s = useSelect({ items, onSelectedItemChange: ({ selectedItem }) => save('size')(selectedItem) })
  return <div><label {...s.getLabelProps()}>Size</label><div {...s.getToggleButtonProps()}>{s.selectedItem ?? 'Choose'}</div><ul {...s.getMenuProps()}>{s.isOpen && items.map((item, index) => <li key={item} {...s.getItemProps({ item, index })}>{item}</li>)}</ul></div>
}
show(<><City /><Size /></>)`,
  acts: [
    select('combobox "Fruit"', 'Apple', 'fruit=Apple'),
    select('combobox "Fruit"', 'Cherry', 'fruit=Cherry'),
    fill('combobox "Fruit"', 'Banana', 'fruit=Banana'),
    select('combobox "Size"', 'Medium', 'size=Medium'),
    fill('combobox "Size"', 'Large', 'size=Large'),
    click(['combobox "Size"', '"Small"'], 'size=Small'),
  ],
}

const dates: Page = {
  name: 'react-datepicker',
  code: `import 'react-datepicker/dist/react-datepicker.css'
import DatePicker from 'react-datepicker'
import { format } from 'date-fns'
import { show, useKept } from './kept'
function Day({ name, ...rest }) {
  const [day, set] = useKept(name, null)
  window.kept[name] = day && format(day, rest.showTimeSelect ? 'yyyy-MM-dd HH:mm' : 'yyyy-MM-dd')
  return <div><label htmlFor={name}>{name}</label><DatePicker id={name} selected={day} onChange={set} openToDate={new Date(2026, 10, 1)} {...rest} /></div>
}
show(<><Day name="start" dateFormat="yyyy-MM-dd" /><Day name="end" showTimeSelect timeFormat="HH:mm" dateFormat="yyyy-MM-dd HH:mm" /></>)`,
  acts: [
    fill('textbox "start"', '2026-11-05', 'start=2026-11-05'),
    type('textbox "start"', '2026-11-07', 'start=2026-11-07'),
    click(['textbox "start"', 'November 20th, 2026"'], 'start=2026-11-20'),
    fill('textbox "end"', '2026-11-05 14:30', 'end=2026-11-05 14:30'),
  ],
}

const dayPicker: Page = {
  name: 'React DayPicker',
  code: `import 'react-day-picker/style.css'
import { DayPicker } from 'react-day-picker'
import { format } from 'date-fns'
import { show, useKept } from './kept'
function One() {
  const [day, set] = useKept('day')
  window.kept.day = day && format(day, 'yyyy-MM-dd')
  return <DayPicker mode="single" captionLayout="dropdown" startMonth={new Date(2020, 0)} endMonth={new Date(2030, 0)} defaultMonth={new Date(2026, 10)} selected={day} onSelect={set} onMonthChange={(m) => (window.kept.month = format(m, 'yyyy-MM'))} />
}
show(<One />)`,
  acts: [
    click('"Friday, November 20th, 2026"', 'day=2026-11-20'),
    click('button "Go to the Next Month"', 'month=2026-12'),
    select('combobox "Choose the Month"', 'March', 'month=2026-03'),
    fill('combobox "Choose the Year"', '2028', 'month=2028-03'),
  ],
}

const tiptap: Page = {
  name: 'Tiptap',
  code: `import { EditorContent, useEditor } from '@tiptap/react'
import StarterKit from '@tiptap/starter-kit'
import { save, show } from './kept'
function Edit() {
  const editor = useEditor({ extensions: [StarterKit], content: '<p>Hello</p>', editorProps: { attributes: { 'aria-label': 'Body' } }, onUpdate: ({ editor }) => { save('text')(editor.getText()); save('html')(editor.getHTML()) } })
  return <><button onClick={() => editor.chain().focus().selectAll().toggleBold().run()}>Bold</button><EditorContent editor={editor} /></>
}
show(<Edit />)`,
  acts: [
    fill('textbox "Body"', 'First line', 'text=First line'),
    type('textbox "Body"', 'Other', 'text=Other'),
    click('button "Bold"', 'html=<p><strong>Other</strong></p>'),
    fill('textbox "Body"', 'One\n\nTwo', 'text=One\n\nTwo'),
    fill('textbox "Body"', '', 'text='),
  ],
}

const lexical: Page = {
  name: 'Lexical',
  code: `import { LexicalComposer } from '@lexical/react/LexicalComposer'
import { RichTextPlugin } from '@lexical/react/LexicalRichTextPlugin'
import { ContentEditable } from '@lexical/react/LexicalContentEditable'
import { LexicalErrorBoundary } from '@lexical/react/LexicalErrorBoundary'
import { OnChangePlugin } from '@lexical/react/LexicalOnChangePlugin'
import { $getRoot } from 'lexical'
import { save, show } from './kept'
show(<LexicalComposer initialConfig={{ namespace: 'a', onError: console.error }}><RichTextPlugin contentEditable={<ContentEditable aria-label="Body" aria-placeholder="Write" placeholder={<div>Write</div>} />} ErrorBoundary={LexicalErrorBoundary} /><OnChangePlugin onChange={(state) => state.read(() => save('text')($getRoot().getTextContent()))} /></LexicalComposer>)`,
  acts: [
    fill('textbox "Body"', 'First line', 'text=First line'),
    type('textbox "Body"', 'Other', 'text=Other'),
    fill('textbox "Body"', 'One\nTwo', 'text=One\n\nTwo'),
    fill('textbox "Body"', '', 'text='),
  ],
}

const fluent: Page = {
  name: 'Fluent UI React',
  code: `import { Checkbox, Combobox, Dropdown, FluentProvider, Option, Radio, RadioGroup, Rating, Slider, SpinButton, Switch, TabList, Tab, Tree, TreeItem, TreeItemLayout, webLightTheme } from '@fluentui/react-components'
import { save, show } from './kept'
const fruits = ['Apple', 'Banana', 'Cherry']
show(<FluentProvider theme={webLightTheme}>
  <Dropdown aria-label="Fruit" onOptionSelect={(_, d) => save('fruit')(d.optionValue)}>{fruits.map((f) => <Option key={f}>{f}</Option>)}</Dropdown>
  <Dropdown aria-label="Tags" multiselect onOptionSelect={(_, d) => save('tags')(d.selectedOptions)}>{fruits.map((f) => <Option key={f}>{f}</Option>)}</Dropdown>
  <Combobox aria-label="City" onOptionSelect={(_, d) => save('city')(d.optionValue)}>{['Rome', 'Oslo'].map((f) => <Option key={f}>{f}</Option>)}</Combobox>
  <Checkbox label="Terms" onChange={(_, d) => save('terms')(d.checked)} />
  <Switch label="Wifi" onChange={(_, d) => save('wifi')(d.checked)} />
  <RadioGroup onChange={(_, d) => save('plan')(d.value)}><Radio value="free" label="Free" /><Radio value="pro" label="Pro" /></RadioGroup>
  <Rating onChange={(_, d) => save('stars')(d.value)} />
  <Slider aria-label="Volume" onChange={(_, d) => save('volume')(d.value)} />
  <SpinButton aria-label="Amount" defaultValue={1} onChange={(_, d) => save('amount')(d.value ?? d.displayValue)} />
  <TabList onTabSelect={(_, d) => save('tab')(d.value)}><Tab value="one">One</Tab><Tab value="two">Two</Tab></TabList>
  <Tree aria-label="Files" onOpenChange={(_, d) => save('open')(d.open)}><TreeItem itemType="branch"><TreeItemLayout>src</TreeItemLayout><Tree><TreeItem itemType="leaf"><TreeItemLayout>main</TreeItemLayout></TreeItem></Tree></TreeItem></Tree>
</FluentProvider>)`,
  acts: [
    select('combobox "Fruit"', 'Cherry', 'fruit=Cherry'),
    fill('combobox "Fruit"', 'Apple', 'fruit=Apple'),
    select('combobox "Tags"', ['Apple', 'Cherry'], 'tags=Apple,Cherry'),
    select('combobox "City"', 'Oslo', 'city=Oslo'),
    fill('combobox "City"', 'Rome', 'city=Rome'),
    fill('checkbox "Terms"', true, 'terms=true'),
    fill('switch "Wifi"', true, 'wifi=true'),
    click('radio "Pro"', 'plan=pro'),
    click('radio "4"', 'stars=4'),
    fill('slider "Volume"', '30', 'volume=30'),
    fill('spinbutton "Amount"', '12', 'amount=12', true),
    click('tab "Two"', 'tab=two'),
    click('treeitem "src"', 'open=true'),
  ],
}

export const reactFields: readonly Page[] = [
  reactSelect,
  downshift,
  dates,
  dayPicker,
  tiptap,
  lexical,
  fluent,
]
