// A video of a session, recorded through the executable and played in real browsers: what it shows, when, and what it never shows.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { readImageSize } from '../../../src/core/base/image-plan.ts'
import { type BrowserPages, openPages } from '../../support/checks.ts'
import { callOrThrow, connect, type Peer } from '../../support/client.ts'
import { bothBrowsers, type TestBrowser } from '../../support/engines.ts'
import { until } from '../../support/leftovers.ts'
import { serveSite, type Site } from '../../support/site.ts'

const SIZE = { width: 640, height: 400 }
const COLORS = ['rgb(255,0,0)', 'rgb(0,160,0)', 'rgb(0,0,255)', 'rgb(255,160,0)', 'rgb(160,0,160)']
const COVER = 'rgb(82,82,91)'

/** Each click paints the page at once, and asks for /ready a second later. */
const PAINTED = `<body style="margin:0;background:white"><button id="next" style="position:absolute;left:100px;top:300px;width:120px;height:40px">Next</button>
<script>
  const colors = ${JSON.stringify(COLORS)}
  let count = 0
  document.querySelector('#next').onclick = () => {
    document.body.style.background = colors[count]
    count += 1
    setTimeout(() => fetch('/ready'), 1000)
  }
</script>`

const FIELD = 'border:0;width:200px;height:40px;font:40px monospace;color:rgb(255,0,0)'
const FIELDS = `<body style="margin:0;background:white">
<input name="city" style="position:absolute;left:20px;top:20px;${FIELD}">
<input name="apiKey" style="position:absolute;left:20px;top:120px;${FIELD}">
<input name="memo" style="position:absolute;left:20px;top:220px;${FIELD}" onkeydown="if (event.key === 'Enter') value = ''">
<iframe srcdoc="<body style='margin:0'><input name='cvv' style='${FIELD}'>" style="position:absolute;left:300px;top:100px;width:200px;height:100px;border:0"></iframe>
<button style="position:absolute;left:20px;top:300px">Done</button>`

/** Notes whatever changes in the document, apart from its fields. */
const WATCH_CHANGES = `globalThis.changes = []; new MutationObserver((list) => changes.push(...list.map(({ type, target }) => type + ' ' + target.nodeName))).observe(document, { subtree: true, childList: true, attributes: true }); 0`

/** Moves a field while pictures are taken, and removes it. */
const MOVE_AND_REMOVE = `const field = document.querySelector('[name=apiKey]')
const move = field.animate({ top: ['120px', '190px'] }, { duration: 150, iterations: 10, direction: 'alternate' })
return move.finished.then(() => field.remove())`

let folder: string
let site: Site
let players: ReadonlyMap<TestBrowser, BrowserPages>
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fl-video-'))
  writeFileSync(join(folder, 'secrets.env'), 'MEMO=WWWWWWWW\n')
  site = await serveSite({ '/': PAINTED, '/fields': FIELDS, '/colors': COLUMNS, '/moved': MOVED })
  const opening = bothBrowsers.map(async (browser) => [browser, await openPages(browser, 1)] as const)
  players = new Map(await Promise.all(opening))
}, 120_000)
afterAll(async () => {
  await Promise.all([...(players?.values() ?? [])].map(({ close }) => close()))
  site?.close()
  rmSync(folder, { recursive: true, force: true })
})

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** The color in the middle of a box, the share of its pixels that are red, and the last column with a bright one. */
interface Look {
  readonly color: readonly number[]
  readonly red: number
  readonly end: number
}

interface Video {
  readonly duration: number
  readonly width: number
  readonly height: number
  /** What it shows in a box at a time. */
  look(ms: number, box: Box): Promise<Look>
}

