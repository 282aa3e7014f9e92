// The element under the mouse has the ref, the role and the name that a snapshot gives it.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { nameElements } from '../../../src/core/snapshot/changed-elements.ts'
import { bothBrowsers } from '../../support/engines.ts'
import { deadline, openSessionPage, type SessionPage, valueOf } from '../../support/session-page.ts'
import { serveSite, type Site } from '../../support/site.ts'

const BUTTONS = (names: readonly string[]) =>
  names
    .map(
      (name, index) =>
        `<button style="position:absolute;left:10px;top:${10 + index * 40}px;width:90px;height:30px">${name}</button>`,
    )
    .join('')

describe.each(bothBrowsers)('in %s', (browser) => {
  let session: SessionPage
  let site: Site
  let other: Site
  beforeAll(async () => {
    session = await openSessionPage({ browser })
    other = await serveSite({
      '/': `<body style="margin:0">${BUTTONS(['Far'])}<iframe srcdoc="${BUTTONS(['Deep']).replaceAll('"', "'")}" style="position:absolute;left:100px;top:0;border:3px solid;width:150px;height:100px"></iframe>`,
    })
    site = await serveSite({
      '/': `<body style="margin:0">${BUTTONS(['<span>First <b>one</b></span>', 'Second'])}
        <div id="host" style="position:absolute;left:10px;top:90px"></div>
        <iframe src="${other.url.replace('127.0.0.1', 'localhost')}" style="position:absolute;left:200px;top:20px;width:300px;height:200px;border:5px solid;padding:7px"></iframe>
        <iframe srcdoc="${BUTTONS(['Scaled']).replaceAll('"', "'")}" style="position:absolute;left:200px;top:300px;width:200px;height:100px;border:0;transform:scale(2);transform-origin:0 0"></iframe>
        <p style="position:absolute;left:10px;top:200px;margin:0">Only text</p>
        <script>
          document.querySelector('#host').attachShadow({ mode: 'open' }).innerHTML = '<div><slot></slot><button style="width:90px;height:30px">Shadow</button></div>'
        </script>`,
    })
  }, 120_000)
  afterAll(async () => {
    await session?.close()
    site?.close()
    other?.close()
  })

  const at = async (x: number, y: number) => valueOf(await session.page.elementAt({ x, y }, deadline()))
  const read = async () => nameElements(valueOf(await session.page.tree({}, deadline())))

  test('before and after a snapshot: through frames and shadow roots, with its box', async () => {
    await session.open(site.url)
    const expected = [
      [50, 25, 'button', 'First one', { x: 10, y: 10, width: 90, height: 30 }],
      [50, 65, 'button', 'Second', { x: 10, y: 50, width: 90, height: 30 }],
      [50, 105, 'button', 'Shadow', { x: 10, y: 90, width: 90, height: 30 }],
      [250, 60, 'button', 'Far', { x: 222, y: 42, width: 90, height: 30 }],
      [350, 60, 'button', 'Deep', { x: 325, y: 45, width: 90, height: 30 }],
      [300, 350, 'button', 'Scaled', { x: 220, y: 320, width: 180, height: 60 }],
      [20, 210, 'paragraph', 'Only text', expect.anything()],
    ] as const
    for (const [x, y, role, name, box] of expected)
      expect(await at(x, y)).toEqual({ role, name, box, ref: expect.any(String), origin: expect.anything() })
    const named = await read()
    for (const [x, y, role, name] of expected) {
      const { ref = '' } = (await at(x, y)) ?? {}
      expect(named.get(ref)).toEqual({ role, name, ref })
    }
    const far = await at(250, 60)
    expect(far?.ref).toMatch(/^e\d+$/)
    valueOf(await session.page.perform({ kind: 'hover', element: { ref: far?.ref ?? '' } }, deadline()))
    expect((await at(30, 25))?.origin?.element).toMatchObject({ tag: 'span' })
  })

  test('what is drawn anew keeps its ref, and what is new has one at once', async () => {
    await session.open(
      `<ul style="margin:0;padding:0;list-style:none"><li style="height:50px">One</li><li style="height:50px">Two</li></ul>`,
    )
    const before = await read()
    const second = await at(50, 75)
    expect(before.get(second?.ref ?? '')).toMatchObject({ role: 'listitem', name: 'Two' })
    await session.read(`document.querySelector('ul').innerHTML += '<li style="height:50px">Three</li>'; 0`)
    const third = await at(50, 125)
    expect(third).toMatchObject({ role: 'listitem', name: 'Three' })
    expect([...before.keys()]).not.toContain(third?.ref)
    expect(await at(50, 75)).toEqual(second)
    const after = await read()
    expect(after.get(second?.ref ?? '')).toEqual(before.get(second?.ref ?? ''))
    expect(after.get(third?.ref ?? '')).toMatchObject({ name: 'Three' })
  })

  test('what an agent knows of the page is left as it is: an element that became another one is found out', async () => {
    await session.open(
      `<ul style="margin:0;padding:0"><li><span>Ada</span> <button>Delete</button><li><span>Bob</span> <button>Delete</button></ul>`,
    )
    const ref = [...(await read()).values()].find(({ role }) => role === 'button')?.ref ?? ''
    await session.read(`document.querySelectorAll('span')[0].textContent = 'Eve'; 0`)
    await at(30, 10)
    const clicking = session.page.perform({ kind: 'click', element: { ref }, options: {} }, deadline())
    expect(await clicking).toMatchObject({ error: { stale: true, changed: { from: 'Ada', to: 'Eve' } } })
  })
})
