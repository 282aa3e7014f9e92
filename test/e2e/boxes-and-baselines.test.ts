// Boxes in snapshots, and screenshots that are compared with a file.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readImageSize } from '../../src/core/base/image-plan.ts'
import { canvasPage, shopPage } from '../fixtures/shop-page.ts'
import { type Answer, connect, type Peer } from '../support/client.ts'
import { anyBrowser } from '../support/engines.ts'
import { page, serveSite, type Site } from '../support/site.ts'

const takes = Number(process.env['BASELINE_TAKES'] ?? 3)
const TOKEN = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`

const imagesOf = ({ result }: Answer) => result.content.filter(({ type }) => type === 'image')
/** The elements of all areas, such as `button Save`. */
const elementsOf = ({ data }: Answer): string[] =>
  data.differences.flatMap(({ elements }: { elements: { role: string; name: string }[] }) =>
    elements.map(({ role, name }) => `${role} ${name}`.trim()),
  )
/** The areas with an element of this name. */
const areasOf = ({ data }: Pick<Answer, 'data'>, name: string): number[][] =>
  data.differences
    .filter(({ elements }: { elements: { name: string }[] }) =>
      elements.some((element) => element.name === name),
    )
    .map(({ box }: { box: number[] }) => box)

const longPage = page('<div id="long" style="height:120000px;background:linear-gradient(red,blue)"></div>')

describe.each(anyBrowser)('%s', (browser) => {
  let site: Site
  let peer: Peer
  let sessionId: string
  const folder = mkdtempSync(join(tmpdir(), 'baseline-'))
  const outside = mkdtempSync(join(tmpdir(), 'outside-'))

  const call = (tool: string, input: Record<string, unknown> = {}) => peer.call(tool, { sessionId, ...input })
  const change = async (script: string) =>
    expect((await call('evaluate', { script: `${script}; 1` })).failed).toBe(false)
  const compare = (input: Record<string, unknown> = {}) =>
    call('screenshot', { baseline: 'shots/home.png', ...input })

  beforeAll(async () => {
    site = await serveSite({ '/': shopPage, '/canvas': canvasPage, '/long': longPage })
    peer = await connect({ args: ['--headless', '--browser', browser], cwd: folder })
    sessionId = await peer.session({ viewport: { width: 600, height: 400 } })
    await call('navigate', { url: site.url })
  }, 300_000)
  afterAll(async () => {
    await peer.close()
    site.close()
    for (const one of [folder, outside]) rmSync(one, { recursive: true, force: true })
  })

  test('boxes are those of the elements in the viewport, also in frames and after scrolling', async () => {
    const boxesOf = (text: string) =>
      Object.fromEntries(
        [...text.matchAll(/"(\w+)" \[\w+\] \[(-?\d+),(-?\d+),(\d+),(\d+)\]/g)].map(([, name, ...box]) => [
          name,
          box.map(Number),
        ]),
      )
    const { snapshot } = (await call('snapshot', { boxes: true })).data
    expect(boxesOf(snapshot)).toMatchObject({
      Save: [40, 60, 90, 30],
      Inner: [40 + 7 + 5 + 9, 200 + 7 + 5 + 9, 80, 25],
      Far: [70, 700, 120, 30],
    })
    const { result: nested } = (
      await call('evaluate', {
        script: `const outer = document.querySelector('iframe'); const inner = outer.contentDocument.querySelector('iframe').getBoundingClientRect();
          return [52 + inner.x + 1.5, 212 + inner.y + 1.5, 30, 10].map(Math.round)`,
      })
    ).data
    expect(boxesOf(snapshot)['Nested']).toEqual(nested)
    await change('scrollTo(0, 100)')
    const scrolled = (await call('snapshot', { boxes: true, pattern: 'Save|Inner' })).data.snapshot
    expect(boxesOf(scrolled)).toMatchObject({ Save: [40, -40, 90, 30], Inner: [61, 121, 80, 25] })
    const [, ref = ''] = /"Inner" \[(e\w+)\]/.exec(scrolled) ?? []
    const inner = (await call('snapshot', { ref, boxes: true })).data.snapshot
    expect(boxesOf(inner)).toEqual({ Inner: [61, 121, 80, 25] })
    await change('scrollTo(0, 0)')
    // The snapshot for later changes has none.
    expect((await call('snapshot', { diff: true })).data.snapshot).not.toMatch(/\[-?\d+,/)
    expect((await call('snapshot', { diff: true, boxes: true })).data.errorCode).toBe('INVALID_PARAMETERS')
  }, 300_000)

  test(
    'the first call creates the baseline, and an unchanged page matches',
    async () => {
      const first = await compare()
      expect(first.failed).toBe(false)
      expect(first.data).toMatchObject({ created: join(folder, 'shots/home.png'), width: 600, height: 400 })
      expect(first.data.notes.join()).toStartWith('There was no baseline')
      expect(imagesOf(first)).toHaveLength(1)
      expect(readImageSize(readFileSync(first.data.created))).toEqual({ width: 600, height: 400 })
      const differences: unknown[] = []
      for (let count = 0; count < takes; count += 1) {
        const { data, result } = await compare()
        if (data.matches !== true) differences.push(data)
        expect(result.content).toHaveLength(1)
      }
      expect(differences).toEqual([])
      const again = await compare()
      expect(again.data).toEqual({ matches: true, changed: 0, width: 600, height: 400 })
      expect(again.result.content[0]).toMatchObject({
        text: expect.stringContaining('The baseline matches.'),
      })
    },
    60_000 + takes * 5000,
  )

  test('a moved button, another text, a color and a banner are found where they are', async () => {
    const inner = 'document.querySelector("iframe").contentDocument.querySelector("#inner")'
    const banner = `<div id=sale role=alert style='position:absolute;top:320px;background:gold'>Sale ${TOKEN}</div>`
    await change(
      `save.style.left = "400px"; total.textContent = "Total 99 items"; ${inner}.textContent = "Other"; document.body.insertAdjacentHTML("beforeend", "${banner}")`,
    )
    const answer = await compare()
    expect([answer.failed, answer.data.matches]).toEqual([false, false])
    expect(answer.data.changed).toBeGreaterThan(0)
    expect(answer.data.changed).toBeLessThan(0.1)
    expect(imagesOf(answer)).toHaveLength(1)
    const elements = elementsOf(answer)
    for (const one of ['button Save', 'paragraph Total 99 items', 'button Other'])
      expect(elements).toContain(one)
    expect(elements.some((one) => one.startsWith('alert Sale'))).toBe(true)
    expect(areasOf(answer, 'Save')).toEqual([[400, 60, 90, 30]])
    expect(JSON.stringify(answer.data)).not.toContain(TOKEN)
    for (const path of [answer.data.path, answer.data.actual])
      expect(readImageSize(readFileSync(path))).toEqual({ width: 600, height: 400 })
    await change(
      `save.style.left = ""; total.textContent = "Total 12 items"; ${inner}.textContent = "Inner"; sale.remove()`,
    )
    await change('save.style.background = "green"')
    const colored = await compare({ tolerance: 0.0001 })
    expect([colored.data.matches, areasOf(colored, 'Save')]).toEqual([false, [[40, 60, 90, 30]]])
    const tolerated = await compare({ tolerance: 0.05 })
    expect(tolerated.data.matches).toBe(true)
    expect(tolerated.data.changed).toBeGreaterThan(0)
    await change('save.style.background = ""')
    expect((await compare()).data.matches).toBe(true)
  }, 300_000)

  test('the whole page and one element have baselines of their own; two sizes are named', async () => {
    const whole = { baseline: 'whole.png', fullPage: true }
    const part = { baseline: 'part.png', selector: '#fields' }
    for (const input of [whole, part])
      expect((await compare(input)).data.created).toBe(join(folder, input.baseline))
    await change('document.body.style.height = "1000px"; scrollTo(0, 50); far.style.background = "red"')
    const { data } = await compare(whole)
    expect([data.matches, data.differences.length]).toEqual([false, 1])
    expect(areasOf({ data }, 'Far')).toEqual([[70, 700, 120, 30]])
    const { baselineSize, actualSize } = data
    expect([actualSize.width - baselineSize.width, actualSize.height - baselineSize.height]).toEqual([0, 100])
    expect((await compare(part)).data.matches).toBe(true)
    await change('document.querySelector("[aria-label=Search]").value = "shoes"')
    expect(elementsOf(await compare(part))).toEqual(['textbox Search'])
    await change('document.querySelector("[aria-label=Search]").value = ""')
  }, 300_000)

  test('secret values are masked: another value of the same length is no difference', async () => {
    await change('far.style.background = ""; document.body.style.height = ""; scrollTo(0, 0)')
    expect((await compare()).data.matches).toBe(true)
    await change('document.querySelector("[name=api_key]").value = "WWWWWWWWWWWW"')
    expect((await compare()).data).toMatchObject({ matches: true, changed: 0 })
  }, 300_000)

  test('of a very long page, or element, there is the first part, and what it does not show is said; it is not compared', async () => {
    const { sessionId: own } = (await peer.call('create_session', { viewport: { width: 600, height: 400 } }))
      .data
    const take = (input: Record<string, unknown>) =>
      peer.call('screenshot', { sessionId: own, fullPage: true, ...input })
    await peer.call('navigate', { sessionId: own, url: `${site.url}/long` })
    for (const input of [{}, { fullPage: false, selector: '#long' }]) {
      const { data } = await take(input)
      expect(data.notes.join(' ')).toMatch(
        /^The whole picture would have 1\d\d\d\d\d rows of pixels, .* has the first \d+\./,
      )
      const size = readImageSize(readFileSync(data.path))
      expect(size.width * size.height).toBeWithin(24_000_000, 25_000_001)
    }
    const { data } = await take({ baseline: 'long.png' })
    expect(data).toMatchObject({ errorCode: 'RESOURCE_EXHAUSTED' })
    expect(existsSync(join(folder, 'long.png'))).toBe(false)
    await peer.call('close_session', { sessionId: own })
  })

  test('only new or existing PNG files of the workspace are used', async () => {
    writeFileSync(join(folder, 'text.png'), 'no image')
    writeFileSync(join(outside, 'secret.png'), readFileSync(join(folder, 'shots/home.png')))
    symlinkSync(join(outside, 'secret.png'), join(folder, 'link.png'))
    symlinkSync(join(outside, 'new.png'), join(folder, 'dangling.png'))
    symlinkSync(outside, join(folder, 'linked'))
    mkdirSync(join(folder, 'folder.png'))
    // One line of 20 million pixels: beside it the screenshot would need 600 GB.
    const wide = Buffer.from(readFileSync(join(folder, 'shots/home.png')))
    wide.writeUInt32BE(20_000_000, 16)
    wide.writeUInt32BE(1, 20)
    writeFileSync(join(folder, 'wide.png'), wide)
    const codeOf = async (baseline: string, input = {}) =>
      (await compare({ baseline, ...input })).data.errorCode
    expect(await codeOf(join(outside, 'other.png'))).toBe('ACCESS_DENIED')
    expect(await codeOf(join(outside, 'secret.png'))).toBe('ACCESS_DENIED')
    expect(await codeOf('link.png')).toBe('ACCESS_DENIED')
    expect(await codeOf('linked/new/other.png')).toBe('ACCESS_DENIED')
    for (const path of [
      'text.png',
      'dangling.png',
      'folder.png',
      'wide.png',
      'package.json',
      '.git/hooks/post-checkout',
    ])
      expect([path, await codeOf(path)]).toEqual([path, 'INVALID_PARAMETERS'])
    expect(await codeOf('a.png', { format: 'jpeg' })).toBe('INVALID_PARAMETERS')
    expect((await call('screenshot', { tolerance: 0.1 })).data.errorCode).toBe('INVALID_PARAMETERS')
    for (const path of ['new.png', 'new', 'other.png']) expect(existsSync(join(outside, path))).toBe(false)
    expect(readFileSync(join(folder, 'text.png'), 'utf8')).toBe('no image')
    expect((await compare({ baseline: 'text.png' })).data.message).toContain('baseline: expected a PNG')
  }, 300_000)
  // What decides is the same in both, and painting without end is expensive.
  if (browser === 'chromium')
    test('a page that never stops changing is named with the part that does', async () => {
      const other = await peer.session({ timeout: 8000, viewport: { width: 300, height: 200 } })
      await peer.call('navigate', { sessionId: other, url: `${site.url}/canvas` })
      const { data } = await peer.call('screenshot', { sessionId: other, baseline: 'canvas.png' })
      expect(data).toMatchObject({
        errorCode: 'TIMEOUT',
        details: { observed: expect.arrayContaining([expect.stringContaining('img "Clock"')]) },
      })
      expect(existsSync(join(folder, 'canvas.png'))).toBe(false)
      const part = { sessionId: other, baseline: 'text-part.png', selector: 'p' }
      expect((await peer.call('screenshot', part)).data.created).toBe(join(folder, 'text-part.png'))
      expect(
        (await peer.call('screenshot', { ...part, baseline: 'canvas.png', selector: 'body', tolerance: 1 }))
          .data.created,
      ).toBeString()
    }, 300_000)
})
