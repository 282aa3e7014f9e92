// Parts without a style, and smaller suites for React.

import { click, fill, select, type Page } from '../page.ts'

const radix: Page = {
  name: 'Radix',
  code: `import { Checkbox, RadioGroup, Select, Slider, Switch, Tabs, Toggle, ToggleGroup, DropdownMenu, Accordion, Label } from 'radix-ui'
import { save, show } from './kept'
const Item = ({ value, children }) => <Select.Item value={value}><Select.ItemText>{children}</Select.ItemText></Select.Item>
show(<>
  <Label.Root htmlFor="fruit">Fruit</Label.Root>
  <Select.Root onValueChange={save('fruit')}><Select.Trigger id="fruit"><Select.Value placeholder="Choose" /></Select.Trigger><Select.Portal><Select.Content><Select.Viewport><Item value="a">Apple</Item><Item value="b">Banana</Item><Item value="c">Cherry</Item></Select.Viewport></Select.Content></Select.Portal></Select.Root>
  <div><Checkbox.Root id="terms" onCheckedChange={save('terms')} style={{ width: 20, height: 20 }}><Checkbox.Indicator>x</Checkbox.Indicator></Checkbox.Root><label htmlFor="terms">Terms</label></div>
  <div><Switch.Root id="wifi" onCheckedChange={save('wifi')} style={{ width: 40, height: 20 }}><Switch.Thumb /></Switch.Root><label htmlFor="wifi">Wifi</label></div>
  <RadioGroup.Root onValueChange={save('plan')}>{['Free', 'Pro'].map((v) => <div key={v}><RadioGroup.Item id={v} value={v} style={{ width: 20, height: 20 }} /><label htmlFor={v}>{v}</label></div>)}</RadioGroup.Root>
  <Slider.Root onValueChange={save('volume')} style={{ display: 'flex', position: 'relative', height: 20, width: 200 }}><Slider.Track style={{ flexGrow: 1, height: 3, background: 'grey' }} /><Slider.Thumb aria-label="Volume" style={{ display: 'block', width: 20, height: 20, background: 'black' }} /></Slider.Root>
  <Toggle.Root onPressedChange={save('bold')}>Bold</Toggle.Root>
  <ToggleGroup.Root type="single" onValueChange={save('align')}><ToggleGroup.Item value="left">Left</ToggleGroup.Item><ToggleGroup.Item value="right">Right</ToggleGroup.Item></ToggleGroup.Root>
  <Tabs.Root onValueChange={save('tab')}><Tabs.List><Tabs.Trigger value="one">One</Tabs.Trigger><Tabs.Trigger value="two">Two</Tabs.Trigger></Tabs.List></Tabs.Root>
  <DropdownMenu.Root><DropdownMenu.Trigger>Menu</DropdownMenu.Trigger><DropdownMenu.Portal><DropdownMenu.Content><DropdownMenu.Item onSelect={() => save('menu')('copy')}>Copy</DropdownMenu.Item><DropdownMenu.CheckboxItem onCheckedChange={save('grid')}>Grid</DropdownMenu.CheckboxItem></DropdownMenu.Content></DropdownMenu.Portal></DropdownMenu.Root>
</>)`,
  acts: [
    select('combobox "Fruit"', 'Cherry', 'fruit=c'),
    fill('combobox "Fruit"', 'Banana', 'fruit=b'),
    click(['combobox "Fruit"', '"Apple"'], 'fruit=a'),
    fill('checkbox "Terms"', true, 'terms=true'),
    click('checkbox "Terms"', 'terms=false'),
    fill('switch "Wifi"', true, 'wifi=true'),
    fill('radio "Pro"', true, 'plan=Pro'),
    fill('slider "Volume"', '30', 'volume=30'),
    click('button "Bold"', 'bold=true'),
    click('radio "Right"', 'align=right'),
    click('tab "Two"', 'tab=two'),
    click(['button "Menu"', 'menuitem "Copy"'], 'menu=copy'),
    click(['button "Menu"', 'menuitemcheckbox "Grid"'], 'grid=true'),
  ],
}

