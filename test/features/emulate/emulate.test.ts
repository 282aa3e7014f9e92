// What a session emulates holds in all its tabs, after a reload and in windows that a page opens, until it is reset. The oracle is the page.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Peer, share } from '../../support/client.ts'
import { bothBrowsers } from '../../support/engines.ts'
import { until } from '../../support/leftovers.ts'
import { page, serveSite, type Site } from '../../support/site.ts'

const facts = `({
  timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  locale: Intl.DateTimeFormat().resolvedOptions().locale,
  language: navigator.language,
  agent: /Android/.test(navigator.userAgent) ? 'Android' : /Mine/.test(navigator.userAgent) ? 'Mine' : 'other',
  width: innerWidth,
  scale: devicePixelRatio,
  touch: navigator.maxTouchPoints > 0 && matchMedia('(pointer: coarse)').matches,
  dark: matchMedia('(prefers-color-scheme: dark)').matches,
  motion: matchMedia('(prefers-reduced-motion: reduce)').matches,
  forced: matchMedia('(forced-colors: active)').matches,
  contrast: matchMedia('(prefers-contrast: more)').matches,
  print: matchMedia('print').matches,
})`
const start = `<meta name="viewport" content="width=device-width"><script>window.first = ${facts}</script>
<a id="popup" href="/" target="_blank">Popup</a><button id="open" onclick="window.open('/')">Open</button>`

/** How much slower the page is than a worker, which is not slowed down. A busy machine only makes runs longer, so the shortest counts. */
const slowness = `(async () => {
  const run = () => {
    const start = performance.now()
    let sum = 0
    for (let i = 0; i < 5e6; i++) sum = (sum * 31 + i) | 0
    return performance.now() - start + (sum === 1 ? 1 : 0)
  }
  const source = 'const run = ' + run + '; onmessage = () => postMessage(run())'
  const worker = new Worker(URL.createObjectURL(new Blob([source])))
  const runInWorker = () =>
    new Promise((resolve) => {
      worker.onmessage = ({ data }) => resolve(data)
      worker.postMessage('')
    })
  const runs = { page: [], worker: [] }
  for (let i = 0; i < 3; i++) {
    runs.worker.push(await runInWorker())
    runs.page.push(run())
  }
  worker.terminate()
  return Math.min(...runs.page) / Math.min(...runs.worker)
})()`
const request = `(async () => {
  const start = performance.now()
  await (await fetch('/small?' + start)).text()
  return performance.now() - start
})()`

const server = `require('node:http').createServer((request, response) => {
  response.setHeader('content-type', 'text/html')
  response.end(request.url.startsWith('/small') ? 'small' : ${JSON.stringify(page(start))})
}).listen(process.env.PORT, '127.0.0.1')`

