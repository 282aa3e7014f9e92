// What neither a mouse nor a keyboard reaches is not used, and the reason is said: it is inert, cut off, or the mouse passes through it.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Peer, share } from '../support/client.ts'
import { bothBrowsers } from '../support/engines.ts'
import { page, serveSite, type Site } from '../support/site.ts'

const controls = `<div inert id="part"><input id="name" aria-label="Name"><input type="date" id="day" aria-label="Day">
  <input type="checkbox" id="box" aria-label="Box"><select id="list" aria-label="List"><option>a<option>b</select>
  <button id="save" onclick="this.textContent = 'Saved'">Save</button>
  <p role="slider" tabindex="0" id="slider" aria-label="Volume" aria-valuenow="3" aria-valuemin="0" aria-valuemax="9">Volume</p></div>
  <button id="paying" style="pointer-events: none">Pay</button>
  <div id="loading" style="pointer-events: none"><button id="later">Pay later</button></div>
  <div id="closed" style="max-height: 0; overflow: hidden"><button id="answer">Answer</button></div>
  <div id="strip" style="width: 90px; overflow: hidden"><div style="width: 400px; transform: translateX(-250px)"><button id="slide">First</button></div></div>
  <style>#card { position: relative } #card::after { content: ''; position: absolute; inset: 0 }</style>
  <div style="position: relative"><div style="clip-path: circle(60%)"><button id="round">Round</button></div><i id="shade" style="position: absolute; inset: 0"></i></div>
  <div id="card"><button id="behind">Behind</button></div>
  <div style="clip-path: inset(100%)" id="around"><button id="cut">Cut</button></div>
  <div style="clip-path: inset(100%)"><div><template shadowrootmode="open"><button id="deep">Deep</button></template></div></div>
  <details><summary>More</summary><button id="folded">Folded</button></details>
  <div style="content-visibility: hidden"><button id="unrendered">Unrendered</button></div>
  <div style="position: relative"><button id="under">Under</button><i id="veil" style="position: absolute; inset: 0; background: #ccc"></i></div>
  <div style="width: 30px; height: 20px; overflow: hidden"><div style="position: absolute; left: 300px; top: 250px"><button id="escaped">Escaped</button><i id="lid" style="position: absolute; inset: 0; background: #ccc"></i></div></div>`

