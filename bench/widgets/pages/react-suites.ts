// Complete suites for React.

import { click, fill, select, type, type Page } from '../page.ts'

const mui: Page = {
  name: 'MUI',
  code: `import { Autocomplete, Checkbox, FormControl, FormControlLabel, FormLabel, InputLabel, MenuItem, Radio, RadioGroup, Rating, Select, Slider, Switch, TextField, ToggleButton, ToggleButtonGroup } from '@mui/material'
import { save, show, useKept } from './kept'

const fruits = ['Apple', 'Banana', 'Cherry', 'Damson']
function Size() {
  const [size, setSize] = useKept('size', '')
  return <FormControl fullWidth><InputLabel id="size">Size</InputLabel><Select labelId="size" label="Size" value={size} onChange={(e) => setSize(e.target.value)}><MenuItem value="s">Small</MenuItem><MenuItem value="m">Medium</MenuItem></Select></FormControl>
}
function Days() {
  const [days, setDays] = useKept('days', [])
  return <FormControl fullWidth><InputLabel id="days">Days</InputLabel><Select labelId="days" label="Days" multiple value={days} onChange={(e) => setDays(e.target.value)}>{['Mon', 'Tue', 'Wed'].map((d) => <MenuItem key={d} value={d}>{d}</MenuItem>)}</Select></FormControl>
}
function Align() {
  const [align, setAlign] = useKept('align', 'left')
  return <ToggleButtonGroup exclusive value={align} onChange={(_, v) => setAlign(v)}><ToggleButton value="left">Left</ToggleButton><ToggleButton value="right">Right</ToggleButton></ToggleButtonGroup>
}
show(<>
  <Autocomplete options={fruits} onChange={(_, v) => save('fruit')(v)} renderInput={(p) => <TextField {...p} label="Fruit" />} />
  <Autocomplete multiple options={fruits} onChange={(_, v) => save('tags')(v)} renderInput={(p) => <TextField {...p} label="Tags" />} />
  <Size /><Days /><Align />
  <FormControlLabel control={<Checkbox onChange={(e) => save('terms')(e.target.checked)} />} label="Terms" />
  <FormControlLabel control={<Switch onChange={(e) => save('wifi')(e.target.checked)} />} label="Wifi" />
  <FormControl><FormLabel id="plan">Plan</FormLabel><RadioGroup aria-labelledby="plan" onChange={(_, v) => save('plan')(v)}><FormControlLabel value="free" control={<Radio />} label="Free" /><FormControlLabel value="pro" control={<Radio />} label="Pro" /></RadioGroup></FormControl>
  <Rating name="stars" onChange={(_, v) => save('stars')(v)} />
  <Slider aria-label="Volume" onChange={(_, v) => save('volume')(v)} />
  <TextField label="Notes" multiline onChange={save('notes')} />
</>)`,
  acts: [
    select('combobox "Fruit"', 'Cherry', 'fruit=Cherry'),
    select('combobox "Tags"', ['Apple', 'Damson'], 'tags=Apple,Damson'),
    select('combobox "Size', 'Medium', 'size=m'),
    select('combobox "Days', ['Mon', 'Wed'], 'days=Mon,Wed'),
    click('button "Right"', 'align=right'),
    fill('checkbox "Terms"', true, 'terms=true'),
    fill('switch "Wifi"', true, 'wifi=true'),
    click('radio "Pro"', 'plan=pro'),
    click('"4 Stars"', 'stars=4'),
    click('"2 Stars"', 'stars=2'),
    fill('slider "Volume"', '30', 'volume=30'),
    fill('textbox "Notes"', 'Two\nlines', 'notes=Two\nlines'),
  ],
}

