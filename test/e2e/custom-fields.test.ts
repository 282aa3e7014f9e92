// Fields that libraries draw themselves take their value as the ones of the browser do.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Peer, share } from '../support/client.ts'
import { anyBrowser } from '../support/engines.ts'
import { page, serveSite, type Site } from '../support/site.ts'

/** Only an option of the list counts; the text is a filter. */
const filtered = (delayMs: number) => `
<input id="city" aria-label="City" role="combobox" aria-autocomplete="list" aria-expanded="false" aria-controls="cities" value="Oslo">
<ul role="listbox" id="cities" aria-label="Cities" hidden></ul>
<script>
  let chosen = 'Oslo'
  const close = () => { cities.hidden = true; city.ariaExpanded = 'false' }
  const open = () => {
    cities.innerHTML = ''
    for (const name of ['Rome', 'Oslo', 'Bern', 'Bern West'].filter((one) => one.includes(city.value))) {
      const option = document.createElement('li')
      option.role = 'option'
      option.textContent = name
      option.onmousedown = (event) => event.preventDefault()
      option.onclick = () => { chosen = city.value = name; close() }
      cities.append(option)
    }
    cities.hidden = false
    city.ariaExpanded = 'true'
  }
  city.oninput = () => ${delayMs ? `setTimeout(open, ${delayMs})` : 'open()'}
</script>`

/** Its values that come with the next frame. */
const slider = `
<div id="volume" role="slider" tabindex="0" aria-label="Volume" aria-valuemin="0" aria-valuemax="400" aria-valuenow="10" style="width:20px;height:20px"></div>
<script>
  volume.onkeydown = ({ key }) => {
    const step = { PageUp: 50, PageDown: -50, ArrowUp: 5, ArrowDown: -5 }[key] ?? 0
    const value = Math.min(400, Math.max(0, (volume.value ?? 10) + step))
    volume.value = value
    requestAnimationFrame(() => (volume.ariaValueNow = String(value)))
  }
</script>`

/** A menu that closes once an item is chosen. */
const menu = `
<div role="menu" id="menu"><div role="menuitemcheckbox" aria-checked="false" tabindex="0">Ruler</div></div>
<script>
  var chosen = 0
  menu.firstChild.onclick = () => {
    chosen += 1
    setTimeout(() => menu.remove())
  }
</script>`

/** Each part of the date takes keys alone, as in MUI X. */
const parts = `
<div id="date">${['Month', 'Day', 'Year'].map((name) => `<span role="spinbutton" contenteditable aria-label="${name}">--</span>`).join('/')}</div>
<script>
  for (const part of date.children) {
    let digits = ''
    part.onfocus = () => (digits = '')
    part.onpaste = part.onbeforeinput = (event) => event.preventDefault()
    part.onkeydown = (event) => {
      if (event.ctrlKey || !/^([0-9]|Backspace)$/.test(event.key)) return
      event.preventDefault()
      if (getSelection().isCollapsed) return
      digits = event.key === 'Backspace' ? '' : digits + event.key
      part.ariaValueNow = digits === '' ? null : String(Number(digits))
      part.textContent = digits.padStart(2, '0') || '--'
      getSelection().selectAllChildren(part)
    }
  }
  const value = () => [...date.children].map((part) => part.ariaValueNow).join('/')
</script>`

/** Both have no size; what is around them shows them and takes the click. */
const sizeless = `
<style>.none{position:absolute;opacity:0;width:0;height:0;padding:0;border:0;margin:0}.box{display:inline-block;position:relative;width:120px;height:24px;border:1px solid}</style>
<div class="box" onclick="w.checked = !w.checked"><input class="none" id="w" type="checkbox" role="switch" aria-label="Wifi"><span style="display:block;height:24px"></span></div>
<div class="box" id="box" onclick="list.hidden = false"><input class="none" id="c" role="combobox" aria-label="Colour" aria-controls="list" readonly><span>Choose</span></div>
<ul id="list" role="listbox" hidden>${['Red', 'Green'].map((name) => `<li role="option" onclick="c.value = '${name}'; list.hidden = true">${name}</li>`).join('')}</ul>`

