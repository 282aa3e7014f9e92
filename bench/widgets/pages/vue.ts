// Suites for Vue, with templates that are compiled in the page.

import { click, fill, select, type Page } from '../page.ts'

const mount = (setup: string, template: string, plugins: string) => `import { save } from './kept'
import { createApp, reactive, ref, watch } from 'vue'
${setup}
const fields = reactive({ fruit: null, tags: [], city: null, terms: false, wifi: false, plan: null, size: null, stars: null, volume: 0, amount: null, name: '', day: null, tab: null })
watch(fields, () => { for (const [key, value] of Object.entries(fields)) save(key)(value) }, { deep: true, flush: 'sync' })
const app = createApp({ setup: () => ({ f: fields, fruits: ['Apple', 'Banana', 'Cherry'], cities: ['Rome', 'Oslo', 'Bern'], shown: ref([]) }), template: ${JSON.stringify(template)} })
${plugins}
app.mount(document.body.appendChild(document.createElement('main')))`

const vuetify: Page = {
  name: 'Vuetify',
  code: mount(
    `import 'vuetify/styles'
import { createVuetify } from 'vuetify'
import * as components from 'vuetify/components'`,
    `<v-app><v-select label="Fruit" v-model="f.fruit" :items="fruits" /><v-select label="Tags" multiple chips v-model="f.tags" :items="fruits" /><v-autocomplete label="City" v-model="f.city" :items="cities" />
<v-checkbox label="Terms" v-model="f.terms" /><v-switch label="Wifi" v-model="f.wifi" /><v-radio-group v-model="f.plan"><v-radio label="Free" value="free" /><v-radio label="Pro" value="pro" /></v-radio-group>
<v-btn-toggle v-model="f.size"><v-btn value="s">Small</v-btn><v-btn value="l">Large</v-btn></v-btn-toggle><v-rating v-model="f.stars" /><v-slider label="Volume" v-model="f.volume" :step="1" /><v-number-input label="Amount" v-model="f.amount" /><v-text-field label="Name" v-model="f.name" /></v-app>`,
    'app.use(createVuetify({ components }))',
  ),
  acts: [
    select('combobox "Fruit"', 'Cherry', 'fruit=Cherry'),
    fill('combobox "Fruit"', 'Apple', 'fruit=Apple'),
    select('combobox "Tags"', ['Apple', 'Cherry'], 'tags=Apple,Cherry'),
    select('combobox "City"', 'Oslo', 'city=Oslo'),
    fill('combobox "City"', 'Bern', 'city=Bern'),
    fill('checkbox "Terms"', true, 'terms=true'),
    fill('checkbox "Wifi"', true, 'wifi=true'),
    click('radio "Pro"', 'plan=pro'),
    click('button "Large"', 'size=l'),
    click('button "Rating 4 of 5"', 'stars=4'),
    fill('slider [', '30', 'volume=30'),
    fill('textbox "Amount"', '12', 'amount=12', true),
    fill('textbox "Name"', 'Ada', 'name=Ada'),
  ],
}