const muiDates: Page = {
  name: 'MUI X',
  code: `import { DatePicker, DateTimePicker, LocalizationProvider, TimePicker } from '@mui/x-date-pickers'
import { AdapterDayjs } from '@mui/x-date-pickers/AdapterDayjs'
import { save, show } from './kept'
show(<LocalizationProvider dateAdapter={AdapterDayjs}>
  <DatePicker label="Start" onChange={(v) => save('start')(v?.format('YYYY-MM-DD'))} />
  <TimePicker label="At" ampm={false} onChange={(v) => save('at')(v?.format('HH:mm'))} />
  <DateTimePicker label="End" ampm={false} onChange={(v) => save('end')(v?.format('YYYY-MM-DD HH:mm'))} />
</LocalizationProvider>)`,
  acts: [
    fill('spinbutton "Month"', '07', 'start=undefined'),
    fill('spinbutton "Day"', '05', 'start=undefined'),
    fill('spinbutton "Year"', '2026', 'start=2026-07-05'),
    click(['button "Choose date, selected date is Jul', 'gridcell "20"'], 'start=2026-07-20'),
    type('spinbutton "Day"', '14', 'start=2026-07-14'),
    fill('spinbutton "Hours"', '14', 'at=undefined'),
    fill('spinbutton "Minutes"', '30', 'at=14:30'),
    click(['button "Choose time', 'option "9 hours"'], 'at=09:30'),
  ],
}

const antd: Page = {
  name: 'Ant Design',
  code: `import { AutoComplete, Cascader, Checkbox, DatePicker, Input, InputNumber, Radio, Rate, Segmented, Select, Slider, Switch, TimePicker, TreeSelect } from 'antd'
import { save, show, useKept } from './kept'
const fruits = ['Apple', 'Banana', 'Cherry', 'Damson'].map((value) => ({ value, label: value }))
const F = ({ name, children }) => <div><label htmlFor={name}>{name}</label>{children}</div>
function City() {
  const [city, setCity] = useKept('city', undefined)
  return <F name="City"><Select id="City" style={{ width: 200 }} showSearch value={city} onChange={setCity} options={['Rome', 'Oslo', 'Bern'].map((value) => ({ value, label: value }))} /></F>
}
show(<>
  <F name="Fruit"><Select id="Fruit" style={{ width: 200 }} options={fruits} onChange={save('fruit')} /></F>
  <F name="Tags"><Select id="Tags" mode="multiple" style={{ width: 300 }} options={fruits} onChange={save('tags')} /></F>
  <City />
  <F name="Guess"><AutoComplete id="Guess" style={{ width: 200 }} options={fruits} onChange={save('guess')} /></F>
  <F name="Place"><Cascader id="Place" options={[{ value: 'it', label: 'Italy', children: [{ value: 'rome', label: 'Rome' }] }]} onChange={save('place')} /></F>
  <F name="Branch"><TreeSelect id="Branch" style={{ width: 200 }} treeDefaultExpandAll treeData={[{ value: 'r', title: 'Root', children: [{ value: 'l', title: 'Leaf' }] }]} onChange={save('branch')} /></F>
  <Checkbox onChange={save('terms')}>Terms</Checkbox>
  <Switch aria-label="Wifi" onChange={save('wifi')} />
  <Radio.Group onChange={save('plan')}><Radio value="free">Free</Radio><Radio value="pro">Pro</Radio></Radio.Group>
  <Radio.Group onChange={save('size')}><Radio.Button value="s">Small</Radio.Button><Radio.Button value="l">Large</Radio.Button></Radio.Group>
  <Segmented options={['Daily', 'Weekly', 'Monthly']} onChange={save('period')} />
  <Rate onChange={save('stars')} />
  <F name="Day"><DatePicker id="Day" onChange={(_, s) => save('day')(s)} /></F>
  <F name="Clock"><TimePicker id="Clock" onChange={(_, s) => save('clock')(s)} /></F>
  <DatePicker.RangePicker placeholder={['From', 'To']} onChange={(_, s) => save('range')(s)} />
  <F name="Amount"><InputNumber id="Amount" onChange={save('amount')} /></F>
  <Input.OTP length={4} onChange={save('code')} />
</>)`,
  acts: [
    select('combobox "Fruit"', 'Cherry', 'fruit=Cherry'),
    select('combobox "Tags"', ['Apple', 'Damson'], 'tags=Apple,Damson'),
    select('combobox "City"', 'Oslo', 'city=Oslo'),
    fill('combobox "City"', 'Bern', 'city=Bern'),
    click(['combobox "Place"', '"Italy right"', '"Rome"'], 'place=it,rome'),
    select('combobox "Branch"', 'Leaf', 'branch=l'),
    fill('combobox "Guess"', 'Fig', 'guess=Fig'),
    fill('checkbox "Terms"', true, 'terms=true'),
    click('switch "Wifi"', 'wifi=true'),
    click('radio "Pro"', 'plan=pro'),
    click('radio "Large"', 'size=l'),
    click('radio "Weekly"', 'period=Weekly'),
    fill('radio "Monthly"', true, 'period=Monthly'),
    click('radio "star star"', 'stars=1'),
    fill('textbox "Day"', '2026-11-05', 'day=2026-11-05', true),
    fill('textbox "Clock"', '14:30:00', 'clock=14:30:00', true),
    click(['textbox "Day"', '"20"'], 'day=2026-11-20'),
    fill('spinbutton "Amount"', 12, 'amount=12'),
  ],
}