/** Opens a file in the video element of a browser. */
async function play(path: string, browser: TestBrowser = bothBrowsers[0] as TestBrowser): Promise<Video> {
  const [page] = players.get(browser)?.pages ?? []
  if (!page) throw new Error('no player')
  const size = await page.evaluate(async (base64) => {
    document.body.innerHTML = '<video muted></video>'
    const video = document.querySelector('video') as HTMLVideoElement
    video.src = `data:video/webm;base64,${base64}`
    await new Promise((resolve, reject) => {
      video.onloadeddata = resolve
      video.onerror = () => reject(new Error(video.error?.message))
    })
    return { duration: video.duration * 1000, width: video.videoWidth, height: video.videoHeight }
  }, readFileSync(path).toString('base64'))
  return { ...size, look: (ms, box) => page.evaluate(lookAt, [ms, box] as const) }
}

/** Returns a function that waits until the page has asked for /ready once more. */
function watchReady(): () => Promise<boolean> {
  const count = () => site.hits.filter((hit) => hit === '/ready').length
  const before = count()
  return () => until(() => count() > before)
}

/** Runs in the player. */
async function lookAt([ms, { x, y, width, height }]: readonly [number, Box]): Promise<Look> {
  const video = document.querySelector('video') as HTMLVideoElement
  // What is shown already is not shown anew, and would be waited for in vain.
  if (video.dataset['shown'] !== `${ms}`) {
    const seeked = new Promise((resolve) => (video.onseeked = resolve))
    // A player may say that it is there before it shows the frame; it shows none anew where that is the same.
    const shown = new Promise((resolve) => video.requestVideoFrameCallback(resolve))
    video.currentTime = ms / 1000
    await seeked
    await Promise.race([shown, new Promise((resolve) => setTimeout(resolve, 500))])
    video.dataset['shown'] = `${ms}`
  }
  const canvas = document.createElement('canvas')
  canvas.width = video.videoWidth
  canvas.height = video.videoHeight
  const context = canvas.getContext('2d') as CanvasRenderingContext2D
  context.drawImage(video, 0, 0)
  const { data } = context.getImageData(x, y, width, height)
  let red = 0
  let end = 0
  for (let index = 0; index < data.length; index += 4) {
    const [r = 0, g = 0, b = 0] = data.subarray(index, index + 3)
    if (r > 150 && g > 150 && b > 150) end = Math.max(end, (index / 4) % width)
    if (r > 150 && g < 110 && b < 110) red += 1
  }
  const middle = 4 * (Math.floor(height / 2) * width + Math.floor(width / 2))
  return { color: [...data.subarray(middle, middle + 3)], red: red / width / height, end }
}

const isClose = ({ color }: Look, expected = '', limit = 40): boolean =>
  (expected.match(/\d+/g) ?? []).every((channel, index) => Math.abs(+channel - (color[index] ?? 0)) < limit)

/** Each in a column of its own. */
const TEN_COLORS = [
  'rgb(246,243,238)',
  'rgb(47,79,58)',
  'rgb(255,255,255)',
  'rgb(0,0,0)',
  'rgb(209,36,47)',
  'rgb(5,80,174)',
  'rgb(26,127,55)',
  'rgb(128,128,128)',
  'rgb(255,248,220)',
  'rgb(255,154,146)',
]
const COLUMNS = `<body style="margin:0;display:flex;height:100vh">${TEN_COLORS.map((color) => `<div style="flex:1;background:${color}"></div>`).join('')}`

/** A field that moves in the ways that scripts see late, or not, and then a mark. */
const MOVED = `<body style="margin:0;background:white"><div id="box"><input name="apiKey" value="MMMMM" style="position:absolute;left:20px;top:120px;${FIELD}"></div>
<p id="end" style="position:absolute;left:400px;top:250px;width:100px;height:60px"></p>`
const MOVES = [
  `return document.querySelector('[name=apiKey]').animate({ transform: ['none', 'translateY(70px)'] }, { duration: 150, iterations: 6, direction: 'alternate' }).finished.then(() => 0)`,
  `const field = document.querySelector('[name=apiKey]'), start = performance.now()
return new Promise((resolve) => (function step() { const ms = performance.now() - start
  field.style.top = 155 - 35 * Math.cos(ms / 24) + 'px'
  if (ms < 900) requestAnimationFrame(step); else resolve(0) })())`,
]

