// What a person does through the view reaches the page as from a mouse and a keyboard.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { PersonInput } from '../../../src/core/sessions/types/person.ts'
import { bothBrowsers } from '../../support/engines.ts'
import { until } from '../../support/leftovers.ts'
import { deadline, openSessionPage, type SessionPage, valueOf } from '../../support/session-page.ts'

const PAGE = `<body style="margin:0;font:16px/20px monospace">
<input id="name" style="position:absolute;left:10px;top:10px;width:200px;height:20px">
<input id="agree" type="checkbox" style="position:absolute;left:10px;top:60px;width:20px;height:20px;margin:0">
<p id="text" style="position:absolute;left:10px;top:100px;margin:0">alpha beta gamma</p>
<div id="box" style="position:absolute;left:300px;top:10px;width:100px;height:100px;background:silver"></div>
<div id="list" style="position:absolute;left:300px;top:150px;width:100px;height:100px;overflow:auto"><p style="height:900px">long</div>
<button id="ask" style="position:absolute;left:10px;top:200px;width:80px;height:30px" onclick="alert('sure?')">Ask</button>
<iframe id="frame" style="position:absolute;left:10px;top:260px;width:200px;height:80px;border:0"
  srcdoc="<button style='margin:0;width:100px;height:30px' ondblclick='document.title = event.detail'>Twice</button>"></iframe>
<script>
  window.events = []
  for (const type of ['mousedown', 'mouseup', 'click', 'dblclick', 'auxclick', 'keydown', 'keyup'])
    addEventListener(type, ({ type, detail, shiftKey, button, key, isTrusted, target }) =>
      events.push([type, target.id || target.localName, key ?? button, detail, shiftKey, isTrusted].join(' ')))
</script>`

const click = (x: number, y: number, clickCount = 1, button: 'left' | 'right' = 'left'): PersonInput[] => [
  { kind: 'down', x, y, button, clickCount },
  { kind: 'up', x, y, button, clickCount },
]
const press = (...keys: string[]): PersonInput[] =>
  keys.flatMap((key) => [
    { kind: 'keyDown', key },
    { kind: 'keyUp', key },
  ])

describe.each(bothBrowsers)('in %s', (browser) => {
  let session: SessionPage
  beforeAll(async () => void (session = await openSessionPage({ browser })), 120_000)
  afterAll(() => session?.close())

  const open = () => session.open(PAGE)
  const send = async (...inputs: PersonInput[]) => valueOf(await session.page.performInput(inputs))
  const takeEvents = () => session.read<string[]>('events.splice(0)')

  test('a form is filled: a field, a key outside of the keyboard, pasted text, a checkbox', async () => {
    await open()
    await send(...click(50, 20), ...press('A', 'd', 'a', 'é'), { kind: 'text', text: ' Lovelace 愛' })
    await send(...press('Backspace'), ...click(20, 70))
    expect(
      await session.read(`[document.querySelector('#name').value, document.querySelector('#agree').checked]`),
    ).toEqual(['Adaé Lovelace ', true])
    const events = await takeEvents()
    expect(events).toContain('keydown name A 0 false true')
    expect(events.slice(-3)).toEqual([
      'mousedown agree 0 1 false true',
      'mouseup agree 0 1 false true',
      'click agree 0 1 false true',
    ])
  })

  test('text is selected by a drag, and a list is scrolled by the wheel', async () => {
    await open()
    await send({ kind: 'down', x: 11, y: 110, button: 'left', clickCount: 1 })
    await send({ kind: 'move', x: 40, y: 110 }, { kind: 'move', x: 59, y: 110 })
    await send({ kind: 'up', x: 59, y: 110, button: 'left', clickCount: 1 })
    expect(await session.read('String(getSelection())')).toBe('alpha')
    await send({ kind: 'wheel', x: 350, y: 200, deltaX: 0, deltaY: 120 })
    expect(
      await session.read(`new Promise((done) => {
        const list = document.querySelector('#list')
        if (list.scrollTop > 0) done(true)
        else list.addEventListener('scroll', () => done(true))
      })`),
    ).toBe(true)
  })

  test('a second click is a double click, in a frame too, and the right button opens no click', async () => {
    await open()
    await send(...click(350, 60), ...click(350, 60, 2))
    expect((await takeEvents()).filter((event) => event.startsWith('dblclick'))).toEqual([
      expect.stringContaining('dblclick box 0 2'),
    ])
    await send(...click(350, 60, 1, 'right'))
    expect(await takeEvents()).toEqual(
      expect.arrayContaining(['mousedown box 2 1 false true', 'auxclick box 2 1 false true']),
    )
    if (browser === 'chromium') {
      await send(...click(50, 275), ...click(50, 275, 2))
      expect(await session.read(`document.querySelector('iframe').contentDocument.title`)).toBe('2')
    }
  })

  test('a key stays pressed from one call to the next, until all is released', async () => {
    await open()
    await send({ kind: 'keyDown', key: 'Shift' })
    await send(...click(350, 60))
    expect(await takeEvents()).toContain('click box 0 1 true true')
    await send({ kind: 'down', x: 350, y: 60, button: 'left', clickCount: 1 })
    await takeEvents()
    await session.page.releaseInput()
    expect(await takeEvents()).toEqual([
      'keyup body Shift 0 false true',
      'mouseup box 0 1 false true',
      expect.stringMatching(/^click box/),
    ])
    await send(...click(350, 60))
    expect(await takeEvents()).toContain('click box 0 1 false true')
    await session.page.releaseInput()
    expect(await takeEvents()).toEqual([])
  })

  test('what cannot be done is said: a wrong key, an open dialog, a page that does not answer', async () => {
    await open()
    for (const key of ['Enterr', 'Control+A', 'Esc', ''])
      expect(await session.page.performInput([...press('a'), { kind: 'keyDown', key }])).toMatchObject({
        error: { code: 'INVALID_PARAMETERS', field: 'key' },
      })
    expect(await takeEvents()).toEqual([])
    await send(...click(50, 215), ...press('a'))
    expect(await session.page.performInput(press('b'))).toMatchObject({
      error: { code: 'DIALOG_OPEN', message: 'sure?' },
    })
    expect(await session.page.elementAt({ x: 50, y: 20 }, deadline())).toMatchObject({
      error: { code: 'DIALOG_OPEN' },
    })
    valueOf(await session.page.perform({ kind: 'dialog', accept: true }, deadline()))
    expect((await takeEvents()).filter((event) => event.startsWith('key'))).toEqual([])
    await session.read(
      `setTimeout(() => { for (const end = performance.now() + 10_000; performance.now() < end;); })`,
    )
    const failures: unknown[] = []
    await until(async () => {
      const clicked = await session.page.performInput(click(350, 60))
      return !clicked.ok && failures.push(clicked.error) > 0
    })
    expect(failures).toMatchObject([{ code: 'TIMEOUT', responding: false }])
  })
})