const mantine: Page = {
  name: 'Mantine',
  code: `import '@mantine/core/styles.css'
import '@mantine/dates/styles.css'
import { Autocomplete, Checkbox, ColorInput, MantineProvider, MultiSelect, NumberInput, PasswordInput, PinInput, Radio, Rating, SegmentedControl, Select, Slider, Switch, TagsInput, Chip } from '@mantine/core'
import { DateInput, DatePickerInput, TimeInput } from '@mantine/dates'
import { save, show } from './kept'
const fruits = ['Apple', 'Banana', 'Cherry', 'Damson']
show(<MantineProvider>
  <Select label="Fruit" data={fruits} onChange={save('fruit')} />
  <Select label="City" searchable data={['Rome', 'Oslo', 'Bern']} onChange={save('city')} />
  <MultiSelect label="Tags" data={fruits} onChange={save('tags')} />
  <Autocomplete label="Guess" data={fruits} onChange={save('guess')} />
  <TagsInput label="Words" onChange={save('words')} />
  <Checkbox label="Terms" onChange={(e) => save('terms')(e.currentTarget.checked)} />
  <Switch label="Wifi" onChange={(e) => save('wifi')(e.currentTarget.checked)} />
  <Radio.Group label="Plan" onChange={save('plan')}><Radio value="free" label="Free" /><Radio value="pro" label="Pro" /></Radio.Group>
  <SegmentedControl data={['Daily', 'Weekly', 'Monthly']} onChange={save('period')} />
  <Rating onChange={save('stars')} />
  <Chip onChange={save('chip')}>Awesome</Chip>
  <NumberInput label="Amount" thousandSeparator="," onChange={save('amount')} />
  <DateInput label="Day" valueFormat="YYYY-MM-DD" onChange={save('day')} />
  <DatePickerInput label="Start" defaultDate="2026-11-01" onChange={save('start')} />
  <TimeInput label="Clock" onChange={save('clock')} />
  <Slider aria-label="Volume" thumbLabel="Volume" onChange={save('volume')} />
</MantineProvider>)`,
  acts: [
    select('combobox "Fruit"', 'Cherry', 'fruit=Cherry'),
    select('combobox "City"', 'Oslo', 'city=Oslo'),
    select('combobox "Tags"', ['Apple', 'Damson'], 'tags=Apple,Damson'),
    fill('combobox "Guess"', 'Fig', 'guess=Fig'),
    fill('checkbox "Terms"', true, 'terms=true'),
    fill('switch "Wifi"', true, 'wifi=true'),
    click('radio "Pro"', 'plan=pro'),
    click('radio "Weekly"', 'period=Weekly'),
    fill('radio "Monthly"', true, 'period=Monthly'),
    click('radio "4"', 'stars=4'),
    click('checkbox "Awesome"', 'chip=true'),
    fill('textbox "Amount"', '1234', 'amount=1234'),
    fill('textbox "Day"', '2026-11-05', 'day=2026-11-05', true),
    click(['button "Start"', '"20 November 2026"'], 'start=2026-11-20'),
    fill('"Clock"', '14:30', 'clock=14:30'),
    fill('slider "Volume"', '30', 'volume=30'),
  ],
}