describe.each(bothBrowsers)('%s', (browser) => {
  let site: Site
  let peer: Peer
  let sessionId: string
  beforeAll(async () => {
    site = await serveSite({
      '/': page(controls),
      '/without-size': page(
        `<script>log = (text) => clicked.append(text + ' ')</script><a href="#1" style="display: contents" onclick="log('contents')"><span>Contents</span></a>
        <div><a href="#2" style="display: block; height: 0" onclick="log('floated')"><span style="float: left">Floated</span></a></div><br>
        <div style="position: relative; height: 30px"><a href="#3" onclick="log('placed')"><b style="position: absolute">Placed</b></a></div>
        <div role="button" style="height: 0; margin-bottom: 60px" onclick="log('low')"><p style="margin: 0">Low</p></div>
        <a href="#4" style="position: absolute; width: 1px; height: 1px; overflow: hidden"><span>Skip</span></a><p id="clicked"></p>`,
      ),
      '/modal': page(
        `<main inert><button>Behind</button><dialog id="asked"><button onclick="this.textContent = 'Agreed'">Agree</button></dialog></main><script>asked.showModal()</script>`,
      ),
    })
    peer = await share(browser)
    ;({ sessionId } = (await peer.call('create_session')).data)
  })
  afterAll(async () => {
    await peer.close()
    await site.close()
  })

  const call = async (tool: string, input: Record<string, unknown>) =>
    (await peer.call(tool, { sessionId, ...input })).data
  const fill = (selector: string, value: unknown) =>
    ['fill_form', { fields: [{ selector, value }] }, 'inert', 'id="part"'] as const
  const cases: readonly (readonly [string, Record<string, unknown>, string, string])[] = [
    ['click', { selector: '#save' }, 'inert', 'id="part"'],
    ['type', { selector: '#name', text: 'x' }, 'inert', 'id="part"'],
    ['press_key', { selector: '#name', key: 'x' }, 'inert', 'id="part"'],
    ['press_key', { selector: '#name', key: 'é' }, 'inert', 'id="part"'],
    ['select', { selector: '#list', values: ['b'] }, 'inert', 'id="part"'],
    fill('#name', 'x'),
    fill('#day', '2026-01-01'),
    fill('#box', true),
    fill('#list', 'b'),
    ['click', { selector: '#paying' }, 'passive', 'id="paying"'],
    ['hover', { selector: '#later' }, 'passive', 'id="loading"'],
    ['click', { selector: '#answer' }, 'clipped', 'id="closed"'],
    ['click', { selector: '#slide' }, 'clipped', 'id="strip"'],
    ['click', { selector: '#cut' }, 'clipped', 'id="around"'],
    ['click', { selector: '#deep' }, 'clipped', '<div>'],
    ['click', { selector: '#round' }, 'covered', 'id="shade"'],
    ['click', { selector: '#behind' }, 'covered', 'id="card"'],
    ['click', { selector: '#folded' }, 'hidden', 'id="folded"'],
    ['click', { selector: '#unrendered' }, 'hidden', 'id="unrendered"'],
    ['click', { selector: '#under' }, 'covered', 'id="veil"'],
    ['click', { selector: '#escaped' }, 'covered', 'id="lid"'],
  ]

  test('nothing happens, and the answer has the reason', async () => {
    await call('navigate', { url: site.url })
    for (const [tool, input, reason, by] of cases) {
      const { details } = await call(tool, { ...input, timeout: 4000 })
      expect({ tool, input, ...details }).toMatchObject({ reason, by: expect.stringContaining(by) })
    }
    const slider = await call('fill_form', { fields: [{ selector: '#slider', value: '5' }], timeout: 4000 })
    expect(slider.details).toMatchObject({ reason: 'inert' })
    const script =
      "[...document.querySelectorAll('input, select')].map((field) => field.value + field.checked).join() + save.textContent"
    expect((await call('evaluate', { script })).result).toBe('false,false,onfalse,aundefinedSave')
  }, 180_000)

  test('what is inert is used as soon as it is so no more', async () => {
    const uses = [
      ['click', { selector: '#save' }],
      ['type', { selector: '#name', text: 'a' }],
      ['press_key', { selector: '#name', key: 'a' }],
      ['select', { selector: '#list', values: ['b'] }],
    ] as const
    for (const [tool, input] of uses) {
      await call('evaluate', {
        script: 'part.inert = true; void setTimeout(() => (part.inert = false), 500)',
      })
      expect(await call(tool, { ...input, timeout: 30_000 })).toMatchObject({ success: true })
    }
    const script = 'save.textContent + document.querySelector("#name").value + list.value'
    expect((await call('evaluate', { script })).result).toBe('Savedaab')
  }, 180_000)

  test('a link or button without a size is clicked on what shows it', async () => {
    await call('navigate', { url: `${site.url}/without-size` })
    const { snapshot } = await call('snapshot', {})
    const refs = [...snapshot.matchAll(/"(?:Contents|Floated|Placed|Low)" \[(e\d+)\](?! unseen)/g)]
    expect(refs).toHaveLength(4)
    for (const [, ref] of refs) expect(await call('click', { ref })).toMatchObject({ success: true })
    expect(snapshot).toMatch(/link "Skip".* unseen/)
    expect((await call('evaluate', { script: 'clicked.textContent' })).result).toBe(
      'contents floated placed low ',
    )
  })

  test('a modal dialog in an inert part is not inert', async () => {
    await call('navigate', { url: `${site.url}/modal` })
    const { snapshot } = await call('snapshot', {})
    expect(snapshot).toMatch(/^ *dialog .*\n +button "Agree" \[e\d+\]/m)
    expect(snapshot).not.toMatch(/Agree.*inert/)
    const [, ref] = /"Agree" \[(e\d+)\]/.exec(snapshot) ?? []
    await call('click', { ref })
    expect((await call('snapshot', {})).snapshot).toContain('Agreed')
  })
})