const elementPlus: Page = {
  name: 'Element Plus',
  code: mount(
    `import 'element-plus/dist/index.css'
import ElementPlus from 'element-plus'`,
    `<el-form><el-form-item label="Fruit"><el-select v-model="f.fruit"><el-option v-for="x in fruits" :key="x" :label="x" :value="x" /></el-select></el-form-item>
<el-form-item label="Tags"><el-select multiple v-model="f.tags"><el-option v-for="x in fruits" :key="x" :label="x" :value="x" /></el-select></el-form-item>
<el-form-item label="City"><el-select filterable v-model="f.city"><el-option v-for="x in cities" :key="x" :label="x" :value="x" /></el-select></el-form-item>
<el-checkbox v-model="f.terms">Terms</el-checkbox><el-switch v-model="f.wifi" aria-label="Wifi" /><el-radio-group v-model="f.plan"><el-radio value="free">Free</el-radio><el-radio value="pro">Pro</el-radio></el-radio-group>
<el-radio-group v-model="f.size"><el-radio-button value="s">Small</el-radio-button><el-radio-button value="l">Large</el-radio-button></el-radio-group>
<el-slider v-model="f.volume" aria-label="Volume" /><el-form-item label="Amount"><el-input-number v-model="f.amount" /></el-form-item><el-form-item label="Day"><el-date-picker v-model="f.day" value-format="YYYY-MM-DD" /></el-form-item></el-form>`,
    'app.use(ElementPlus)',
  ),
  acts: [
    select('combobox "Fruit"', 'Cherry', 'fruit=Cherry'),
    fill('combobox "Fruit"', 'Apple', 'fruit=Apple'),
    select('combobox "Tags"', ['Apple', 'Cherry'], 'tags=Apple,Cherry'),
    select('combobox "City"', 'Oslo', 'city=Oslo'),
    fill('combobox "City"', 'Bern', 'city=Bern'),
    fill('checkbox "Terms"', true, 'terms=true'),
    fill('switch "Wifi"', true, 'wifi=true'),
    click('radio "Pro"', 'plan=pro'),
    fill('radio "Large"', true, 'size=l'),
    fill('slider "Volume"', '30', 'volume=30'),
    fill('spinbutton "Amount"', '12', 'amount=12', true),
    fill('combobox "Day"', '2026-11-05', 'day=2026-11-05', true),
  ],
}

const naive: Page = {
  name: 'Naive UI',
  code: mount(
    `import naive from 'naive-ui'
const opts = (list) => list.map((value) => ({ label: value, value }))`,
    `<n-select placeholder="Fruit" v-model:value="f.fruit" :options="fruits.map((value) => ({ label: value, value }))" /><n-select placeholder="Tags" multiple v-model:value="f.tags" :options="fruits.map((value) => ({ label: value, value }))" />
<n-select placeholder="City" filterable v-model:value="f.city" :options="cities.map((value) => ({ label: value, value }))" />
<n-checkbox v-model:checked="f.terms">Terms</n-checkbox><n-switch v-model:value="f.wifi" /><n-radio-group v-model:value="f.plan"><n-radio value="free">Free</n-radio><n-radio value="pro">Pro</n-radio></n-radio-group>
<n-rate v-model:value="f.stars" /><n-slider v-model:value="f.volume" /><n-input-number placeholder="Amount" v-model:value="f.amount" /><n-input placeholder="Name" v-model:value="f.name" />`,
    'app.use(naive)',
  ),
  acts: [
    click([': Fruit', 'Cherry'], 'fruit=Cherry'),
    fill('checkbox "Terms"', true, 'terms=true'),
    click('switch "n-switch', 'wifi=true'),
    click('radio "Pro"', 'plan=pro'),
    fill('slider [', '30', 'volume=30'),
    fill('textbox "Amount"', '12', 'amount=12', true),
    fill('textbox "Name"', 'Ada', 'name=Ada'),
  ],
}

