// A choice is believed when the box shows it, and never because an option is highlighted; the label that a snapshot shows comes first.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Peer, share } from '../support/client.ts'
import { anyBrowser } from '../support/engines.ts'
import { page, serveSite, type Site } from '../support/site.ts'

// The option under the mouse gets aria-selected, as in cmdk, Downshift and Choices.js.
const hoverList = (onChoose: string, isMultiple = false) => `
<label id="l">Color</label><input role="combobox" aria-labelledby="l" aria-expanded="false" aria-controls="list" id="box" readonly>
<ul role="listbox" id="list" hidden ${isMultiple ? 'aria-multiselectable="true"' : ''}></ul>
<script>
  let [chosen, active] = [[], 0]
  const mark = () => [...list.children].forEach((one, index) => one.setAttribute('aria-selected', String(index === active)))
  const draw = () => {
    list.innerHTML = ''
    for (const [index, name] of ['Red', 'Green', 'Blue'].entries()) {
      const option = document.createElement('li')
      option.setAttribute('role', 'option')
      option.textContent = name
      option.onmouseenter = () => { active = index; mark() }
      option.onclick = () => { ${onChoose} }
      list.append(option)
    }
    mark()
  }
  box.onclick = () => { list.hidden = false; box.ariaExpanded = 'true'; draw() }
  box.onkeydown = (event) => { if (event.key === 'Escape') { list.hidden = true; box.ariaExpanded = 'false' } }
</script>`
const one = "chosen = [name]; box.value = name; list.hidden = true; box.ariaExpanded = 'false'"
const several =
  "chosen = chosen.includes(name) ? chosen.filter((other) => other !== name) : [...chosen, name]; box.value = chosen.join(', ')"