/** The options are elements of the page in a slot of the list. */
const slotted = `
<my-select><div role="option">Red</div><div role="option">Green</div></my-select>
<script>
  customElements.define('my-select', class extends HTMLElement {
    constructor() {
      super()
      const root = this.attachShadow({ mode: 'open' })
      root.innerHTML = '<input role="combobox" aria-label="Colour" aria-controls="list" aria-expanded="false" readonly><div id="list" role="listbox" hidden><slot></slot></div>'
      const [box, list] = root.children
      box.onclick = () => { list.hidden = false; box.ariaExpanded = 'true' }
      this.addEventListener('click', ({ target }) => {
        if (target === this) return
        box.value = target.textContent
        list.hidden = true
        box.ariaExpanded = 'false'
      })
    }
  })
</script>`

/** The box is the host of its list, as in Fluent UI. */
const hosting = `
<my-box role="combobox" aria-label="Size" aria-expanded="false" tabindex="0"><span role="option">Small</span><span role="option">Large</span></my-box>
<script>
  customElements.define('my-box', class extends HTMLElement {
    constructor() {
      super()
      this.attachShadow({ mode: 'open' }).innerHTML = '<div id="value">Choose</div><div role="listbox" hidden><slot></slot></div>'
      const [value, list] = this.shadowRoot.children
      this.addEventListener('click', ({ target }) => {
        if (target !== this) value.textContent = this.title = target.textContent
        list.hidden = target !== this
        if (target !== this) this.dispatchEvent(new Event('change', { bubbles: true }))
        this.ariaExpanded = String(target === this)
      })
    }
  })
</script>`

/** Its chips have buttons that name them as Choices.js does, and its list is closed after each choice. */
const chips = `
<div><div id="tags" role="combobox" aria-label="Tags" aria-expanded="false" aria-controls="list" tabindex="0"><span id="chosen"></span>choose</div></div>
<div id="list" role="listbox" hidden><div role="option">Apple</div><div role="option">Damson</div></div>
<script>
  const names = () => [...chosen.children].map((chip) => chip.firstChild.data).join()
  const show = (isOpen) => { list.hidden = !isOpen; tags.ariaExpanded = String(isOpen) }
  tags.onclick = ({ target }) => target.matches('button') ? target.parentElement.remove() : show(true)
  list.onclick = ({ target }) => {
    chosen.insertAdjacentHTML('beforeend', '<span>' + target.textContent + '<button aria-label="Remove item: ' + target.textContent + '">x</button></span>')
    show(false)
  }
</script>`

/** As in Choices.js: the chips are options of the list too, each with a button that removes it. */
const listedChips = `
<div id="tags" role="listbox" aria-label="Tags" aria-multiselectable="true" tabindex="0"><span id="chosen"></span><span id="all"></span></div>
<script>
  const chosenNames = []
  const option = (name, inner = '') => '<div role="option" aria-selected="' + (inner !== '') + '" data-name="' + name + '">' + name + inner + '</div>'
  const draw = () => {
    chosen.innerHTML = chosenNames.map((name) => option(name, '<button aria-label="Remove item: ' + name + '">Remove item: ' + name + '</button>')).join('')
    all.innerHTML = ['Apple', 'Banana', 'Damson'].filter((name) => !chosenNames.includes(name)).map((name) => option(name)).join('')
  }
  tags.onclick = ({ target }) => {
    const name = target.closest('[role=option]')?.dataset.name
    if (target.matches('button')) chosenNames.splice(chosenNames.indexOf(name), 1)
    else if (name && !chosenNames.includes(name)) chosenNames.push(name)
    draw()
  }
  draw()
</script>`

