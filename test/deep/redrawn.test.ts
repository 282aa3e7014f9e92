// A page that draws itself anew with innerHTML, as pages without a framework do: refs stay with what is drawn as it was, and never go to
// something else.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { connect, type Peer } from '../support/client.ts'
import { bothBrowsers } from '../support/engines.ts'
import { page, serveSite, type Site } from '../support/site.ts'

let site: Site
let noteDrawn = () => {}
beforeAll(async () => {
  site = await serveSite({
    '/list': page(`<main></main><script>
      clicked = []
      draw = (items) => {
        document.querySelector('main').innerHTML = '<h1>Basket</h1><ul>' +
          items.map((item) => '<li><span>' + item + '</span><button onclick="clicked.push(this.parentElement.innerText)">Delete</button></li>').join('') +
          '</ul><p>' + items.length + ' items</p><button>Pay</button>'
      }
      draw(['Milk', 'Bread', 'Tea'])
    </script>`),
    '/flat': page(`<main></main><script>
      draw = (items) => {
        document.querySelector('main').innerHTML = items.map((item) => '<p>' + item + '</p><button>Delete</button>').join('')
      }
      draw(['Milk', 'Bread', 'Tea'])
    </script>`),
    '/live': page(`<main></main><script>
      clicks = 0
      draw = () => document.querySelector('main').innerHTML = '<p id="time">' + performance.now() + '</p><button onclick="clicks++">Buy</button>'
      draw()
    </script>`),
    '/reused':
      page(`<div id="box" style="height: 60px; overflow: auto"><div style="height: 900px"></div></div>
      <button id="play" onclick="clicked.push(this.innerText)">Play</button><script>
      clicked = []
      draw = (items) => items.forEach((item, i) => {
        rows[i] ??= box.firstChild.appendChild(document.createElement('div'))
        rows[i].firstChild ? rows[i].firstChild.firstChild.data = item : rows[i].innerHTML = '<b>' + item +
          '</b> <i>in stock</i> <button onclick="clicked.push(this.parentElement.firstChild.innerText)">Delete</button>'
      })
      rows = []
      draw(['Milk', 'Bread', 'Tea'])
    </script>`),
    '/named':
      page(`<div id="box" style="height: 60px; overflow: auto"><div style="height: 900px"></div></div><script>
      clicked = []
      rows = []
      draw = (items) => items.forEach(([text, label], i) => {
        rows[i] ??= box.firstChild.appendChild(document.createElement('div'))
        if (!rows[i].firstChild) rows[i].innerHTML = '<span></span> <button onclick="clicked.push(this.ariaLabel)">x</button>'
        rows[i].children[0].textContent = text
        rows[i].children[1].ariaLabel = label
      })
    </script>`),
    '/drawn': (_, response) => {
      response.end()
      noteDrawn()
    },
    '/shadow': page(`<x-box></x-box><script>
      const root = document.querySelector('x-box').attachShadow({ mode: 'open' })
      draw = (text) => root.innerHTML = '<p>' + text + '</p><button>Inside</button>'
      draw('one')
    </script>`),
  })
})
afterAll(() => site.close())

