// What a session leaves for people.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright'
import { type BrowserPages, openPages } from '../../support/checks.ts'
import { callOrThrow, connect, type Peer, share } from '../../support/client.ts'
import { until } from '../../support/leftovers.ts'
import { openShell } from '../../support/shell.ts'
import { unfoldAll } from '../../support/visible-text.ts'

const secret = 'Hunter2-Kq81-zebra'
const server = [
  'node',
  '-e',
  `require('http').createServer((request, response) => {
    if (request.url === '/api') { console.error('api: database is down'); response.statusCode = 500; return response.end() }
    response.setHeader('content-type', 'text/html')
    response.end(\`<title>Shop</title><h1>Cart</h1><input type="password" aria-label="Password"><button id="add" onclick="this.after('Added to cart')">Add</button>
      <button id="order">Place order</button><div id="veil" style="position:fixed;inset:50% 0 0"></div><div style="height:70vh"></div><button id="late">Late</button>
      <script>console.error("</scr" + "ipt><img src=x onerror=alert(1)> cart failed"); fetch("/api")</scr\` + 'ipt>')
  }).listen(process.env.PORT)`,
]

let folder: string
let peer: Peer
let browsers: BrowserPages
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fl-report-'))
  peer = await connect({ args: ['--headless', '--output-dir', join(folder, 'out')] })
  browsers = await openPages('chromium', 1)
}, 300_000)
afterAll(async () => {
  await browsers.close()
  await peer.close()
  rmSync(folder, { recursive: true, force: true })
})

const call = (tool: string, input: Record<string, unknown> = {}) => callOrThrow(peer, tool, input)

/** A session with an action that succeeds, a secret and a click that fails. */
async function fail(options: Record<string, unknown>): Promise<{ sessionId: string; url: string }> {
  const { sessionId, url } = await call('create_session', { command: server, ...options })
  await call('navigate', { sessionId, url })
  await call('wait_for', { sessionId, text: 'Cart' })
  await call('snapshot', { sessionId })
  await call('type', { sessionId, selector: 'input', text: secret })
  await call('click', { sessionId, selector: '#add' })
  await call('evaluate', { sessionId, script: `console.log('the password is ${secret}')` })
  // A picture has a time limit, which a busy machine may exceed.
  const hasPicture = await until(async () => {
    const { data } = await peer.call('click', { sessionId, selector: '#late', timeout: 2000 })
    expect(data.errorCode).toBe('ELEMENT_NOT_CLICKABLE')
    return data.evidence.screenshot !== undefined
  })
  expect(hasPicture).toBe(true)
  return { sessionId, url }
}

const reportIn = (message: string): string => /Its report is (.+\.html)\./.exec(message)?.[1] ?? ''