const shadcn: Page = {
  name: 'shadcn (cmdk)',
  code: `import { Popover } from 'radix-ui'
import { Command } from 'cmdk'
import { useState } from 'react'
import { save, show, useKept } from './kept'
const frameworks = ['React', 'Svelte', 'Solid', 'Vue']
function Picker() {
  const [open, setOpen] = useState(false)
  const [value, setValue] = useKept('framework', '')
  return <Popover.Root open={open} onOpenChange={setOpen}><Popover.Trigger asChild><button role="combobox" aria-expanded={open} aria-label="Framework">{value || 'Choose a framework'}</button></Popover.Trigger><Popover.Content><Command><Command.Input placeholder="Search framework" /><Command.List><Command.Empty>None</Command.Empty>{frameworks.map((f) => <Command.Item key={f} value={f} onSelect={(v) => { setValue(v); setOpen(false) }}>{f}</Command.Item>)}</Command.List></Command></Popover.Content></Popover.Root>
}
function Many() {
  const [open, setOpen] = useState(false)
  const [values, setValues] = useKept('many', [])
  return <Popover.Root open={open} onOpenChange={setOpen}><Popover.Trigger asChild><button role="combobox" aria-expanded={open} aria-label="Skills">{values.join(', ') || 'Choose skills'}</button></Popover.Trigger><Popover.Content><Command><Command.Input /><Command.List>{frameworks.map((f) => <Command.Item key={f} value={f} onSelect={(v) => setValues(values.includes(v) ? values.filter((x) => x !== v) : [...values, v])}>{f}{values.includes(f) && <svg width="10" height="10"><circle r="5" /></svg>}</Command.Item>)}</Command.List></Command></Popover.Content></Popover.Root>
}
show(<><Picker /><Many /><Command label="Actions"><Command.Input placeholder="Type a command" onValueChange={save('query')} /><Command.List>{['Open', 'Close', 'Print'].map((a) => <Command.Item key={a} onSelect={save('action')}>{a}</Command.Item>)}</Command.List></Command></>)`,
  acts: [
    select('combobox "Framework"', 'React', 'framework=React'),
    select('combobox "Framework"', 'Solid', 'framework=Solid'),
    fill('combobox "Framework"', 'React', 'framework=React'),
    fill('combobox "Framework"', 'Vue', 'framework=Vue'),
    click(['combobox "Framework"', '"Svelte"'], 'framework=Svelte'),
    select('combobox "Skills"', ['React', 'Vue'], 'many=React,Vue'),
    select('combobox "Skills"', ['Vue', 'Solid'], 'many=Vue,Solid'),
    click('"Print"', 'action=Print'),
    fill('combobox "Actions"', 'Clo', 'query=Clo'),
    click('option "Close"', 'action=Close'),
  ],
}

const headless: Page = {
  name: 'Headless UI',
  code: `import { useState } from 'react'
import { Checkbox, Combobox, ComboboxButton, ComboboxInput, ComboboxOption, ComboboxOptions, Field, Label, Listbox, ListboxButton, ListboxOption, ListboxOptions, Menu, MenuButton, MenuItem, MenuItems, Radio, RadioGroup, Switch, Tab, TabGroup, TabList, TabPanel, TabPanels } from '@headlessui/react'
import { save, show, useKept } from './kept'
const fruits = ['Apple', 'Banana', 'Cherry']
function Fruit() {
  const [fruit, set] = useKept('fruit', 'Apple')
  return <Field><Label>Fruit</Label><Listbox value={fruit} onChange={set}><ListboxButton>{fruit}</ListboxButton><ListboxOptions anchor="bottom">{fruits.map((f) => <ListboxOption key={f} value={f}>{f}</ListboxOption>)}</ListboxOptions></Listbox></Field>
}
function Tags() {
  const [tags, set] = useKept('tags', [])
  return <Field><Label>Tags</Label><Listbox value={tags} onChange={set} multiple><ListboxButton>{tags.join(', ') || 'none'}</ListboxButton><ListboxOptions anchor="bottom">{fruits.map((f) => <ListboxOption key={f} value={f}>{f}</ListboxOption>)}</ListboxOptions></Listbox></Field>
}
function City() {
  const [city, set] = useKept('city', null)
  const [query, setQuery] = useState('')
  const cities = ['Rome', 'Oslo', 'Bern'].filter((c) => c.toLowerCase().includes(query.toLowerCase()))
  return <Field><Label>City</Label><Combobox value={city} onChange={set} onClose={() => setQuery('')}><ComboboxInput displayValue={(c) => c ?? ''} onChange={(e) => setQuery(e.target.value)} /><ComboboxButton>v</ComboboxButton><ComboboxOptions anchor="bottom">{cities.map((c) => <ComboboxOption key={c} value={c}>{c}</ComboboxOption>)}</ComboboxOptions></Combobox></Field>
}
function Plan() {
  const [plan, set] = useKept('plan', 'Free')
  return <RadioGroup aria-label="Plan" value={plan} onChange={set}>{['Free', 'Pro'].map((p) => <Field key={p}><Radio value={p} style={{ display: 'block', width: 16, height: 16, border: '1px solid' }} /><Label>{p}</Label></Field>)}</RadioGroup>
}
show(<><Fruit /><Tags /><City /><Plan />
  <Field><Checkbox onChange={save('terms')} style={{ display: 'block', width: 16, height: 16, border: '1px solid' }} /><Label>Terms</Label></Field>
  <Field><Switch onChange={save('wifi')} style={{ width: 30, height: 16 }} /><Label>Wifi</Label></Field>
  <Menu><MenuButton>Menu</MenuButton><MenuItems anchor="bottom"><MenuItem><button onClick={() => save('menu')('copy')}>Copy</button></MenuItem></MenuItems></Menu>
  <TabGroup onChange={save('tab')}><TabList><Tab>One</Tab><Tab>Two</Tab></TabList><TabPanels><TabPanel>1</TabPanel><TabPanel>2</TabPanel></TabPanels></TabGroup>
</>)`,
  acts: [
    select('button "Fruit', 'Cherry', 'fruit=Cherry'),
    fill('button "Fruit', 'Banana', 'fruit=Banana'),
    click(['button "Fruit', '"Apple"'], 'fruit=Apple'),
    select('button "Tags', ['Apple', 'Cherry'], 'tags=Apple,Cherry'),
    select('button "Tags', ['Banana'], 'tags=Banana'),
    select('combobox "City"', 'Oslo', 'city=Oslo'),
    fill('combobox "City"', 'Bern', 'city=Bern'),
    click('radio "Pro"', 'plan=Pro'),
    fill('checkbox "Terms"', true, 'terms=true'),
    fill('switch "Wifi"', true, 'wifi=true'),
    click(['button "Menu"', 'menuitem "Copy"'], 'menu=copy'),
    click('tab "Two"', 'tab=1'),
  ],
}

