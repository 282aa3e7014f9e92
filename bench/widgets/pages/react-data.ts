// Tables and trees for React, and two more suites.

import { click, fill, select, type, type Page } from '../page.ts'

const agGrid: Page = {
  name: 'AG Grid',
  code: `import { AgGridReact } from 'ag-grid-react'
import { AllCommunityModule, ModuleRegistry } from 'ag-grid-community'
import { useState } from 'react'
import { save, show } from './kept'
ModuleRegistry.registerModules([AllCommunityModule])
const rowData = Array.from({ length: 200 }, (_, i) => ({ name: 'Person ' + String(i).padStart(3, '0'), age: 200 - i }))
show(<div style={{ height: 400, width: 460 }}><AgGridReact rowData={rowData} columnDefs={[{ field: 'name', filter: true }, { field: 'age', editable: true }]} rowSelection={{ mode: 'multiRow' }}
  onSortChanged={(e) => save('first')(e.api.getDisplayedRowAtIndex(0).data.name)} onSelectionChanged={(e) => save('rows')(e.api.getSelectedRows().map((r) => r.name))} onCellClicked={(e) => save('cell')(e.value)} onCellValueChanged={(e) => save('edited')(e.newValue)} /></div>)`,
  acts: [
    click('checkbox "Press Space to toggle row selection', 'rows=Person 000'),
    click('gridcell "199"', 'cell=199'),
    click('columnheader "Age"', 'first=Person 199'),
    click('columnheader "Age"', 'first=Person 000'),
    click('gridcell "Person 003"', 'cell=Person 003'),
  ],
}

const arborist: Page = {
  name: 'react-arborist',
  code: `import { Tree } from 'react-arborist'
import { save, show } from './kept'
const data = [{ id: '1', name: 'src', children: [{ id: '2', name: 'main' }, { id: '3', name: 'test' }] }, { id: '4', name: 'docs', children: [{ id: '5', name: 'guide' }] }]
show(<Tree initialData={data} openByDefault={false} onSelect={(n) => save('chosen')(n.map((x) => x.data.name))} onToggle={save('toggled')} />)`,
  acts: [click(': docs', 'chosen=docs'), click(': src', 'chosen=src'), click(': main', 'chosen=main')],
}

const rsuite: Page = {
  name: 'rsuite',
  code: `import 'rsuite/dist/rsuite.min.css'
import { Checkbox, CheckPicker, DatePicker, Input, InputNumber, InputPicker, Radio, RadioGroup, Rate, SelectPicker, Slider, TagPicker, Toggle, Tree, AutoComplete } from 'rsuite'
import { format } from 'date-fns'
import { save, show } from './kept'
const data = ['Apple', 'Banana', 'Cherry'].map((value) => ({ value, label: value }))
show(<>
  <SelectPicker label="Fruit" aria-label="Fruit" data={data} onChange={save('fruit')} />
  <CheckPicker label="Tags" data={data} onChange={save('tags')} />
  <InputPicker aria-label="City" data={data} onChange={save('city')} />
  <Checkbox onChange={(_, c) => save('terms')(c)}>Terms</Checkbox>
  <Toggle onChange={save('wifi')}>Wifi</Toggle>
  <RadioGroup name="plan" onChange={save('plan')}><Radio value="free">Free</Radio><Radio value="pro">Pro</Radio></RadioGroup>
  <Rate onChange={save('stars')} />
  <Slider aria-label="Volume" onChange={save('volume')} />
  <InputNumber aria-label="Amount" onChange={save('amount')} />
  <DatePicker aria-label="Day" format="yyyy-MM-dd" oneTap onChange={(d) => save('day')(d && format(d, 'yyyy-MM-dd'))} />
</>)`,
  acts: [
    select('combobox "Fruit', 'Cherry', 'fruit=Cherry'),
    fill('combobox "Fruit', 'Banana', 'fruit=Banana'),
    select('combobox "Tags', ['Apple', 'Cherry'], 'tags=Apple,Cherry'),
    fill('checkbox "Terms"', true, 'terms=true'),
    fill('switch "Wifi"', true, 'wifi=true'),
    click('radio "Pro"', 'plan=pro'),
    fill('slider "Volume"', '30', 'volume=30'),
    fill('"Amount"', '12', 'amount=12', true),
  ],
}