const CAPTION: Box = { x: 0, y: 402, width: 640, height: 36 }
const BACKGROUND: Box = { x: 400, y: 100, width: 20, height: 20 }

describe.each(bothBrowsers)('recorded in %s', (browser) => {
  let peer: Peer
  let sessionId: string
  const open = async () => {
    const args = ['--headless', '--browser', browser, '--tools', '+video', '--output-dir', folder]
    return connect({ args: [...args, '--secrets', join(folder, 'secrets.env')], cwd: folder })
  }
  const call = (tool: string, input: Record<string, unknown> = {}) =>
    callOrThrow(peer, tool, { sessionId, ...input })
  beforeAll(async () => {
    peer = await open()
    sessionId = await peer.session({ viewport: SIZE })
  }, 120_000)
  afterAll(() => peer?.close())

  /** Records what `act` does; returns the answer and how long that took. */
  async function record(url: string, act: () => Promise<void>) {
    await call('navigate', { url })
    await call('video', { action: 'start' })
    const start = performance.now()
    await act()
    const duration = performance.now() - start
    const answer = await peer.call('video', { sessionId, action: 'stop' })
    expect([answer.failed, answer.data]).toEqual([false, expect.anything()])
    return { answer, duration, path: answer.data.path as string }
  }

  test('what is done is seen in every player at its time: duration, size, colors, captions, the mouse, a contact sheet', async () => {
    const readyTimes: number[] = []
    const { answer, duration, path } = await record(site.url, async () => {
      const start = performance.now()
      for (const index of COLORS.keys()) {
        const waitUntilReady = watchReady()
        // Every second action has a longer caption.
        if (index % 2 === 0) await call('click', { selector: '#next' })
        else await call('press_key', { selector: '#next', key: 'Enter' })
        await waitUntilReady()
        readyTimes.push(performance.now() - start)
      }
    })
    for (const player of bothBrowsers) {
      const video = await play(path, player)
      expect(video).toMatchObject({ width: 640, height: 440 })
      expect(Math.abs(video.duration - answer.data.duration)).toBeLessThan(2)
      expect(Math.abs(video.duration - duration)).toBeLessThan(0.2 * duration)
      const ends: number[] = []
      for (const [index, time] of readyTimes.entries()) {
        const look = await video.look(time - 100, BACKGROUND)
        expect([player, index, look.color, isClose(look, COLORS[index])]).toEqual([
          player,
          index,
          look.color,
          true,
        ])
        ends.push((await video.look(time - 100, CAPTION)).end)
      }
      const [first = 0, second = 0, , , fifth = 0] = ends
      expect(first).toBeGreaterThan(50)
      expect(second).toBeGreaterThan(first + 50)
      expect(Math.abs(fifth - first)).toBeLessThan(4)
      // Back to the start: the file can be sought in.
      expect((await video.look(0, CAPTION)).end).toBe(0)
      expect(isClose(await video.look(0, BACKGROUND), 'rgb(255,255,255)')).toBe(true)
      // The pointer is at the middle of the button, and the ring is gone by then.
      const pointer = await video.look(video.duration - 100, { x: 161, y: 324, width: 6, height: 8 })
      expect(isClose(pointer, 'rgb(0,0,0)')).toBe(true)
    }
    const [image] = answer.result.content.filter((part) => part.type === 'image')
    const sheet = Buffer.from(image?.type === 'image' ? image.data : '', 'base64')
    // Six pictures: the start and five clicks.
    expect(readImageSize(sheet)).toEqual({ width: 1568, height: 720 })
    expect(sheet.length).toBeLessThan(200_000)
    expect(readFileSync(answer.data.sheet).equals(sheet)).toBe(true)
  }, 180_000)

  test('ten colors are those of the page in every player, also on a page as large as those that players take for television', async () => {
    for (const size of [SIZE, { width: 1280, height: 720 }]) {
      await call('emulate', { viewport: size })
      const { path } = await record(`${site.url}/colors`, async () => {})
      for (const player of bothBrowsers) {
        const video = await play(path, player)
        for (const [index, color] of TEN_COLORS.entries()) {
          const x = Math.round(((index + 0.5) * size.width) / TEN_COLORS.length)
          const look = await video.look(0, { x, y: 200, width: 4, height: 4 })
          // Encoder and player round twice.
          expect([color, player, look.color, isClose(look, color, 5)]).toEqual([
            color,
            player,
            look.color,
            true,
          ])
        }
      }
    }
    await call('emulate', { viewport: SIZE })
  }, 180_000)

  test('a secret field that moves is in no frame, and what came after it is', async () => {
    for (const script of MOVES) {
      const { path } = await record(`${site.url}/moved`, async () => {
        await call('evaluate', { script })
        await call('evaluate', { script: `document.querySelector('#end').style.background = 'blue'` })
      })
      const video = await play(path)
      for (let time = 0; time < video.duration; time += 50)
        expect([time, (await video.look(time, { x: 0, y: 0, width: 380, height: 400 })).red]).toEqual([
          time,
          0,
        ])
      const end = await video.look(video.duration - 50, { x: 440, y: 270, width: 10, height: 10 })
      expect([end.color, isClose(end, 'rgb(0,0,255)')]).toEqual([end.color, true])
    }
  }, 180_000)

  test('a click is shown before what it causes: the ring on the button of the page as it was', async () => {
    const { path } = await record(site.url, async () => {
      const waitUntilReady = watchReady()
      await call('click', { selector: '#next' })
      await waitUntilReady()
    })
    const video = await play(path)
    const seen: { ring: boolean; isPainted: boolean }[] = []
    for (let time = 0; time < video.duration; time += 50) {
      const isPainted = isClose(await video.look(time, BACKGROUND), COLORS[0])
      const { red } = await video.look(time, { x: 141, y: 310, width: 2, height: 20 })
      seen.push({ ring: !isPainted && red > 0.5, isPainted })
    }
    const first = seen.findIndex(({ ring }) => ring)
    expect(first).toBeGreaterThanOrEqual(0)
    expect(seen.slice(0, first + 1).some(({ isPainted }) => isPainted)).toBe(false)
    expect(seen.at(-1)).toEqual({ ring: false, isPainted: true })
  }, 120_000)

  test('each of several quick actions is seen, in order', async () => {
    const { path } = await record(site.url, async () => {
      for (const _ of COLORS) await call('click', { selector: '#next' })
    })
    const video = await play(path)
    const seen: string[] = []
    for (let time = 0; time < video.duration; time += 50) {
      const look = await video.look(time, BACKGROUND)
      const color = ['rgb(255,255,255)', ...COLORS].find((one) => isClose(look, one)) ?? look.color.join()
      if (color !== seen.at(-1)) seen.push(color)
    }
    expect(seen).toEqual(['rgb(255,255,255)', ...COLORS])
  }, 120_000)

  test('secret fields are covered in every frame, also in frames of the page; the page itself is left as it is', async () => {
    const { path } = await record(`${site.url}/fields`, async () => {
      await call('evaluate', { script: WATCH_CHANGES })
      await call('type', { selector: '[name=city]', text: 'MMMMM' })
      await call('type', { selector: '[name=apiKey]', text: 'MMMMM' })
      await call('type', { selector: 'iframe >> internal:control=enter-frame >> input', text: 'MMMMM' })
      await call('click', { selector: 'button' })
      const { result } = await call('evaluate', { script: 'globalThis.changes' })
      // Each screenshot of Firefox does that.
      expect(result.filter((text: string) => text !== 'childList HEAD')).toEqual([])
      await call('evaluate', { script: MOVE_AND_REMOVE })
      // A field of which only the value is secret, for a moment.
      for (let round = 0; round < 8; round += 1)
        await call('type', { selector: '[name=memo]', text: '{{MEMO}}', submit: true, delay: 20 })
    })
    const video = await play(path)
    let cityRed = 0
    for (let time = 0; time < video.duration; time += 100) {
      const key = await video.look(time, { x: 20, y: 118, width: 260, height: 150 })
      const code = await video.look(time, { x: 300, y: 100, width: 200, height: 60 })
      expect([time, key.red, code.red]).toEqual([time, 0, 0])
      cityRed = Math.max(cityRed, (await video.look(time, { x: 20, y: 20, width: 200, height: 40 })).red)
    }
    expect(cityRed).toBeGreaterThan(0.1)
    const cover = await video.look(video.duration - 100, { x: 310, y: 110, width: 20, height: 20 })
    expect(isClose(cover, COVER)).toBe(true)
  }, 180_000)

  test('what is wrong says what to do and loses nothing; the page that encodes is no tab, and ends with the video', async () => {
    const refuse = async (input: object) => (await peer.call('video', { sessionId, ...input })).data.message
    const renderers = () =>
      peer.trace.processes().filter(({ command }) => command.includes('--type=renderer'))
    const before = renderers().length
    await call('navigate', { url: site.url })
    expect(await refuse({ action: 'stop' })).toContain('start first')
    await call('video', { action: 'start' })
    expect((await call('tabs', { action: 'list' })).tabs.length).toBe(1)
    expect(renderers().length).toBe(browser === 'chromium' ? before + 1 : before)
    expect(await refuse({ action: 'start' })).toContain('stop first')
    expect(await refuse({ action: 'stop', path: 'a.mp4' })).toContain('.webm')
    writeFileSync(join(folder, `${browser}-old.webm`), 'old')
    expect(await refuse({ action: 'stop', path: `${browser}-old.webm` })).toContain('does not exist yet')
    const path = join(folder, 'videos', `${browser}.webm`)
    expect((await call('video', { action: 'stop', path })).path).toBe(path)
    expect((await play(path)).width).toBe(640)
    expect(await until(() => renderers().length === before)).toBe(true)
    expect(
      site.hits.every((hit) => ['/', '/fields', '/colors', '/moved', '/ready', '/favicon.ico'].includes(hit)),
    ).toBe(true)
  }, 120_000)

  test('close_session, the end of the client and the end of the browser save it', async () => {
    const videosOf = (id: string) =>
      readdirSync(join(folder, id.slice(0, 8))).filter((name) => name.endsWith('.webm'))
    const start = async (other: Peer) => {
      const id = await other.session({ viewport: SIZE })
      await callOrThrow(other, 'navigate', { sessionId: id, url: site.url })
      await callOrThrow(other, 'video', { sessionId: id, action: 'start' })
      const waitUntilReady = watchReady()
      await callOrThrow(other, 'click', { sessionId: id, selector: '#next' })
      await waitUntilReady()
      return id
    }
    const closed = await start(peer)
    // What an action did just before is in it.
    for (const selector of ['#next', '#next'])
      await callOrThrow(peer, 'click', { sessionId: closed, selector })
    const { message } = await callOrThrow(peer, 'close_session', { sessionId: closed })
    const video = await play(/Its video is (.+\.webm)\./.exec(message)?.[1] ?? '')
    expect(isClose(await video.look(video.duration - 50, BACKGROUND), COLORS[2])).toBe(true)

    const other = await open()
    const left = await start(other)
    await other.close()
    expect(videosOf(left)).toEqual(['video.webm'])

    const crashed = await start(peer)
    for (const { pid } of peer.trace.browsers()) process.kill(pid, 'SIGKILL')
    // Its file is there before it is whole.
    const widthOf = async (id: string) => (await play(join(folder, id.slice(0, 8), 'video.webm'))).width
    expect(await until(async () => (await widthOf(crashed).catch(() => 0)) === 640)).toBe(true)
  }, 180_000)
})