const ariakit: Page = {
  name: 'Ariakit',
  code: `import * as A from '@ariakit/react'
import { save, show } from './kept'
const fruits = ['Apple', 'Banana', 'Cherry']
show(<>
  <A.SelectProvider setValue={save('fruit')} defaultValue="Apple"><A.SelectLabel>Fruit</A.SelectLabel><A.Select /><A.SelectPopover>{fruits.map((f) => <A.SelectItem key={f} value={f} />)}</A.SelectPopover></A.SelectProvider>
  <A.SelectProvider setValue={save('tags')} defaultValue={[]}><A.SelectLabel>Tags</A.SelectLabel><A.Select>Tags</A.Select><A.SelectPopover>{fruits.map((f) => <A.SelectItem key={f} value={f}><A.SelectItemCheck />{f}</A.SelectItem>)}</A.SelectPopover></A.SelectProvider>
  <A.ComboboxProvider setValue={save('city')}><A.ComboboxLabel>City</A.ComboboxLabel><A.Combobox /><A.ComboboxPopover>{['Rome', 'Oslo', 'Bern'].map((c) => <A.ComboboxItem key={c} value={c} />)}</A.ComboboxPopover></A.ComboboxProvider>
  <label><A.Checkbox onChange={(e) => save('terms')(e.target.checked)} />Terms</label>
  <A.RadioProvider setValue={save('plan')}><A.RadioGroup><label><A.Radio value="free" />Free</label><label><A.Radio value="pro" />Pro</label></A.RadioGroup></A.RadioProvider>
  <A.MenuProvider><A.MenuButton>Menu</A.MenuButton><A.Menu><A.MenuItem onClick={() => save('menu')('copy')}>Copy</A.MenuItem></A.Menu></A.MenuProvider>
  <A.TabProvider setSelectedId={save('tab')}><A.TabList><A.Tab id="one">One</A.Tab><A.Tab id="two">Two</A.Tab></A.TabList></A.TabProvider>
</>)`,
  acts: [
    select('combobox "Fruit"', 'Cherry', 'fruit=Cherry'),
    fill('combobox "Fruit"', 'Banana', 'fruit=Banana'),
    select('combobox "Tags"', ['Apple', 'Cherry'], 'tags=Apple,Cherry'),
    select('combobox "City"', 'Oslo', 'city=Oslo'),
    fill('combobox "City"', 'Bern', 'city=Bern'),
    fill('checkbox "Terms"', true, 'terms=true'),
    click('radio "Pro"', 'plan=pro'),
    click(['button "Menu"', 'menuitem "Copy"'], 'menu=copy'),
    click('tab "Two"', 'tab=two'),
  ],
}