const primereact: Page = {
  name: 'PrimeReact',
  code: `import 'primereact/resources/themes/lara-light-blue/theme.css'
import { Dropdown } from 'primereact/dropdown'
import { MultiSelect } from 'primereact/multiselect'
import { AutoComplete } from 'primereact/autocomplete'
import { Calendar } from 'primereact/calendar'
import { Checkbox } from 'primereact/checkbox'
import { InputSwitch } from 'primereact/inputswitch'
import { InputMask } from 'primereact/inputmask'
import { InputNumber } from 'primereact/inputnumber'
import { RadioButton } from 'primereact/radiobutton'
import { Rating } from 'primereact/rating'
import { SelectButton } from 'primereact/selectbutton'
import { Slider } from 'primereact/slider'
import { useState } from 'react'
import { show, useKept } from './kept'
const fruits = ['Apple', 'Banana', 'Cherry']
function Page() {
  const [fruit, setFruit] = useKept('fruit', null)
  const [tags, setTags] = useKept('tags', [])
  const [city, setCity] = useKept('city', '')
  const [found, setFound] = useState([])
  const [terms, setTerms] = useKept('terms', false)
  const [wifi, setWifi] = useKept('wifi', false)
  const [plan, setPlan] = useKept('plan', '')
  const [stars, setStars] = useKept('stars', 0)
  const [size, setSize] = useKept('size', null)
  const [volume, setVolume] = useKept('volume', 0)
  const [amount, setAmount] = useKept('amount', null)
  const [phone, setPhone] = useKept('phone', '')
  const [day, setDay] = useKept('date', null)
  window.kept.day = day instanceof Date ? [day.getFullYear(), day.getMonth() + 1, day.getDate()].join('-') : day
  return <>
    <label htmlFor="fruit">Fruit</label><Dropdown inputId="fruit" value={fruit} options={fruits} onChange={(e) => setFruit(e.value)} />
    <label htmlFor="tags">Tags</label><MultiSelect inputId="tags" value={tags} options={fruits} onChange={(e) => setTags(e.value)} />
    <label htmlFor="city">City</label><AutoComplete inputId="city" value={city} suggestions={found} completeMethod={({ query }) => setFound(['Rome', 'Oslo', 'Bern'].filter((c) => c.toLowerCase().includes(query.toLowerCase())))} onChange={(e) => setCity(e.value)} />
    <Checkbox inputId="terms" checked={terms} onChange={(e) => setTerms(e.checked)} /><label htmlFor="terms">Terms</label>
    <InputSwitch inputId="wifi" checked={wifi} onChange={(e) => setWifi(e.value)} /><label htmlFor="wifi">Wifi</label>
    {['free', 'pro'].map((p) => <div key={p}><RadioButton inputId={p} value={p} checked={plan === p} onChange={(e) => setPlan(e.value)} /><label htmlFor={p}>{p}</label></div>)}
    <Rating value={stars} onChange={(e) => setStars(e.value)} cancel={false} />
    <SelectButton value={size} options={['Small', 'Large']} onChange={(e) => setSize(e.value)} />
    <Slider aria-label="Volume" value={volume} onChange={(e) => setVolume(e.value)} />
    <label htmlFor="amount">Amount</label><InputNumber inputId="amount" value={amount} onValueChange={(e) => setAmount(e.value)} />
    <label htmlFor="phone">Phone</label><InputMask id="phone" mask="(999) 999-9999" value={phone} onChange={(e) => setPhone(e.value)} />
    <label htmlFor="day">Day</label><Calendar inputId="day" dateFormat="yy-mm-dd" value={day} onChange={(e) => setDay(e.value)} />
  </>
}
show(<Page />)`,
  acts: [
    click(['"p-dropdown-trigger"', '"Cherry"'], 'fruit=Cherry'),
    select('combobox "Tags"', ['Apple', 'Cherry'], 'tags=Apple,Cherry'),
    fill('combobox "City"', 'Oslo', 'city=Oslo'),
    fill('checkbox "Terms"', true, 'terms=true'),
    fill('switch "Wifi"', true, 'wifi=true'),
    click('radio "pro"', 'plan=pro'),
    click('"p-rating-item"', 'stars=1'),
    click('button "Large"', 'size=Large'),
    fill('slider "Volume"', '30', 'volume=30'),
    fill('spinbutton "Amount"', '12', 'amount=12', true),
    type('textbox "Phone"', '0205550199', 'phone=(020) 555-0199'),
    fill('textbox "Phone"', '(030) 555-0188', 'phone=(030) 555-0188'),
    fill('combobox "Day"', '2026-11-05', 'day=2026-11-5', true),
  ],
}

export const reactData: readonly Page[] = [agGrid, arborist, rsuite, primereact]