/** Opens a file as a person does; what it asked for and what it complained about. */
async function openFile(page: Page, path: string) {
  const [requests, complaints]: [string[], string[]] = [[], []]
  const address = pathToFileURL(path).href
  page.on('request', (request) => request.url() !== address && requests.push(request.url().slice(0, 100)))
  page.on('console', (message) => complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(address)
  return { requests: requests.filter((url) => !url.startsWith('data:')), complaints }
}

test('a report opened from disk: no request, no error, the causes as text, the secret nowhere, everything by keyboard', async () => {
  const { sessionId } = await fail({ report: 'on' })
  const { message } = await call('close_session', { sessionId })
  const path = reportIn(message)
  const files = readdirSync(dirname(path))
  expect(files).toEqual(expect.arrayContaining(['report.html', 'report.md']))
  const [html, markdown] = [readFileSync(path, 'utf8'), readFileSync(path.replace('.html', '.md'), 'utf8')]
  expect(`${html}${markdown}`).not.toContain('Hunter2')
  expect(html.length).toBeLessThan(600_000)
  expect(markdown).toContain('ELEMENT_NOT_CLICKABLE: #late was found but is covered')
  expect(markdown.split('\n').length).toBeLessThanOrEqual(60)

  const [page] = browsers.pages
  if (!page) throw new Error('no page')
  expect(await openFile(page, path)).toEqual({ requests: [], complaints: [] })
  // What failed is seen at once; the rest is folded.
  expect(await page.getByText('chromium 1').isVisible()).toBe(false)
  await page.evaluate(unfoldAll)
  const text = await page.evaluate(() => document.body.innerText)
  for (const cause of [
    'covered by another element: <div id="veil"',
    '</script><img src=x onerror=alert(1)> cart failed',
    'GET /api → 500',
    'api: database is down',
    'Added to cart',
    '[redacted]',
    'chromium 1',
    '1280 × 720',
  ])
    expect(text).toContain(cause)
  const pictures = await page.evaluate(() =>
    [...document.images].map(({ alt, naturalWidth }) => [alt.slice(0, 20), naturalWidth > 100]),
  )
  expect(pictures).toEqual([['The page when click ', true]])
  // The covered button is marked: in the lower half, at the left.
  const marks = await page.evaluate(() => {
    const of = (rect: Element, name: string) => Number(rect.getAttribute(name))
    return [...document.querySelectorAll('.marked rect')].map((rect) => [
      of(rect, 'x') < 10,
      of(rect, 'y') > 50,
    ])
  })
  expect(marks).toEqual([[true, true]])
  // The steps in words, with what was verified, and a picture of each; each leads to its entry, before and after stand there.
  const steps = await page.evaluate(() =>
    [...document.querySelectorAll('.strip a')].map((link) => {
      const words = [...link.querySelectorAll('.words, .held')].map(({ textContent }) => textContent)
      const entry = document.querySelector(`[id="${link.getAttribute('href')?.slice(1)}"]`)
      const names = [...(entry?.querySelectorAll('figcaption') ?? [])].map(({ textContent }) => textContent)
      return [words.join(' | '), link.querySelector('image, use') !== null, names.join(' ')]
    }),
  )
  expect(steps.slice(0, 3)).toEqual([
    ['Opened / | Cart is shown', true, 'After'],
    ['Filled Password', true, 'Before After'],
    ['Clicked Add', true, 'Before After'],
  ])
  expect(steps.at(-1)).toEqual(['Failed to click late (ELEMENT_NOT_CLICKABLE)', false, ''])
  expect(text).toContain('Cart is shown')
  expect(text).not.toContain('getBy')
  expect(markdown).toContain('Cart is shown')

  const controls = await page.evaluate(() => document.querySelectorAll('main a[href], input, summary').length)
  const reached = new Set<string>()
  for (let step = 0; step < controls; step += 1) {
    await page.keyboard.press('Tab')
    reached.add(await page.evaluate(() => `${document.activeElement?.outerHTML}`))
  }
  expect([...reached].filter((one) => /^<(a|input|summary)/.test(one))).toHaveLength(controls)

  const visible = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('.entry')].flatMap((entry) =>
        entry.checkVisibility() ? [entry.querySelector('.kind')?.textContent ?? ''] : [],
      ),
    )
  await page.getByLabel('Search').fill('DATABASE down')
  expect(await visible()).toEqual(['server stderr'])
  await page.getByLabel('Search').fill('')
  await page.getByLabel('Actions').uncheck()
  await page.getByLabel('Only errors and warnings').check()
  const problems = await visible()
  expect(problems).toContain('console error')
  expect(problems).not.toContain('action error')
  expect(problems).not.toContain('console')
}, 180_000)