const primevue: Page = {
  name: 'PrimeVue',
  code: mount(
    `import PrimeVue from 'primevue/config'
import Select from 'primevue/select'
import MultiSelect from 'primevue/multiselect'
import Checkbox from 'primevue/checkbox'
import ToggleSwitch from 'primevue/toggleswitch'
import RadioButton from 'primevue/radiobutton'
import Rating from 'primevue/rating'
import SelectButton from 'primevue/selectbutton'
import Slider from 'primevue/slider'
import InputNumber from 'primevue/inputnumber'
import DatePicker from 'primevue/datepicker'
import Listbox from 'primevue/listbox'`,
    `<label for="fruit">Fruit</label><Select labelId="fruit" aria-label="Fruit" v-model="f.fruit" :options="fruits" /><MultiSelect aria-label="Tags" v-model="f.tags" :options="fruits" /><Select aria-label="City" editable v-model="f.city" :options="cities" />
<label><Checkbox v-model="f.terms" binary />Terms</label><label><ToggleSwitch v-model="f.wifi" />Wifi</label><label><RadioButton v-model="f.plan" value="free" />Free</label><label><RadioButton v-model="f.plan" value="pro" />Pro</label>
<Rating v-model="f.stars" /><SelectButton v-model="f.size" :options="['Small', 'Large']" /><Slider aria-label="Volume" v-model="f.volume" /><InputNumber aria-label="Amount" v-model="f.amount" /><DatePicker placeholder="Day" dateFormat="yy-mm-dd" @update:modelValue="(v) => { f.day = v && [v.getFullYear?.(), v.getMonth?.() + 1, v.getDate?.()].join('-') }" /><Listbox aria-label="Name" v-model="f.name" :options="['Ada', 'Bob']" />`,
    `app.use(PrimeVue, { unstyled: false })
for (const [name, one] of Object.entries({ Select, MultiSelect, Checkbox, ToggleSwitch, RadioButton, Rating, SelectButton, Slider, InputNumber, DatePicker, Listbox })) app.component(name, one)`,
  ),
  acts: [
    select('combobox "Fruit"', 'Cherry', 'fruit=Cherry'),
    fill('combobox "Fruit"', 'Apple', 'fruit=Apple'),
    select('combobox "Tags"', ['Apple', 'Cherry'], 'tags=Apple,Cherry'),
    select('combobox "City"', 'Oslo', 'city=Oslo'),
    fill('combobox "City"', 'Bern', 'city=Bern'),
    fill('checkbox "Terms"', true, 'terms=true'),
    fill('switch "Wifi"', true, 'wifi=true'),
    click('radio "Pro"', 'plan=pro'),
    click('"4 stars"', 'stars=4'),
    click('button "Large"', 'size=Large'),
    fill('slider "Volume"', '30', 'volume=30'),
    select('listbox "Name"', 'Bob', 'name=Bob'),
    fill('spinbutton "Amount"', '12', 'amount=12', true),
  ],
}

const quasar: Page = {
  name: 'Quasar',
  code: mount(
    `import 'quasar/dist/quasar.css'
import { QBtnToggle, QCheckbox, QInput, QRadio, QRating, QSelect, QSlider, QToggle, Quasar } from 'quasar'`,
    `<q-select label="Fruit" v-model="f.fruit" :options="fruits" /><q-select label="Tags" multiple v-model="f.tags" :options="fruits" /><q-select label="City" use-input fill-input hide-selected v-model="f.city" :options="shown" @filter="(text, update) => update(() => { shown = cities.filter((one) => one.includes(text)) })" />
<q-checkbox label="Terms" v-model="f.terms" /><q-toggle label="Wifi" v-model="f.wifi" /><q-radio label="Free" val="free" v-model="f.plan" /><q-radio label="Pro" val="pro" v-model="f.plan" />
<q-rating v-model="f.stars" /><q-slider aria-label="Volume" v-model="f.volume" :min="0" :max="100" /><q-btn-toggle v-model="f.size" :options="[{ label: 'Small', value: 's' }, { label: 'Large', value: 'l' }]" /><q-input label="Day" mask="####-##-##" v-model="f.day" />`,
    'app.use(Quasar, { components: { QBtnToggle, QCheckbox, QInput, QRadio, QRating, QSelect, QSlider, QToggle } })',
  ),
  acts: [
    select('combobox "Fruit"', 'Cherry', 'fruit=Cherry'),
    fill('combobox "Fruit"', 'Apple', 'fruit=Apple'),
    select('combobox "Tags"', ['Apple', 'Cherry'], 'tags=Apple,Cherry'),
    select('combobox "City"', 'Oslo', 'city=Oslo'),
    fill('combobox "City"', 'Bern', 'city=Bern'),
    fill('checkbox "Terms"', true, 'terms=true'),
    fill('switch "Wifi"', true, 'wifi=true'),
    click('radio "Pro"', 'plan=pro'),
    fill('slider "Volume"', '30', 'volume=30'),
    click('button "Large"', 'size=l'),
    fill('textbox "Day"', '20261105', 'day=2026-11-05'),
  ],
}

export const vue: readonly Page[] = [vuetify, elementPlus, naive, primevue, quasar]