/** The options are buttons, or have one that only explains them; the <select> behind the box has nothing but what was chosen. */
const buttonOptions = `
<div><div id="fruit" role="combobox" aria-label="Fruit" aria-expanded="false" aria-controls="fruits" tabindex="0">Choose</div><select id="value" style="display:none"></select></div>
<div id="fruits" role="listbox" hidden>
  <div role="option"><button>Apple</button></div>
  <div role="option"><span>Damson <button>info</button></span></div>
</div>
<script>
  fruit.onclick = () => { fruits.hidden = false; fruit.ariaExpanded = 'true' }
  fruits.onclick = ({ target }) => {
    const name = target.closest('[role=option]').innerText.split(' ')[0]
    fruit.textContent = name
    value.innerHTML = '<option selected>' + name + '</option>'
    fruits.hidden = true
    fruit.ariaExpanded = 'false'
  }
</script>`

/** As in PrimeReact: each digit goes to the place of the caret, and is lost behind the mask. */
const mask = `
<input id="phone" aria-label="Phone">
<script>
  phone.onfocus = phone.oninput = () => (phone.value ||= '(___) ___')
  phone.onkeydown = (event) => {
    if (!/^[0-9]$/.test(event.key)) return
    event.preventDefault()
    const place = phone.value.indexOf('_', phone.selectionStart)
    if (place === -1) return
    phone.setRangeText(event.key, place, place + 1, 'end')
  }
</script>`

const routes = {
  '/slotted': page(slotted),
  '/chips': page(chips),
  '/listed-chips': page(listedChips),
  '/button-options': page(buttonOptions),
  '/hosting': page(hosting),
  '/mask': page(mask),
  '/sizeless': page(sizeless),
  '/parts': page(parts),
  '/slider': page(slider),
  '/menu': page(menu),
  '/filtered': page(filtered(0)),
  '/filtered-late': page(filtered(60)),
  '/search': page(`<form role="search">${filtered(0)}</form>`),
}

