// Fields that libraries draw themselves take their value as the ones of the browser do.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { share, type Peer } from '../support/client.ts'
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

const routes = {
  '/sizeless': page(sizeless),
  '/parts': page(parts),
  '/slider': page(slider),
  '/filtered': page(filtered(0)),
  '/filtered-late': page(filtered(60)),
  '/search': page(`<form role="search">${filtered(0)}</form>`),
}

describe.each(anyBrowser)('%s', (browser) => {
  let site: Site
  let peer: Peer
  beforeAll(async () => {
    site = await serveSite(routes)
    peer = await share(browser)
  })
  afterAll(() => {
    site.close()
    return peer.close()
  })

  const open = async (path: string) => {
    const sessionId = await peer.session()
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
  test('in a search a suggestion is not chosen, because that starts it', async () => {
    const { fill, read } = await open('/search')
    await fill('#city', 'Bern')
    expect(await read('chosen')).toBe('Oslo')
  })
})