const reactAria: Page = {
  name: 'React Aria',
  code: `import { Button, Checkbox, ComboBox, DateField, DateInput, DatePicker, DateSegment, Dialog, Calendar, CalendarCell, CalendarGrid, Heading, Group, Input, Label, ListBox, ListBoxItem, NumberField, Popover, Radio, RadioGroup, Select, SelectValue, Slider, SliderThumb, SliderTrack, Switch, TimeField, ToggleButton, ToggleButtonGroup, Tree, TreeItem, TreeItemContent, GridList, GridListItem } from 'react-aria-components'
import { save, show } from './kept'
const List = () => <ListBox>{['Apple', 'Banana', 'Cherry'].map((f) => <ListBoxItem key={f} id={f}>{f}</ListBoxItem>)}</ListBox>
show(<>
  <Select onSelectionChange={save('fruit')} onChange={save('fruit')}><Label>Fruit</Label><Button><SelectValue /></Button><Popover><List /></Popover></Select>
  <ComboBox onSelectionChange={save('city')} onChange={save('city')}><Label>City</Label><Input /><Button>v</Button><Popover><List /></Popover></ComboBox>
  <Checkbox onChange={save('terms')}><div style={{ width: 16, height: 16, border: '1px solid' }} />Terms</Checkbox>
  <Switch onChange={save('wifi')}><div style={{ width: 30, height: 16, border: '1px solid' }} />Wifi</Switch>
  <RadioGroup onChange={save('plan')}><Label>Plan</Label><Radio value="free">Free</Radio><Radio value="pro">Pro</Radio></RadioGroup>
  <NumberField onChange={save('amount')}><Label>Amount</Label><Group><Button slot="decrement">-</Button><Input /><Button slot="increment">+</Button></Group></NumberField>
  <DateField onChange={(v) => save('day')(v?.toString())}><Label>Day</Label><DateInput>{(s) => <DateSegment segment={s} />}</DateInput></DateField>
  <TimeField hourCycle={24} onChange={(v) => save('clock')(v?.toString())}><Label>Clock</Label><DateInput>{(s) => <DateSegment segment={s} />}</DateInput></TimeField>
  <Slider onChange={save('volume')}><Label>Volume</Label><SliderTrack style={{ width: 200, height: 20 }}><SliderThumb style={{ width: 16, height: 16, background: 'black' }} /></SliderTrack></Slider>
  <ToggleButton onChange={save('bold')}>Bold</ToggleButton>
  <ListBox aria-label="Skills" selectionMode="multiple" onSelectionChange={(s) => save('skills')([...s])}><ListBoxItem id="js">JavaScript</ListBoxItem><ListBoxItem id="py">Python</ListBoxItem></ListBox>
  <Tree aria-label="Files" selectionMode="single" onSelectionChange={(s) => save('file')([...s])} defaultExpandedKeys={['src']}><TreeItem id="src" textValue="src"><TreeItemContent><Button slot="chevron">v</Button>src</TreeItemContent><TreeItem id="main" textValue="main"><TreeItemContent>main</TreeItemContent></TreeItem></TreeItem></Tree>
  <GridList aria-label="Rows" selectionMode="multiple" onSelectionChange={(s) => save('rows')([...s])}><GridListItem id="r1" textValue="Ada"><Checkbox slot="selection">x</Checkbox>Ada</GridListItem><GridListItem id="r2" textValue="Bob"><Checkbox slot="selection">x</Checkbox>Bob</GridListItem></GridList>
</>)`,
  acts: [
    select('button "Select an item Fruit"', 'Cherry', 'fruit=Cherry'),
    click(['button "Cherry Fruit"', '"Banana"'], 'fruit=Banana'),
    select('combobox "City"', 'Cherry', 'city=Cherry'),
    fill('combobox "City"', 'Banana', 'city=Banana'),
    fill('checkbox "Terms"', true, 'terms=true'),
    click('switch "Wifi"', 'wifi=true'),
    click('radio "Pro"', 'plan=pro'),
    fill('textbox "Amount"', '12', 'amount=12', true),
    fill('spinbutton "month, Day"', '11', 'day=undefined'),
    fill('spinbutton "day, Day"', '5', 'day=undefined'),
    fill('spinbutton "year, Day"', '2026', 'day=2026-11-05'),
    fill('spinbutton "hour, Clock"', '14', 'clock=undefined'),
    fill('spinbutton "minute, Clock"', '30', 'clock=14:30:00'),
    fill('slider "Volume"', '30', 'volume=30'),
    click('button "Bold"', 'bold=true'),
    select('listbox "Skills"', ['JavaScript', 'Python'], 'skills=js,py'),
    click('row "main"', 'file=main'),
    click('row "Bob"', 'rows=r2'),
  ],
}

export const reactParts: readonly Page[] = [radix, shadcn, headless, ariakit, reactAria]