describe.each(bothBrowsers)('%s', (browser) => {
  let peer: Peer
  let sessionId: string
  beforeAll(async () => {
    peer = await connect({ args: ['--headless'] })
    sessionId = (await peer.call('create_session', { browser })).data.sessionId
  }, 300_000)
  afterAll(() => peer.close())
  const call = async (tool: string, input: Record<string, unknown> = {}) =>
    (await peer.call(tool, { sessionId, ...input })).data
  const draw = (...items: readonly string[]) => call('evaluate', { script: `draw(${JSON.stringify(items)})` })
  const snapshot = async (): Promise<string> => (await call('snapshot')).snapshot
  const refOf = (text: string, line: string): string | undefined =>
    new RegExp(`${line}.*?\\[(\\w+)\\]`).exec(text)?.[1]

  test('what is drawn as it was keeps its ref, and the changes name the rest alone', async () => {
    await call('navigate', { url: `${site.url}/list` })
    const before = await snapshot()
    expect((await draw('Milk', 'Tea')).changes).toBe(undefined)
    const { since } = await call('press_key', { key: 'Shift' })
    expect(since).toMatch(/^\+ text: 2 items\n- listitem \[\w+\]: Bread …\n- text: 3 items$/)
    const after = await snapshot()
    for (const line of [
      'heading "Basket"',
      'listitem(?= \\[\\w+\\]: Milk)',
      'listitem(?= \\[\\w+\\]: Tea)',
      'button "Pay"',
    ])
      expect(refOf(after, line)).toBe(refOf(before, line) ?? 'none')
  })

  test('a ref is of use also after the page was drawn anew without a snapshot, twice', async () => {
    await call('navigate', { url: `${site.url}/live` })
    const ref = refOf(await snapshot(), 'button "Buy"')
    for (const clicks of [1, 2]) {
      await call('evaluate', { script: 'draw()' })
      await call('evaluate', { script: 'draw()' })
      expect(await call('click', { ref })).toMatchObject({ success: true })
      expect((await call('evaluate', { script: 'clicks' })).result).toBe(clicks)
    }
  })

  test('inside of a shadow root too', async () => {
    await call('navigate', { url: `${site.url}/shadow` })
    const ref = refOf(await snapshot(), 'button "Inside"')
    await call('evaluate', { script: 'draw("two")' })
    expect(refOf(await snapshot(), 'button "Inside"')).toBe(ref ?? 'none')
  })

  test('a ref never goes to the button of another item', async () => {
    await call('navigate', { url: `${site.url}/list` })
    const itemsByRef = (text: string) =>
      new Map(
        [...text.matchAll(/listitem \[\w+\]: (.*)\n +button "Delete" \[(\w+)\]/g)].map(([, item, ref]) => [
          ref,
          item,
        ]),
      )
    const items = fc.array(fc.constantFrom('Milk', 'Bread', 'Tea', 'Salt'), { maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(items, items, async (one, other) => {
        await draw(...one)
        const before = itemsByRef(await snapshot())
        expect([...before.values()]).toEqual([...one])
        await draw(...other)
        const after = itemsByRef(await snapshot())
        expect([...after.values()]).toEqual([...other])
        for (const [ref, item] of after) expect(before.get(ref) ?? item).toBe(item)
        // What is there once before and after is the same item.
        const isSingle = (list: readonly string[], item: string) =>
          list.filter((name) => name === item).length === 1
        for (const [ref, item = ''] of before)
          if (isSingle(one, item) && isSingle(other, item)) expect(after.get(ref)).toBe(item)
      }),
      { numRuns: 100 },
    )
  }, 300_000)

  test('of buttons that look the same none keeps its ref, because any of them may be gone', async () => {
    await call('navigate', { url: `${site.url}/flat` })
    const refs = (text: string) => [...text.matchAll(/button "Delete" \[(\w+)\]/g)].map(([, ref]) => ref)
    const before = refs(await snapshot())
    await draw('Bread', 'Tea')
    const after = refs(await snapshot())
    expect([before.length, after.length]).toEqual([3, 2])
    expect(after.filter((ref) => before.includes(ref))).toEqual([])
  })

  test('nor does one that is replaced beside another that looks the same and stays', async () => {
    await call('navigate', { url: `${site.url}/flat` })
    const refs = (text: string) => [...text.matchAll(/button "Delete" \[(\w+)\]/g)].map(([, ref]) => ref)
    await draw('Milk', 'Bread')
    const [milkRef, breadRef] = refs(await snapshot())
    const script = `const [, , name, button] = document.querySelector('main').children
      name.outerHTML = '<p>Tea</p>'; button.outerHTML = button.outerHTML; return 0`
    await call('evaluate', { script })
    const after = refs(await snapshot())
    expect(after).toHaveLength(2)
    expect(after[0]).toBe(milkRef ?? 'none')
    expect(after[1]).not.toBe(breadRef ?? 'none')
  })

  const reused: readonly [items: string[], more: string, clicked: string[]][] = [
    [['Bread', 'Tea', 'Salt'], '', []],
    [['Milk', 'Salt', 'Tea'], '', []],
    [['Milk, 1 l', 'Bread', 'Salt'], '', ['Bread']],
    [['Order 1', 'Order 2', 'Order 3'], 'box.scrollTop = 30', []],
    [['3 s ago', '5 s ago', '9 s ago'], '', ['5 s ago']],
  ]
  test.each(reused)('elements that have %j now, with %p', async (items, more, clicked) => {
    await call('navigate', { url: `${site.url}/reused` })
    const isNumbered = /\d s|Order/.test(items[0] ?? '')
    if (isNumbered) await draw(...items.map((item) => item.replace(/\d/, '0$&')))
    const ref = [...(await snapshot()).matchAll(/button "Delete" \[(\w+)\]/g)][1]?.[1]
    await call('evaluate', { script: `draw(${JSON.stringify(items)}); ${more}` })
    const { errorCode, message } = await call('click', { ref })
    expect((await call('evaluate', { script: 'clicked' })).result).toEqual(clicked)
    expect(errorCode).toBe(clicked.length > 0 ? undefined : 'ELEMENT_NOT_FOUND')
    if (errorCode) expect(message).toMatch(/where "\w+( \d+)?" was, there is "\w+( \d+)?" now/)
  })

  // The text of each row, and the label of its button.
  type Rows = readonly (readonly [text: string, label: string])[]
  const rowsOf = (format: string, ...names: readonly string[]): Rows =>
    names.map((name) => ['', format.replace('%', name)])
  const withTexts = (rows: Rows, ...texts: readonly string[]): Rows =>
    rows.map(([, label], index) => [texts[index] ?? '', label])
  const deleteItems = (...names: readonly string[]) => withTexts(rowsOf('Delete %', ...names), ...names)
  const SCROLL = 'box.scrollTop = 30'
  const named: readonly [name: string, before: Rows, after: Rows, more: string, isClicked: boolean][] = [
    ['numbers that moved', deleteItems('1', '2', '3'), deleteItems('0', '1', '2'), '', false],
    ['other numbers, scrolled', deleteItems('1', '2', '3'), deleteItems('101', '102', '103'), SCROLL, false],
    ['names that moved', deleteItems('Ann', 'Bob', 'Cy'), deleteItems('Zoe', 'Ann', 'Bob'), '', false],
    ['other names', deleteItems('Ann', 'Bob', 'Cy'), deleteItems('Dan', 'Eve', 'Fay'), '', false],
    [
      'labels alone',
      rowsOf('Delete %', 'Ann', 'Bob', 'Cy'),
      rowsOf('Delete %', 'Zoe', 'Ann', 'Bob'),
      '',
      false,
    ],
    [
      'labels, scrolled',
      rowsOf('Delete %', 'Ann', 'Bob', 'Cy'),
      rowsOf('Delete %', 'Dan', 'Eve', 'Fay'),
      SCROLL,
      false,
    ],
    [
      'the name first',
      rowsOf('% entfernen', 'Ann', 'Bob', 'Cy'),
      rowsOf('% entfernen', 'Zoe', 'Ann', 'Bob'),
      '',
      false,
    ],
    [
      'a counter of each row, scrolled',
      withTexts(rowsOf('Like (%)', '3', '7', '9'), 'Ann', 'Bob', 'Cy'),
      withTexts(rowsOf('Like (%)', '4', '9', '7'), 'Ann', 'Bob', 'Cy'),
      SCROLL,
      true,
    ],
    [
      'a state of each row',
      withTexts(rowsOf('Stop job %', '1', '2', '3'), 'waits', 'runs', 'ends'),
      withTexts(rowsOf('Stop job %', '1', '2', '3'), 'runs', 'ends', 'failed'),
      SCROLL,
      true,
    ],
    [
      'a switch',
      deleteItems('Ann', 'Bob', 'Cy'),
      withTexts(rowsOf('Do not delete %', 'Ann', 'Bob', 'Cy'), 'Ann', 'Bob', 'Cy'),
      '',
      true,
    ],
  ]
  test.each(named)('a button that is named for its row: %s', async (_, before, after, more, isClicked) => {
    await call('navigate', { url: `${site.url}/named` })
    await call('evaluate', { script: `draw(${JSON.stringify(before)})` })
    const label = before[1]?.[1] ?? ''
    const ref = refOf(await snapshot(), `button "${label.replace(/[()]/g, '\\$&')}"`)
    // By a timer, so that no answer has told it.
    const isDrawn = new Promise<void>((resolve) => (noteDrawn = resolve))
    const draw = `draw(${JSON.stringify(after)}); ${more}; fetch('/drawn')`
    await call('evaluate', { script: `setTimeout(() => { ${draw} }, 300); 0` })
    await isDrawn
    const { errorCode } = await call('click', { ref })
    expect((await call('evaluate', { script: 'clicked' })).result).toEqual(isClicked ? [after[1]?.[1]] : [])
    expect(errorCode).toBe(isClicked ? undefined : 'ELEMENT_NOT_FOUND')
  })

  test('a button that has another label is not clicked, until that was read', async () => {
    await call('navigate', { url: `${site.url}/reused` })
    const ref = refOf(await snapshot(), 'button "Play"')
    await call('evaluate', { script: "play.textContent = 'Pause'" })
    expect(await call('click', { ref })).toMatchObject({
      errorCode: 'ELEMENT_NOT_FOUND',
      message: expect.stringContaining('where "Play" was, there is "Pause" now'),
    })
    expect(await call('click', { ref: refOf(await snapshot(), 'button "Pause"') })).toMatchObject({
      success: true,
    })
    await call('evaluate', { script: "play.textContent = 'Play'" })
    expect(await call('click', { ref })).toMatchObject({ success: true })
    await call('evaluate', { script: "play.outerHTML = play.outerHTML.replace('Play', 'Stop')" })
    expect(await call('click', { ref })).toMatchObject({ errorCode: 'ELEMENT_NOT_FOUND' })
    expect((await call('evaluate', { script: 'clicked' })).result).toEqual(['Pause', 'Play'])
  })

  test('an item that is gone is not clicked under its old ref', async () => {
    await call('navigate', { url: `${site.url}/list` })
    const ref = refOf(await snapshot(), 'Bread\\n +button "Delete"')
    await draw('Milk', 'Tea')
    expect(await call('click', { ref, timeout: 1000 })).toMatchObject({ errorCode: 'ELEMENT_NOT_FOUND' })
    expect((await call('evaluate', { script: 'clicked' })).result).toEqual([])
  })
})