describe.each(anyBrowser)('%s', (browser) => {
  let site: Site
  let peer: Peer
  let sessionId: string
  beforeAll(async () => {
    site = await serveSite(routes)
    peer = await share(browser)
    sessionId = await peer.session()
  })
  afterAll(() => {
    site.close()
    return peer.close()
  })

  const open = async (path: string) => {
    const call = (tool: string, input: Record<string, unknown> = {}) =>
      peer.call(tool, { sessionId, ...input })
    await call('navigate', { url: site.url + path })
    const read = async (script: string) => (await call('evaluate', { script })).data.result
    const fill = async (selector: string, value: unknown) =>
      (await call('fill_form', { fields: [{ selector, value }] })).data
    return { call, read, fill }
  }

  test.each(['/filtered', '/filtered-late'])(
    '%s: a filled combobox chooses the option with its text',
    async (path) => {
      const { fill, read } = await open(path)
      expect(await fill('#city', 'Bern')).toMatchObject({ success: true })
      expect(await read('chosen')).toBe('Bern')
    },
  )
  test('a text without an option of its own stays a text', async () => {
    const { fill, read } = await open('/filtered')
    expect(await fill('#city', 'Be')).toMatchObject({ success: true })
    expect(await read('chosen + city.value')).toBe('OsloBe')
  })
  test('a drawn slider is set by its keys, within its range and its steps', async () => {
    const { fill, read } = await open('/slider')
    for (const value of ['385', '0', '35']) {
      expect(await fill('#volume', value)).toMatchObject({ success: true })
      expect(await read('String(volume.value)')).toBe(value)
    }
    expect(await fill('#volume', '401')).toMatchObject({ errorCode: 'INVALID_PARAMETERS' })
    expect((await fill('#volume', '37')).message).toContain('It now has')
  })
  test('an item of a menu that closes is set, once', async () => {
    const { fill, read } = await open('/menu')
    expect(await fill('[role=menuitemcheckbox]', true)).toMatchObject({ success: true })
    expect(await read('chosen')).toBe(1)
  })
  test('the parts of a date take their digits', async () => {
    const { call, fill, read } = await open('/parts')
    expect(await fill('[aria-label=Month]', '07')).toMatchObject({ success: true })
    expect(await fill('[aria-label=Year]', '2026')).toMatchObject({ success: true })
    for (const text of ['15', '5'])
      expect((await call('type', { selector: '[aria-label=Day]', text, clear: true })).data).toMatchObject({
        success: true,
      })
    expect(await read('value()')).toBe('7/5/2026')
    expect((await fill('[aria-label=Day]', 'x')).errorCode).toBe('BROWSER_ERROR')
    await fill('[aria-label=Day]', '')
    expect(await read('value()')).toBe('7//2026')
    await read('date.children[2].onkeydown = (event) => event.preventDefault()')
    expect((await fill('[aria-label=Year]', '')).errorCode).toBe('BROWSER_ERROR')
  })
  test('a control without a size and a label is the part that draws it', async () => {
    const { call, read } = await open('/sizeless')
    const { snapshot } = (await call('snapshot')).data
    const refOf = (line: string) => new RegExp(`${line}[^\\n]*?\\[(e\\d+)\\]`).exec(snapshot)?.[1]
    const fields = [
      { ref: refOf('switch "Wifi"'), value: true },
      { ref: refOf('combobox "Colour"'), value: 'Green' },
    ]
    expect((await call('fill_form', { fields })).data).toMatchObject({ success: true })
    expect(await read('w.checked + c.value')).toBe('trueGreen')
    await call('click', { ref: refOf('switch "Wifi"') })
    expect(await read('w.checked')).toBe(false)
    await call('click', { ref: refOf('combobox "Colour"') })
    expect(await read('list.hidden')).toBe(false)
  })
  test('options in a slot of the list are chosen', async () => {
    const { call, read } = await open('/slotted')
    const box = "document.querySelector('my-select').shadowRoot.querySelector('input').value"
    for (const color of ['Green', 'Red']) {
      expect((await call('select', { selector: 'input', values: [color] })).data).toMatchObject({
        success: true,
      })
      expect(await read(box)).toBe(color)
    }
  })
  test('the chips of what was chosen stay', async () => {
    const { call, read } = await open('/chips')
    const { data } = await call('select', { selector: '#tags', values: ['Apple', 'Damson'] })
    expect(data).toMatchObject({ success: true })
    expect(await read('names()')).toBe('Apple,Damson')
  })
  test('chips that are options of the list are what was chosen', async () => {
    const { call, read } = await open('/listed-chips')
    for (const values of [
      ['Apple', 'Damson'],
      ['Banana', 'Damson'],
    ]) {
      expect((await call('select', { selector: '#tags', values })).data).toMatchObject({ success: true })
      expect(await read('chosenNames.toSorted().join()')).toBe(values.join())
    }
  })
  test.each(['Apple', 'Damson', 'Damson info'])('an option with a button in it: %s', async (name) => {
    const { call, read } = await open('/button-options')
    expect((await call('select', { selector: '#fruit', values: [name] })).data).toMatchObject({
      success: true,
    })
    expect(await read('fruit.textContent')).toBe(name.split(' ')[0])
  })
  test('a list within the box itself is one of its own', async () => {
    const { call, read } = await open('/hosting')
    const { data } = await call('select', { selector: 'my-box', values: ['Large'] })
    expect(data).toMatchObject({ success: true })
    expect(await read("document.querySelector('my-box').title")).toBe('Large')
  })
  test('what is typed into an empty mask begins at its first place', async () => {
    const { call, read } = await open('/mask')
    await call('type', { selector: '#phone', text: '020555', clear: true })
    expect(await read('phone.value')).toBe('(020) 555')
  })
  test('in a search a suggestion is not chosen, because that starts it', async () => {
    const { fill, read } = await open('/search')
    await fill('#city', 'Bern')
    expect(await read('chosen')).toBe('Oslo')
  })
})