const chakra: Page = {
  name: 'Chakra UI',
  code: `import { ChakraProvider, Checkbox, Combobox, createListCollection, defaultSystem, NumberInput, PinInput, Portal, RadioGroup, RatingGroup, SegmentGroup, Select, Slider, Switch, useListCollection } from '@chakra-ui/react'
import { save, show } from './kept'
const fruits = createListCollection({ items: ['Apple', 'Banana', 'Cherry', 'Damson'] })
const Pick = ({ label, name, multiple }) => <Select.Root multiple={multiple} collection={fruits} onValueChange={(d) => save(name)(d.value)}><Select.HiddenSelect /><Select.Label>{label}</Select.Label><Select.Control><Select.Trigger><Select.ValueText placeholder="Choose" /></Select.Trigger></Select.Control><Portal><Select.Positioner><Select.Content>{fruits.items.map((f) => <Select.Item item={f} key={f}>{f}<Select.ItemIndicator /></Select.Item>)}</Select.Content></Select.Positioner></Portal></Select.Root>
function City() {
  const { collection, filter } = useListCollection({ initialItems: ['Rome', 'Oslo', 'Bern'], filter: (a, b) => a.toLowerCase().includes(b.toLowerCase()) })
  return <Combobox.Root collection={collection} onInputValueChange={(e) => filter(e.inputValue)} onValueChange={(d) => save('city')(d.value)}><Combobox.Label>City</Combobox.Label><Combobox.Control><Combobox.Input /><Combobox.Trigger /></Combobox.Control><Portal><Combobox.Positioner><Combobox.Content>{collection.items.map((i) => <Combobox.Item item={i} key={i}>{i}</Combobox.Item>)}</Combobox.Content></Combobox.Positioner></Portal></Combobox.Root>
}
show(<ChakraProvider value={defaultSystem}>
  <Pick label="Fruit" name="fruit" /><Pick label="Tags" name="tags" multiple /><City />
  <Checkbox.Root onCheckedChange={(d) => save('terms')(d.checked)}><Checkbox.HiddenInput /><Checkbox.Control /><Checkbox.Label>Terms</Checkbox.Label></Checkbox.Root>
  <Switch.Root onCheckedChange={(d) => save('wifi')(d.checked)}><Switch.HiddenInput /><Switch.Control /><Switch.Label>Wifi</Switch.Label></Switch.Root>
  <RadioGroup.Root onValueChange={(d) => save('plan')(d.value)}>{['Free', 'Pro'].map((v) => <RadioGroup.Item key={v} value={v}><RadioGroup.ItemHiddenInput /><RadioGroup.ItemIndicator /><RadioGroup.ItemText>{v}</RadioGroup.ItemText></RadioGroup.Item>)}</RadioGroup.Root>
  <SegmentGroup.Root onValueChange={(d) => save('period')(d.value)}><SegmentGroup.Indicator /><SegmentGroup.Items items={['Daily', 'Weekly']} /></SegmentGroup.Root>
  <RatingGroup.Root count={5} onValueChange={(d) => save('stars')(d.value)}><RatingGroup.HiddenInput /><RatingGroup.Control /></RatingGroup.Root>
  <NumberInput.Root onValueChange={(d) => save('amount')(d.value)}><NumberInput.Label>Amount</NumberInput.Label><NumberInput.Control /><NumberInput.Input /></NumberInput.Root>
  <PinInput.Root onValueChange={(d) => save('pin')(d.value.join(''))}><PinInput.HiddenInput /><PinInput.Control><PinInput.Input index={0} /><PinInput.Input index={1} /></PinInput.Control></PinInput.Root>
  <Slider.Root aria-label={['Volume']} onValueChange={(d) => save('volume')(d.value)}><Slider.Control><Slider.Track><Slider.Range /></Slider.Track><Slider.Thumbs /></Slider.Control></Slider.Root>
</ChakraProvider>)`,
  acts: [
    select('combobox "Fruit"', 'Cherry', 'fruit=Cherry'),
    select('combobox "Tags"', ['Apple', 'Damson'], 'tags=Apple,Damson'),
    select('combobox "City"', 'Oslo', 'city=Oslo'),
    fill('combobox "City"', 'Bern', 'city=Bern'),
    click('checkbox "Terms"', 'terms=true'),
    fill('checkbox "Terms"', false, 'terms=false'),
    fill('checkbox "Wifi"', true, 'wifi=true'),
    click('radio "Pro"', 'plan=Pro'),
    click('radio "Weekly"', 'period=Weekly'),
    click('radio "4 stars"', 'stars=4'),
    fill('spinbutton "Amount"', '12', 'amount=12'),
    fill('textbox "pin code 1 of 2"', '7', 'pin=7'),
    fill('slider "Volume"', '30', 'volume=30'),
  ],
}

export const reactSuites: readonly Page[] = [mui, muiDates, antd, mantine, chakra]
