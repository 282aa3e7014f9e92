// Pictures for people who watch: the newest one at once, then one for each change, and none that nobody asks for.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readImageSize } from '../../../src/core/base/image-plan.ts'
import type { Frame } from '../../../src/core/sessions/types/person.ts'
import { bothBrowsers } from '../../support/engines.ts'
import { deadline, openSessionPage, type SessionPage, valueOf } from '../../support/session-page.ts'
import { serveSite, type Site } from '../../support/site.ts'

/** A page of one color. */
const colored = (color: string) => `<body style="margin:0;background:${color}">`
const never = new AbortController().signal

describe.each(bothBrowsers)('in %s', (browser) => {
  let session: SessionPage
  let site: Site
  let other: Site

  beforeAll(async () => {
    session = await openSessionPage({ browser, viewport: { width: 640, height: 400 } })
    const pages = { '/red': colored('rgb(255,0,0)'), '/blue': colored('rgb(0,0,255)') }
    site = await serveSite(pages)
    other = await serveSite(pages)
  }, 120_000)
  afterAll(async () => {
    await session?.close()
    site?.close()
    other?.close()
  })

  /** The first picture after one that has this color in its middle. */
  async function showsColor(after: number, color: readonly number[]): Promise<Frame> {
    let frame = await session.page.nextFrame(after, never)
    while (frame && !isClose(await colorOf(frame), color))
      frame = await session.page.nextFrame(frame.sequence, never)
    if (!frame) throw new Error(`no picture has the color ${color}`)
    return frame
  }

  const paint = (color: string) => session.read(`document.body.style.background = '${color}'; 0`)

  test('a page that stands still has a picture at once, and then none until it changes', async () => {
    await session.open(`${site.url}/red`)
    const first = await showsColor(0, RED)
    expect(first).toMatchObject({ width: 640, height: 400 })
    const none = session.page.nextFrame(first.sequence, never)
    expect(await Promise.race([none, Bun.sleep(1500)])).toBeUndefined()
    await paint('blue')
    expect((await showsColor(first.sequence, BLUE)).sequence).toBeGreaterThan(first.sequence)
    await none
  })

  test('what changed while nobody waited is in the next picture, also the last of many changes', async () => {
    await session.open(`${site.url}/red`)
    const { sequence } = await showsColor(0, RED)
    await session.read(`new Promise((done) => {
      let count = 0
      const step = () => {
        document.body.style.background = (count += 1) < 40 ? 'rgb(' + count + ',99,99)' : 'lime'
        if (count < 40) requestAnimationFrame(step)
        else done(0)
      }
      step()
    })`)
    await showsColor(sequence, LIME)
  })

  test('a page that changes by itself is followed, at most five times a second', async () => {
    await session.open(`${colored('white')}<script>
      let count = 0
      setInterval(() => { document.body.style.background = 'hsl(' + (count += 7) + ',90%,50%)' }, 20)
    </script>`)
    let frame = await session.page.nextFrame(0, never)
    const times: number[] = []
    for (let index = 0; index < 5 && frame; index += 1) {
      frame = await session.page.nextFrame(frame.sequence, never)
      times.push(performance.now())
    }
    expect(times).toHaveLength(5)
    expect((times[4]! - times[0]!) / 4).toBeGreaterThanOrEqual(195)
  })

  test('navigation, also to another origin, and the active tab are followed', async () => {
    await session.open(`${site.url}/red`)
    let { sequence } = await showsColor(0, RED)
    await session.open(`${other.url.replace('127.0.0.1', 'localhost')}/blue`)
    ;({ sequence } = await showsColor(sequence, BLUE))
    const tab = valueOf(await session.page.perform({ kind: 'openTab' }, deadline()))
    await session.open(`${site.url}/red`)
    ;({ sequence } = await showsColor(sequence, RED))
    valueOf(session.page.selectTab('t1'))
    ;({ sequence } = await showsColor(sequence, BLUE))
    await paint('lime')
    ;({ sequence } = await showsColor(sequence, LIME))
    valueOf(session.page.selectTab(tab))
    ;({ sequence } = await showsColor(sequence, RED))
    valueOf(await session.page.perform({ kind: 'closeTab' }, deadline()))
    await showsColor(sequence, LIME)
  })

  test('screenshots of elements, of the whole page and of failures are no pictures of the page', async () => {
    await session.open(`${site.url}/red`)
    await session.read(
      `document.body.innerHTML = '<p style="margin:0;height:3000px"></p><button style="position:fixed;left:10px;top:10px;width:70px;height:21px">x</button>'; 0`,
    )
    let { sequence } = await showsColor(0, RED)
    const wrong: object[] = []
    let isOver = false
    const watching = (async () => {
      while (!isOver) {
        const frame = await session.page.nextFrame(sequence, AbortSignal.timeout(1000))
        if (!frame) continue
        ;({ sequence } = frame)
        const { width, height } = frame
        const size = readImageSize(frame.bytes)
        if (width !== 640 || height !== 400 || size.width !== 640 || size.height !== 400)
          wrong.push({ width, height, size })
      }
    })()
    for (let round = 0; round < 15; round += 1) {
      await paint(round % 2 ? 'red' : 'blue')
      const options = [{ target: { selector: 'button' } }, { fullPage: true }][round % 2]
      valueOf(await session.page.screenshot(options ?? {}, deadline()))
      await session.page.viewFailure({ maximumPixels: 10_000 }, 5000)
    }
    isOver = true
    await watching
    expect(wrong).toEqual([])
    await showsColor(0, BLUE)
  })

  test('viewers share pictures; one that leaves gets none', async () => {
    await session.open(`${site.url}/red`)
    const { sequence } = await showsColor(0, RED)
    const leaving = new AbortController()
    const [one, two, left] = [never, never, leaving.signal].map((signal) =>
      session.page.nextFrame(sequence, signal),
    )
    leaving.abort()
    expect(await left).toBeUndefined()
    await paint('blue')
    expect(await one).toBe((await two) as Frame)
  })
})

const [RED, BLUE, LIME] = [
  [255, 0, 0],
  [0, 0, 255],
  [0, 255, 0],
] as const

const isClose = (color: readonly number[], expected: readonly number[]): boolean =>
  color.every((value, index) => Math.abs(value - (expected[index] ?? 0)) < 40)

/** The color in the middle of a picture. */
async function colorOf({ bytes }: Frame): Promise<number[]> {
  const { read } = await (reading ??= openSessionPage())
  return read(`new Promise((done) => {
    const image = new Image()
    image.onload = () => {
      const canvas = document.createElement('canvas')
      canvas.width = image.width
      canvas.height = image.height
      const context = canvas.getContext('2d')
      context.drawImage(image, 0, 0)
      done([...context.getImageData(image.width / 2, image.height / 2, 1, 1).data].slice(0, 3))
    }
    image.src = 'data:image/jpeg;base64,${Buffer.from(bytes).toString('base64')}'
  })`)
}

/** The page in which pictures are read. */
let reading: Promise<SessionPage> | undefined
afterAll(async () => (await reading)?.close())