describe.each(bothBrowsers)('%s', (browser) => {
  let peer: Peer
  let own: string
  let foreign: Site

  beforeAll(async () => {
    foreign = await serveSite({ '/': page(start) })
    peer = await share(browser)
    const options = { locale: 'de-DE', timezone: 'Asia/Tokyo' }
    own = (await peer.call('create_session', { command: ['node', '-e', server], ...options })).data.url
  }, 300_000)
  afterAll(async () => {
    await peer.close()
    foreign.close()
  })

  const read = async (script = facts) =>
    (await peer.call('evaluate', { script, timeout: 30_000 })).data.result
  const open = (url = own) => peer.call('navigate', { url })
  const emulate = (settings: Record<string, unknown>) => peer.call('emulate', settings)
  const current = async () => (await emulate({})).data
  const select = (tabId: string) => peer.call('tabs', { action: 'select', tabId })
  const closeOthers = async () => {
    await select('t1')
    for (const { id } of (await peer.call('tabs', { action: 'list' })).data.tabs)
      if (id !== 't1') await peer.call('tabs', { action: 'close', tabId: id })
  }
  const states = (...names: string[]) =>
    read(
      `Promise.all(${JSON.stringify(names)}.map(async (name) => (await navigator.permissions.query({ name })).state))`,
    )
  const newestTab = async () => (await peer.call('tabs', { action: 'list' })).data.tabs.at(-1).id

  const mobile = {
    ...{ timezone: 'Asia/Tokyo', locale: 'de-DE', language: 'de-DE', agent: 'Mine', width: 412 },
    ...(browser === 'chromium' && { dark: true, motion: true, forced: true, contrast: true }),
  }
  const media = {
    colorScheme: 'dark',
    reducedMotion: true,
    forcedColors: true,
    contrast: 'more',
    media: 'print',
  }
  const change = {
    ...{ viewport: { width: 412, height: 800 }, userAgent: 'Mine' },
    ...(browser === 'chromium' && media),
  }
  const print = browser === 'chromium' && { print: true }

  test('settings hold after a reload, in a new tab, in popups and in what is left of them', async () => {
    await open()
    const before = await read()
    expect((await current()).message).toBe('Nothing is emulated.')
    expect((await emulate(change)).data).toEqual({ success: true })
    expect(await read()).toMatchObject({ ...mobile, ...print })
    await peer.call('history', { direction: 'reload' })
    expect(await read('first')).toMatchObject(mobile)
    expect(await read()).toMatchObject({ ...mobile, ...print })
    await peer.call('tabs', { action: 'new', url: foreign.url })
    expect(await read('first')).toMatchObject(mobile)
    expect(await read()).toMatchObject({ ...mobile, ...print })
    // A tab of Firefox costs a process of its own.
    const openers = browser === 'chromium' ? ['#popup', '#open'] : ['#open']
    for (const selector of openers) {
      await peer.call('click', { selector })
      await select(await newestTab())
      await peer.call('wait_for', { selector: '#popup' })
      expect(await read('first')).toMatchObject(mobile)
      expect(await read()).toMatchObject({ ...mobile, ...print })
    }
    // Pages of one process share the setting of the page that was there first.
    for (const tabId of ['t2', 't3'].slice(0, openers.length))
      await peer.call('tabs', { action: 'close', tabId })
    expect(await read()).toMatchObject({ ...mobile, ...print })

    expect((await current()).emulation).toEqual(change)
    await emulate({ reset: 'viewport' })
    expect(await read()).toMatchObject({ ...mobile, width: before.width })
    await emulate({ reset: 'all' })
    expect(await read()).toEqual(before)
    expect((await current()).message).toBe('Nothing is emulated.')
    await peer.call('history', { direction: 'reload' })
    expect(await read('first')).toEqual(before)
    await closeOthers()
    expect(await read()).toEqual(before)
  }, 120_000)

  test('what the browser refuses is a failure and changes nothing', async () => {
    await open()
    const before = await read()
    const refusals: [settings: Record<string, unknown>, text: RegExp][] = [
      [
        { timezone: 'UTC' },
        /timezone.*create_session \(in the shell: open\) takes device, locale and timezone/s,
      ],
      [
        { device: 'Pixel 7' },
        /device.*create_session \(in the shell: open\) takes device, locale and timezone/s,
      ],
      [{ reset: 'time zone' }, /reset.*all/s],
      [{ permissions: ['nonsense'] }, /permissions/],
    ]
    const unsupported: typeof refusals = [
      [{ network: 'slow-3g' }, /firefox cannot emulate network/],
      [{ cpuThrottlingRate: 4 }, /firefox cannot emulate cpuThrottlingRate/],
      [{ colorScheme: 'dark' }, /firefox cannot emulate colorScheme/],
      [{ reducedMotion: true }, /firefox cannot emulate reducedMotion/],
      [{ forcedColors: true }, /firefox cannot emulate forcedColors/],
      [{ contrast: 'more' }, /firefox cannot emulate contrast/],
      [{ media: 'print' }, /firefox cannot emulate media/],
    ]
    for (const [settings, text] of [...refusals, ...(browser === 'firefox' ? unsupported : [])])
      expect(await emulate(settings)).toMatchObject({
        failed: true,
        data: { message: expect.stringMatching(text) },
      })
    expect(await read()).toEqual(before)
    expect((await current()).message).toBe('Nothing is emulated.')
  }, 300_000)

  test('permissions are those of one origin, beside those it has, until they are reset', async () => {
    const [first, second] =
      browser === 'chromium' ? ['camera', 'local-fonts'] : ['notifications', 'persistent-storage']
    const clipboard = browser === 'chromium' ? ['clipboard-read'] : []
    const names = [first, second, 'geolocation', ...clipboard] as string[]
    const allowed = clipboard.map(() => 'granted')
    await open()
    const before = await states(...names)
    expect(before.slice(3)).toEqual(allowed)
    await emulate({ permissions: [first], geolocation: { latitude: 1, longitude: 2 } })
    expect(await states(...names)).toEqual(['granted', before[1], 'granted', ...allowed])
    await emulate({ permissions: [second] })
    expect(await states(...names)).toEqual([before[0], 'granted', 'granted', ...allowed])
    expect((await current()).emulation).toMatchObject({ permissions: { [new URL(own).origin]: [second] } })
    await open(foreign.url)
    expect(await states(first as string, second as string)).toEqual(before.slice(0, 2))
    await open()
    await emulate({ reset: 'permissions,geolocation' })
    expect((await states(...names)).slice(0, 2)).toEqual(before.slice(0, 2))
    expect((await states(...names)).slice(3)).toEqual(allowed)
    await open('about:blank')
    expect((await emulate({ permissions: [first] })).data).toMatchObject({
      errorCode: 'INVALID_PARAMETERS',
      details: { field: 'permissions' },
    })
  }, 300_000)

  if (browser === 'chromium')
    test('throttling slows down every tab until it is reset', async () => {
      const openPopup = async () => {
        await peer.call('click', { selector: '#popup' })
        await select(await newestTab())
        await peer.call('wait_for', { selector: '#popup' })
      }
      const readLatency = async () => Number(await read(request))
      await open()
      await emulate({ cpuThrottlingRate: 8 })
      await peer.call('history', { direction: 'reload' })
      // The thread that slows down the page needs a processor too.
      const isSlow = () => until(async () => Number(await read(slowness)) > 2)
      expect(await isSlow()).toBe(true)
      await openPopup()
      expect(await isSlow()).toBe(true)
      await emulate({ reset: 'cpuThrottlingRate', network: 'slow-4g' })
      expect(await until(async () => Number(await read(slowness)) < 2)).toBe(true)
      expect(await readLatency()).toBeGreaterThanOrEqual(560)
      await openPopup()
      expect(await readLatency()).toBeGreaterThanOrEqual(560)
      await emulate({ offline: true })
      expect((await open()).data).toMatchObject({
        errorCode: 'NAVIGATION_FAILED',
        message: expect.stringContaining(
          'emulate has set the session offline. Call emulate with offline false.',
        ),
      })
      await emulate({ offline: false })
      await open()
      expect(await readLatency()).toBeGreaterThanOrEqual(560)
      await emulate({ reset: 'network' })
      expect(await until(async () => (await readLatency()) < 560)).toBe(true)
    }, 120_000)
})