test('without report nothing is left and no picture is taken; the tool still writes what is known', async () => {
  const { sessionId } = await fail({})
  const first = await call('report', { sessionId })
  const second = await call('report', { sessionId })
  expect([second.path, second.markdown]).toEqual([first.path, first.path.replace('.html', '.md')])
  const html = readFileSync(second.path, 'utf8')
  expect(statSync(second.path).size).toBe(second.bytes)
  expect(html.match(/ alt="The page \w+/g)).toEqual([' alt="The page when'])
  expect(html).toContain('+ text: Added to cart')
  const path = join(folder, 'out', 'shared', 'run.html')
  expect(await call('report', { sessionId, path })).toMatchObject({
    path,
    markdown: path.replace('.html', '.md'),
  })
  expect((await peer.call('report', { sessionId, path })).data).toMatchObject({
    errorCode: 'INVALID_PARAMETERS',
    details: { field: 'path' },
  })
  expect(
    (await peer.call('report', { sessionId, path: join(folder, 'run.txt') })).data.details,
  ).toMatchObject({
    field: 'path',
    expected: 'a path that ends with .html',
  })
  expect(reportIn((await call('close_session', { sessionId })).message)).toBe('')
}, 180_000)

test('on-failure: only a session with a failed call leaves a report; an expired one leaves it too', async () => {
  const calm = await call('create_session', { report: 'on-failure' })
  await call('navigate', { sessionId: calm.sessionId, url: 'about:blank' })
  expect((await call('close_session', { sessionId: calm.sessionId })).message).not.toContain('report')
  const { sessionId } = await fail({ report: 'on-failure', sessionTimeout: 3000 })
  const path = join(folder, 'out', sessionId.slice(0, 8), 'report.html')
  await until(() => existsSync(path.replace('.html', '.md')))
  expect(readFileSync(path, 'utf8')).toContain('ELEMENT_NOT_CLICKABLE')
}, 180_000)

test('pictures that Firefox takes in full size are scaled', async () => {
  const firefox = await share('firefox')
  const [page] = browsers.pages
  if (!page) throw new Error('no page')
  const readWidths = async () => {
    const { sessionId } = await callOrThrow(firefox, 'create_session', { report: 'on' })
    const url = 'data:text/html,<body style="background:red"><button onclick="this.after(1)">Add'
    await callOrThrow(firefox, 'navigate', { sessionId, url })
    await callOrThrow(firefox, 'click', { sessionId, selector: 'button' })
    const { message } = await callOrThrow(firefox, 'close_session', { sessionId })
    await page.setContent(readFileSync(reportIn(message), 'utf8'))
    return page.evaluate(() =>
      Promise.all(
        [...document.querySelectorAll('image')].map(async (image) => {
          const picture = new Image()
          picture.src = image.getAttribute('href') ?? ''
          await picture.decode()
          return picture.naturalWidth
        }),
      ),
    )
  }
  // Taking and scaling pictures have time limits, which a busy machine may exceed.
  const areScaled = await until(async () => {
    const widths = await readWidths()
    return widths.length > 0 && widths.every((width) => width > 300 && width < 450)
  })
  expect(areScaled).toBe(true)
  await firefox.close()
}, 180_000)

test('--report: a server that is ended leaves the reports of its sessions, with the call that has not ended', async () => {
  const output = join(folder, 'ended')
  const other = await connect({ args: ['--headless', '--report', 'on-failure', '--output-dir', output] })
  const { sessionId } = await callOrThrow(other, 'create_session')
  await callOrThrow(other, 'navigate', { sessionId, url: 'data:text/html,<h1>Here' })
  const waiting = other.call('wait_for', { sessionId, selector: '#never' }).catch(() => {})
  const readMarkdown = async () => {
    const { path, markdown } = await callOrThrow(other, 'report', { sessionId })
    const text = readFileSync(markdown, 'utf8')
    for (const file of [path, markdown]) rmSync(file)
    return text
  }
  await until(async () => (await readMarkdown()).includes('wait_for #never: has not ended'))
  await other.close()
  await waiting
  const text = readFileSync(join(output, sessionId.slice(0, 8), 'report.md'), 'utf8')
  expect(text).toContain('Opened a page of data')
  expect(text).toContain('wait_for #never: has not ended')
}, 180_000)

test('the shell writes a report, and an index of a folder without a session', async () => {
  const shell = openShell()
  const reports = join(shell.folder, 'reports')
  expect((await shell.run('-s', 'shop', 'open', 'data:text/html,<h1>Shop')).code).toBe(0)
  const written = await shell.run('-s', 'shop', 'report', 'reports/shop.html', '--raw')
  expect(written).toEqual({ out: `${join(reports, 'shop.html')}\n`, err: '', code: 0 })
  const index = await shell.run('report', 'reports/')
  expect(index).toEqual({ out: `${join(reports, 'index.html')}\n`, err: '', code: 0 })
  expect(readFileSync(join(reports, 'index.html'), 'utf8')).toContain('<a href="./shop.html">shop</a>')
  expect(await shell.run('report', 'reports/')).toEqual(index)
  const [page] = browsers.pages
  expect(page && (await openFile(page, join(reports, 'index.html')))).toEqual({
    requests: [],
    complaints: [],
  })
  const none = await shell.run('report', '.git/')
  expect([none.code, none.out]).toEqual([1, expect.stringContaining('There is no report in .git/')])
  expect((await shell.run('report', 'nowhere/')).code).toBe(2)
  await shell.close()
}, 180_000)