const routes = {
  '/one': page(hoverList(one)),
  '/several': page(hoverList(several, true)),
  '/dead': page(hoverList('')),
  // Only what is typed brings the others.
  '/typed': page(
    hoverList('')
      .replace('id="box" readonly', 'id="box" oninput="draw()"')
      .replace(
        "['Red', 'Green', 'Blue']",
        "['Red', 'Green', 'Blue'].filter((name) => name === (box.value || 'Red'))",
      ),
  ),
  '/native': page(`
    <label>Children <select id="children"><option value="">choose<option value="1">0<option value="2">1<option value="3">2</select></label>
    <label>Topic <select id="topic"><optgroup label="Billing"><option value="b1">Refund<option value="b2">Other</optgroup><optgroup label="Technical"><option value="t2">Other</optgroup></select></label>
    <label>Amount <select id="amount"><option>-<option value="a">1&nbsp;234,50&#8239;€<option value="b">Donau&shy;dampfschiff</select></label>`),
  '/later': page(
    '<label>Town <select id="town" disabled><option>Bern<option>Zug</select></label><button onclick="setTimeout(() => (town.disabled = false), 900)">Load</button>',
  ),
  '/later-list': page(
    hoverList(one).replace('id="box"', 'id="box" aria-disabled="true"') +
      '<button onclick="setTimeout(() => (box.ariaDisabled = null), 900)">Load</button>',
  ),
  '/text': page(
    '<textarea role="combobox" aria-label="Search" aria-expanded="false"></textarea><div contenteditable role="combobox" aria-label="Note" style="min-height:20px"></div>',
  ),
  '/focus': page(
    '<input aria-label="Mail" onblur="setTimeout(() => this.focus(), 0)"><input aria-label="Word" value="old"><input aria-label="Votes" value="1.234" onfocus="this.value = this.value.replace(\'.\', \'\')">',
  ),
  // Its list is opened by a key, and its text is dropped where it was not chosen.
  '/by-key': page(
    hoverList(one)
      .replace('readonly', 'onblur="if (!chosen.includes(box.value)) box.value = \'\'"')
      .replace(
        'box.onclick',
        "box.addEventListener('keydown', ({ key }) => { if (key === 'ArrowDown') box.onclick() }); box.onclick",
      ),
  ),
  // Fluent UI has this for several values.
  '/menu': page(`
    <button role="combobox" aria-haspopup="listbox" aria-expanded="false" aria-controls="list" aria-label="Tags" id="box">None</button>
    <div role="menu" id="list" hidden>${['Red', 'Green', 'Blue'].map((name) => `<div role="menuitemcheckbox" aria-checked="false">${name}</div>`).join('')}</div>
    <script>
      box.onclick = () => { list.hidden = !list.hidden; box.ariaExpanded = String(!list.hidden) }
      box.onkeydown = ({ key }) => { if (key === 'Escape' && !list.hidden) box.onclick() }
      for (const one of list.children) one.onclick = () => {
        one.ariaChecked = String(one.ariaChecked !== 'true')
        box.textContent = [...list.querySelectorAll('[aria-checked=true]')].map((other) => other.textContent).join(', ')
      }
    </script>`),
  // The option under the mouse alone is marked; the box lists what is chosen.
  '/listed': page(
    hoverList(several)
      .replace('<input role', '<button role')
      .replace('readonly>', '>Choose</button>')
      .replaceAll('box.value', 'box.textContent'),
  ),
  '/tree': page(`
    <input role="combobox" aria-label="Branch" aria-haspopup="listbox" aria-expanded="false" aria-controls="none" id="box" readonly>
    <script>
      box.onclick = () => {
        box.ariaExpanded = 'true'
        document.body.insertAdjacentHTML('beforeend', '<div role="tree"><div role="treeitem">Root</div><div role="treeitem">Leaf</div></div>')
        for (const one of document.querySelectorAll('[role=treeitem]'))
          one.onclick = () => { box.value = one.textContent; one.parentElement.remove(); box.ariaExpanded = 'false' }
      }
    </script>`),
  // react-select has this where nothing can be typed.
  '/dummy': page(`
    <div id="control" style="width:200px;height:40px;border:1px solid"><div><span id="shown">Select</span>
      <input role="combobox" aria-label="Fixed" aria-readonly="true" aria-expanded="false" id="box"
        style="opacity:0;width:1px;border:0;padding:0;position:relative;left:-100px;transform:scale(.01)"></div></div>
    <ul role="listbox" id="list" hidden>${['Red', 'Green'].map((name) => `<li role="option">${name}</li>`).join('')}</ul>
    <script>
      box.setAttribute('aria-controls', 'list')
      control.onmousedown = () => { list.hidden = false; box.ariaExpanded = 'true' }
      for (const one of list.children)
        one.onclick = () => { shown.textContent = one.textContent; list.hidden = true; box.ariaExpanded = 'false' }
    </script>`),
  // The options of Material Web have their role within.
  '/component': page(`
    <my-select><my-option>Apple</my-option><my-option>Banana</my-option></my-select>
    <script>
      customElements.define('my-option', class extends HTMLElement {
        connectedCallback() { this.attachShadow({ mode: 'open' }).innerHTML = '<div role="option"><slot></slot></div>' }
      })
      const root = document.querySelector('my-select').attachShadow({ mode: 'open' })
      root.innerHTML = '<div role="combobox" tabindex="0" aria-label="Fruit" aria-expanded="false" aria-controls="list" id="box">None</div><div role="listbox" id="list" hidden><slot></slot></div>'
      const [box, list] = root.children
      box.onclick = () => { list.hidden = false; box.ariaExpanded = 'true' }
      list.onclick = ({ target }) => { box.textContent = target.textContent; list.hidden = true; box.ariaExpanded = 'false' }
    </script>`),
  // rsuite and PrimeVue have this.
  '/range': page(`
    <style>input{position:absolute;pointer-events:none}input::-webkit-slider-thumb{pointer-events:auto}input::-moz-range-thumb{pointer-events:auto}</style>
    <input type="range" aria-label="From" value="20"><input type="range" aria-label="Volume" id="volume" value="80">`),
  '/slider': page(`
    <div style="position:relative;width:200px;height:9px;background:silver"><span style="position:absolute">
      <input type="range" min="0" max="100" value="0" aria-valuenow="0" aria-label="Volume" id="volume"
        style="position:absolute;width:0;height:0;margin:0" oninput="this.ariaValueNow = this.value"></span></div>`),
  // Slim Select and React Aria have this.
  '/behind': page(`
    <select aria-hidden="true" aria-label="Behind" tabindex="-1" style="position:absolute;width:1px;height:1px;overflow:hidden;margin:0;padding:0;border:0"><option>Apple</select>
    <div aria-hidden="true" style="position:fixed;width:1px;height:1px;overflow:hidden"><label>Boxed <select><option>Pear</select></label></div>
    <div aria-hidden="true"><select aria-label="Shown"><option>Fig</select></div>`),
  '/key-up': page('<input aria-label="Find" onkeyup="found.textContent = this.value"><p id="found"></p>'),
  // Both fields are drawn anew twice, the town with its options at the second time.
  '/dependent': page(`<form id="f"></form><script>
    let [country, towns] = ['', []]
    const options = (names) => ['-', ...names].map((name) => '<option>' + name + '</option>').join('')
    const draw = () => {
      f.innerHTML = '<label>Country <select>' + options(['AT', 'CH']) + '</select></label>' +
        '<div><label for="t">Town</label><select id="t"' + (towns[0] ? '' : ' disabled') + '>' + options(towns) + '</select></div>' +
        '<label>Zip <input' + (towns[0] ? ' required' : '') + '></label>'
      const [select] = f.elements
      select.value = country || '-'
      select.onchange = () => { country = select.value; towns = []; draw(); setTimeout(() => { towns = ['Wien', 'Linz']; draw() }, 300) }
    }
    draw()
  </script>`),
  '/stays': page(`
    <button aria-haspopup="listbox" aria-expanded="false" id="box">Tags</button><div role="listbox" aria-multiselectable="true" id="list" hidden></div>
    <script>
      const chosen = new Set()
      const draw = () => list.replaceChildren(...['Red', 'Green', 'Blue'].map((name) => {
        const one = Object.assign(document.createElement('div'), { role: 'option', textContent: name, ariaSelected: String(chosen.has(name)) })
        one.onclick = () => { chosen.delete(name) || chosen.add(name); draw() }
        return one
      }))
      box.onclick = () => { list.hidden = !list.hidden; box.ariaExpanded = String(!list.hidden); draw() }
    </script>`),
  ...Object.fromEntries(
    ['', '<input type="checkbox">'].map((mark) => [
      mark === '' ? '/counted' : '/boxes',
      page(`
    <button aria-haspopup="listbox" aria-expanded="false" id="box">2 tags</button>
    <div role="listbox" id="list" hidden>${['Red', 'Green', 'Blue'].map((name) => `<div role="option">${mark}${name}</div>`).join('')}</div>
    <script>
      const chosen = new Set(['Red', 'Green'])
      const draw = () => {
        for (const one of list.querySelectorAll('input')) one.checked = chosen.has(one.parentElement.textContent)
        box.textContent = chosen.size + ' tags'
      }
      for (const one of list.children) one.onclick = () => { chosen.delete(one.textContent) || chosen.add(one.textContent); setTimeout(draw) }
      box.onclick = () => { list.hidden = !list.hidden; box.ariaExpanded = String(!list.hidden); draw() }
    </script>`),
    ]),
  ),
  '/mixed': page(
    '<div role="checkbox" id="c" tabindex="0" aria-checked="mixed" onclick="this.ariaChecked = String(this.ariaChecked !== \'true\')">All</div>',
  ),
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

  let sessionId: string | undefined
  const open = async (path: string) => {
    if (sessionId !== undefined) await peer.call('close_session', { sessionId })
    sessionId = await peer.session()
    const call = (tool: string, input: Record<string, unknown> = {}) =>
      peer.call(tool, { sessionId, ...input })
    await call('navigate', { url: site.url + path })
    const read = async (script: string) => (await call('evaluate', { script })).data.result
    return { call, read }
  }

  test('the highlighted option is chosen by a click, and again when another one was chosen', async () => {
    const { call, read } = await open('/one')
    for (const color of ['Red', 'Blue', 'Red']) {
      expect((await call('select', { selector: '#box', values: [color] })).data).toMatchObject({
        success: true,
      })
      expect(await read('box.value')).toBe(color)
    }
  })
  test('of several choices none is added that nobody asked for', async () => {
    const { call, read } = await open('/several')
    await call('select', { selector: '#box', values: ['Green', 'Blue'] })
    expect(await read('box.value')).toBe('Green, Blue')
  })
  test.each(['/dead', '/typed'])(
    '%s: a list that highlights and takes no choice is a failure',
    async (path) => {
      const { call } = await open(path)
      expect((await call('select', { selector: '#box', values: ['Blue'] })).data.errorCode).toBe(
        'BROWSER_ERROR',
      )
    },
  )
  test('a label comes before a value that is equal to it, also in fill_form', async () => {
    const { call, read } = await open('/native')
    await call('select', { selector: '#children', values: ['1'] })
    expect(await read('children.selectedOptions[0].text')).toBe('1')
    await call('fill_form', { fields: [{ selector: '#children', value: '2' }] })
    expect(await read('children.selectedOptions[0].text')).toBe('2')
  })
  test('equal labels have their groups, in the snapshot and in a failure', async () => {
    const { call, read } = await open('/native')
    expect((await call('snapshot')).data.snapshot).toContain('Technical / Other')
    const { data } = await call('select', { selector: '#topic', values: ['Other'] })
    expect(data.message).toContain('"Billing / Other", "Technical / Other"')
    await call('select', { selector: '#topic', values: ['Technical / Other'] })
    expect(await read('topic.value')).toBe('t2')
  })
  test('labels are found as a snapshot prints them', async () => {
    const { call, read } = await open('/native')
    for (const [label, value] of [
      ['1 234,50 €', 'a'],
      ['Donaudampfschiff', 'b'],
    ] as const) {
      await call('select', { selector: '#amount', values: [label] })
      expect(await read('amount.value')).toBe(value)
    }
  })
  test('a list that is disabled for a moment is waited for', async () => {
    const { call, read } = await open('/later')
    await call('click', { selector: 'button' })
    await call('select', { selector: '#town', values: ['Zug'] })
    expect(await read('town.value')).toBe('Zug')
    await call('navigate', { url: `${site.url}/later-list` })
    await call('click', { selector: 'button' })
    await call('select', { selector: '#box', values: ['Green'] })
    expect(await read('box.value')).toBe('Green')
  })
  test('a combobox that takes text is filled', async () => {
    const { call, read } = await open('/text')
    await call('fill_form', {
      fields: [
        { selector: 'textarea', value: 'news' },
        { selector: '[contenteditable]', value: 'hello' },
      ],
    })
    expect(
      await read(
        "document.querySelector('textarea').value + '/' + document.querySelector('[contenteditable]').innerText.trim()",
      ),
    ).toBe('news/hello')
  })
  test('a value goes into its own field, also if the one before takes the focus back', async () => {
    const { call, read } = await open('/focus')
    const fields = [
      ['Mail', 'a@b.example'],
      ['Word', 'new'],
      ['Votes', '5678'],
    ].map(([name, value]) => ({ selector: `[aria-label=${name}]`, value }))
    await call('fill_form', { fields: browser === 'chromium' ? fields : fields.slice(2) })
    const values = await read("[...document.querySelectorAll('input')].map((one) => one.value).join()")
    expect(values).toBe(browser === 'chromium' ? 'a@b.example,new,5678' : ',old,5678')
  })
  test('a filled text is chosen from a list that only a key opens', async () => {
    const { call, read } = await open('/by-key')
    await call('fill_form', { fields: [{ selector: '#box', value: 'Green' }] })
    await call('press_key', { key: 'Tab' })
    expect(await read('box.value + chosen')).toBe('GreenGreen')
  })
  test('a list that is open is not closed by the choice', async () => {
    const { call, read } = await open('/stays')
    for (const values of [['Red'], ['Green', 'Blue']]) {
      expect((await call('select', { selector: '#box', values })).data).toMatchObject({ success: true })
      expect(await read('[...chosen].toSorted().join()')).toBe(values.toSorted().join())
    }
  })
  test('a choice that was taken back by its click is none', async () => {
    const { call } = await open('/counted')
    expect((await call('select', { selector: '#box', values: ['Green'] })).data).toMatchObject({
      errorCode: 'BROWSER_ERROR',
      message: expect.stringContaining('does not show it as selected'),
    })
  })
  test('a checkbox in an option is its mark', async () => {
    const { call, read } = await open('/boxes')
    expect((await call('select', { selector: '#box', values: ['Green', 'Blue'] })).data).toMatchObject({
      success: true,
    })
    expect(await read("chosen.has('Green') && chosen.has('Blue')")).toBe(true)
  })
  test('a text that is filled while the list is open is no choice', async () => {
    const { call } = await open('/by-key')
    await call('press_key', { selector: '#box', key: 'ArrowDown' })
    const { data } = await call('fill_form', { fields: [{ selector: '#box', value: 'Green' }] })
    expect(data.notes).toEqual([expect.stringContaining('nothing was chosen from its list')])
  })
  test('several options of a menu are chosen, and no others stay', async () => {
    const { call, read } = await open('/menu')
    for (const values of [
      ['Red', 'Blue'],
      ['Green', 'Blue'],
    ]) {
      await call('select', { selector: '#box', values })
      expect(await read('box.textContent.split(", ").sort().join()')).toBe(values.toSorted().join())
    }
  })
  test('of what a box lists as text the others go', async () => {
    const { call, read } = await open('/listed')
    for (const values of [
      ['Red', 'Green'],
      ['Green', 'Blue'],
    ]) {
      await call('select', { selector: '#box', values })
      expect(await read('chosen.toSorted().join()')).toBe(values.toSorted().join())
    }
  })
  test.each([
    ['/tree', 'Leaf', 'box.value'],
    ['/dummy', 'Green', 'shown.textContent'],
    ['/component', 'Banana', 'box.textContent'],
  ])('a choice in %s', async (path, label, script) => {
    const { call, read } = await open(path)
    expect((await call('select', { selector: '#box', values: [label] })).data).toMatchObject({
      success: true,
    })
    expect(await read(script)).toBe(label)
  })
  test.each(['/slider', '/range'])(
    '%s: a slider that the mouse does not reach is set by its ref',
    async (path) => {
      const { call, read } = await open(path)
      const [, ref] = /slider "Volume" \[(\w+)/.exec(String((await call('snapshot')).data.snapshot)) ?? []
      await call('fill_form', { fields: [{ ref, value: '30' }] })
      expect(await read('volume.value')).toBe('30')
    },
  )
  test('a list behind a drawn one has no line, one that is seen has', async () => {
    const { call } = await open('/behind')
    const snapshot = String((await call('snapshot')).data.snapshot)
    expect(snapshot).toContain('combobox "Shown" [')
    expect(snapshot).not.toMatch(/Behind|Apple|Pear/)
  })
  test('a filter that listens to keys alone sees the text that is filled', async () => {
    const { call, read } = await open('/key-up')
    await call('fill_form', { fields: [{ selector: 'input', value: 'Ada' }] })
    expect(await read('found.textContent')).toBe('Ada')
  })
  test('fields with labels that are drawn anew keep their refs', async () => {
    const { call, read } = await open('/dependent')
    const { snapshot } = (await call('snapshot')).data
    const refOf = (name: string) => new RegExp(`"${name}" \\[(e\\d+)`).exec(String(snapshot))?.[1]
    const fields = [
      { ref: refOf('Country'), value: 'AT' },
      { ref: refOf('Town'), value: 'Linz' },
      { ref: refOf('Zip'), value: '4020' },
    ]
    expect((await call('fill_form', { fields })).data).toMatchObject({ success: true })
    expect(await read('[...f.elements].map((one) => one.value).join()')).toBe('AT,Linz,4020')
  })
  test('a mixed checkbox becomes unchecked', async () => {
    const { call, read } = await open('/mixed')
    await call('fill_form', { fields: [{ selector: '#c', value: false }] })
    expect(await read('c.ariaChecked')).toBe('false')
  })
})
