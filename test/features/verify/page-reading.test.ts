import { afterAll, beforeAll, expect, test } from 'bun:test'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, extname, join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright'
import { launchBrowser } from '../../../src/core/browser/process/launch-browser.ts'
import { featureParts } from '../../../src/core/cli/tools/catalogue.ts'
import { openPageReading, type PageReading } from '../../../src/features/verify/page/page-reading.ts'
import type { Reading, ReadScript } from '../../../src/features/verify/page/reading.ts'
import { valueOf } from '../../support/session-page.ts'

const MAP = {
  version: 3,
  sources: ['webpack://app/./module.ts'],
  sourcesContent: ['window.go = (): number => {\n  return 1\n}\n'],
  names: [],
  mappings: 'AAAA;AACA;AACA',
}
const EVALUATED = `{window.go = () => {\n  return 1\n}\n//# sourceMappingURL=data:application/json;base64,${btoa(JSON.stringify(MAP))}\n//# sourceURL=webpack-internal:///./module.ts\n\n}`

const FILES: Readonly<Record<string, string>> = {
  'index.html': `<!doctype html><button id="go" onclick="go()">Go</button>
<a id="away" href="/next.html" onclick="leave()">Away</a><button id="work" onclick="work()">Work</button>
<script src="/app.js"></script><script src="/other.js"></script>`,
  'style.html': `<!doctype html><link rel="stylesheet" href="/style.css"><h1>Title</h1><h2>More</h2>
<script>
  const style = document.createElement('style')
  style.setAttribute('data-vite-dev-id', ROOT + '/part.vue?vue&type=style&index=0&lang.css')
  style.textContent = 'h2[data-v-1] { color: red }\\nh2 {\\n  margin: 0;\\n}\\n'
  document.head.append(style)
</script>
<button id="on" onclick="document.body.className = 'on'">On</button>`,
  'style.css': `h1 { color: red }

.on h1 {
  color: blue;
}
@media (min-width: 1px) {
  .never { color: pink }
}
@font-face { font-family: x; src: url(x.woff) }
`,
  'part.vue':
    '<template>\n  <h2>More</h2>\n</template>\n\n<style scoped>\nh2 { color: red }\nh2 {\n  margin: 0;\n}\n</style>\n',
  'hot.html':
    '<!doctype html><script type="module" src="/hot.js"></script><button id="go" onclick="go()">Go</button>',
  'hot.js': 'window.go = function () {\n  document.title = "first"\n}\n',
  'module.ts': 'window.go = (): number => {\n  return 1\n}\n',
  'evaluated.html':
    '<!doctype html><script src="/bundle.js"></script><button id="go" onclick="go()">Go</button>',
  'bundle.js': `(() => {\neval(${JSON.stringify(EVALUATED)});\n})()`,
  'next.html': '<!doctype html><h1>Next</h1>',
  'app.js': `function go() {
  if (window.never) return 1
  document.title = 'gone'
}
function leave() { if (window.never) return 1; localStorage.left = 1 }
const worker = new Worker('/worker.js')
worker.onmessage = ({ data }) => { document.title = data }
function work() { worker.postMessage('do') }
`,
  'other.js': 'function other() {}\nother()\n',
  'worker.js': `onmessage = function answer({ data }) {
  if (data === 'never') return
  postMessage('done')
}
`,
}

let browser: Browser
let folder: string
let server: http.Server
let origin: string

beforeAll(async () => {
  browser = valueOf(
    await launchBrowser({
      browser: 'chromium',
      headless: true,
      timeout: 60_000,
      features: featureParts,
      onNotice: () => {},
    }),
  )
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'fl-reading-')))
  server = http.createServer(serveFile)
  await new Promise<void>((resolve) => server.listen(0, resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterAll(async () => {
  await browser.close()
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

test('a handler has run once it was clicked, and only what it did', async () => {
  await withPage(['app.js'], async ({ page, reading }) => {
    await page.goto(origin)
    const loaded = await reading.take()
    expect(loaded.scripts.map(({ sources }) => sources[0]?.file)).toEqual(['app.js'])
    expect(countAt(loaded, 'app.js', "document.title = 'gone'")).toBe(0)
    await page.click('#go')
    const clicked = await reading.take()
    expect(countAt(clicked, 'app.js', "document.title = 'gone'")).toBe(1)
    expect(countAt(clicked, 'app.js', 'return 1')).toBe(0)
    expect((await reading.take()).scripts).toEqual([])
    await page.click('#go')
    expect(countAt(await reading.take(), 'app.js', "document.title = 'gone'")).toBe(1)
  })
})

test('blocks have counts of their own after a reload too', async () => {
  await withPage(['app.js'], async ({ page, reading }) => {
    await page.goto(origin)
    for (let load = 0; load < 3; load += 1) {
      await reading.take()
      await page.reload()
      await page.click('#go')
      const clicked = await reading.take()
      expect(countAt(clicked, 'app.js', "document.title = 'gone'")).toBe(1)
      expect(countAt(clicked, 'app.js', 'return 1')).toBe(0)
    }
  })
})

test('a click that leaves the page loses nothing of what it ran', async () => {
  await withPage(['app.js'], async ({ page, reading }) => {
    await page.goto(origin)
    await page.click('#away')
    await page.waitForURL('**/next.html')
    const left = await reading.take()
    expect(countAt(left, 'app.js', 'localStorage.left')).toBe(1)
    expect(countAt(left, 'app.js', "document.title = 'gone'")).toBe(0)
  })
})

test('scripts of another process with the same numbers are others', async () => {
  await withPage(['app.js', 'hot.js'], async ({ page, reading }) => {
    await page.goto(origin)
    await reading.take()
    for (const path of ['hot.html', '', 'hot.html']) {
      await page.goto('about:blank')
      await page.goto(`${origin.replace('127.0.0.1', path === '' ? '127.0.0.1' : 'localhost')}/${path}`)
      const file = path === '' ? 'app.js' : 'hot.js'
      expect(scriptsOf(await reading.take(), file)).toHaveLength(1)
      await page.click('#go')
      const clicked = await reading.take()
      expect(clicked.scripts.map(({ sources }) => sources[0]?.file)).toEqual([file])
      expect(countAt(clicked, file, 'document.title = ')).toBe(1)
    }
  })
})

test('a worker is counted', async () => {
  await withPage(['worker.js'], async ({ page, reading }) => {
    await page.goto(origin)
    await page.click('#work')
    await page.waitForFunction('document.title === "done"')
    const read = await reading.take()
    expect(countAt(read, 'worker.js', "postMessage('done')")).toBe(1)
    expect(countAt(read, 'worker.js', 'return')).toBe(0)
  })
})

test('each version of a file is a script of its own', async () => {
  await withPage(['app.js'], async ({ page, reading }) => {
    await page.goto(origin)
    await page.click('#go')
    await reading.take()
    // Of the same length.
    writeFileSync(join(folder, 'app.js'), FILES['app.js']?.replace("'gone'", "'done'") ?? '')
    await page.reload()
    const loaded = await reading.take()
    expect(scriptsOf(loaded, 'app.js').map(({ sources }) => sources[0]?.content?.includes("'done'"))).toEqual(
      [true],
    )
    expect(countAt(loaded, 'app.js', "document.title = 'done'")).toBe(0)
    await page.click('#go')
    expect(countAt(await reading.take(), 'app.js', "document.title = 'done'")).toBe(1)
  })
})

test('a module that was put into the page anew is another script', async () => {
  await withPage(['hot.js'], async ({ page, reading }) => {
    await page.goto(`${origin}/hot.html`)
    await page.click('#go')
    expect(countAt(await reading.take(), 'hot.js', 'document.title = "first"')).toBe(1)
    writeFileSync(join(folder, 'hot.js'), FILES['hot.js']?.replace('first', 'other') ?? '')
    await page.evaluate(`import('/hot.js?t=123')`)
    const put = await reading.take()
    expect(countAt(put, 'hot.js', 'document.title = "other"')).toBe(0)
    expect(countAt(put, 'hot.js', 'document.title = "first"')).toBeUndefined()
    await page.click('#go')
    const clicked = await reading.take()
    expect(countAt(clicked, 'hot.js', 'document.title = "other"')).toBe(1)
    expect(scriptsOf(clicked, 'hot.js').map(({ script }) => script.url)).toEqual([`${origin}/hot.js?t=123`])
  })
})

test('a module that a script of webpack evaluates counts, with the file of its own map', async () => {
  await withPage(['module.ts'], async ({ page, reading }) => {
    await page.goto(`${origin}/evaluated.html`)
    const { scripts } = await reading.take()
    expect(scripts.map(({ sources }) => sources)).toEqual([
      [{ source: 'webpack://app/module.ts', file: 'module.ts', content: FILES['module.ts'] }],
    ])
    expect(countAt({ scripts, styles: [], received: [] }, 'module.ts', 'return 1')).toBe(0)
    await page.click('#go')
    expect(countAt(await reading.take(), 'module.ts', 'return 1')).toBe(1)
  })
})

test('rules of style are used or not, by the lines of their files', async () => {
  await withPage(['style.css', 'part.vue'], async ({ page, reading }) => {
    await page.goto(`${origin}/style.html`)
    const loaded = styleOf(await reading.take(), 'style.css')
    expect(loaded).toMatchObject({ used: [1], partly: [], unused: [3, 4, 5, 7], content: FILES['style.css'] })
    await page.click('#on')
    const clicked = await reading.take()
    expect(styleOf(clicked, 'style.css')).toMatchObject({ used: [1, 3, 4, 5], unused: [7] })
    expect((await reading.take()).styles).toEqual([])
    await page.goto(`${origin}/style.html`)
    const part = styleOf(await reading.take(), 'part.vue')
    expect(part).toMatchObject({ used: [7, 8, 9], unused: [6] })
  })
})

test('nothing is started where nothing was changed, and it begins with the first edit', async () => {
  const wanted = new Set<string>()
  await withPage(wanted, async ({ page, context, reading }) => {
    let sessions = 0
    const { newCDPSession } = context
    context.newCDPSession = (target) => {
      sessions += 1
      return newCDPSession.call(context, target)
    }
    await page.goto(origin)
    expect(await reading.take()).toEqual({ scripts: [], styles: [], received: [] })
    expect(sessions).toBe(0)
    wanted.add('app.js')
    await reading.refresh()
    expect(sessions).toBe(1)
    await page.reload()
    await page.click('#go')
    const clicked = await reading.take()
    expect(countAt(clicked, 'app.js', "document.title = 'gone'")).toBe(1)
    expect(countAt(clicked, 'app.js', 'return 1')).toBe(0)
  })
})

test('what an edit puts into a page at once counts, where counting has begun before it', async () => {
  const wanted = new Set<string>()
  await withPage(wanted, async ({ page, context, reading }) => {
    await reading.arm()
    await page.goto(`${origin}/hot.html`)
    expect(await reading.take()).toEqual({ scripts: [], styles: [], received: [] })
    writeFileSync(join(folder, 'hot.js'), FILES['hot.js']?.replace('first', 'other') ?? '')
    context.once('request', () => void wanted.add('hot.js'))
    await page.evaluate(`import('/hot.js?t=123').then(() => go())`)
    expect(countAt(await reading.take(), 'hot.js', 'document.title = "other"')).toBe(1)
  })
})

test('code that was compiled before its blocks could be counted is not said to have run', async () => {
  const wanted = new Set<string>()
  await withPage(wanted, async ({ page, reading }) => {
    await page.goto(origin)
    await page.click('#go')
    wanted.add('app.js')
    await reading.refresh()
    await page.click('#go')
    const { scripts } = await reading.take()
    expect(
      scripts.flatMap(({ script }) => script.functions).filter(({ ranges }) => ranges[0]?.count),
    ).toEqual([])
  })
})

test('readings take a twentieth of the time where they may wait, and lose nothing', async () => {
  await withPage(['app.js'], async ({ page, reading }) => {
    await page.goto(origin)
    await reading.take()
    expect(reading.isDue()).toBe(false)
    await page.click('#go')
    expect(countAt(await reading.take(), 'app.js', "document.title = 'gone'")).toBe(1)
  })
})

test('a popup in the same process counts, and its end stops nothing', async () => {
  await withPage(['app.js'], async ({ page, context, reading }) => {
    await page.goto(origin)
    const [popup] = await Promise.all([context.waitForEvent('page'), page.evaluate(`void open('/')`)])
    await popup.click('#go')
    expect(countAt(await reading.take(), 'app.js', "document.title = 'gone'")).toBe(1)
    await popup.close()
    await reading.take()
    await page.click('#go')
    const clicked = await reading.take()
    expect(countAt(clicked, 'app.js', "document.title = 'gone'")).toBe(1)
    expect(countAt(clicked, 'app.js', 'return 1')).toBe(0)
  })
})

// --- internal ---

interface Opened {
  readonly page: Page
  readonly context: BrowserContext
  readonly reading: PageReading
}

async function withPage(
  files: readonly string[] | ReadonlySet<string>,
  work: (opened: Opened) => Promise<void>,
): Promise<void> {
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const context = await browser.newContext()
  const page = await context.newPage()
  const wanted = files instanceof Set ? files : new Set(files as readonly string[])
  const closing = new AbortController()
  const reading = openPageReading(context, {
    changed: () => wanted,
    root: folder,
    acceptOrigin: (url) => new URL(url).port === new URL(origin).port,
    server: async () => ({ origin, folder }),
    route: async () => ({ proxy: undefined, isLoopbackOnly: true }),
    closing: closing.signal,
  })
  await reading.refresh()
  try {
    await work({ page, context, reading })
  } finally {
    await reading.end()
    closing.abort()
    await context.close()
  }
}

const scriptsOf = (reading: Reading, file: string): readonly ReadScript[] =>
  reading.scripts.filter(({ sources }) => sources.some((source) => source.file === file))

const styleOf = (reading: Reading, file: string) => reading.styles.find((style) => style.file === file)

/** How often the text of a file ran; undefined where no function with it was counted by blocks. */
function countAt(reading: Reading, file: string, text: string): number | undefined {
  const counts = scriptsOf(reading, file).flatMap(({ script: { source, functions } }) => {
    const at = source.indexOf(text)
    const ranges = functions
      .filter(({ isBlockCoverage, ranges: [whole] }) => isBlockCoverage || whole?.count === 0)
      .flatMap(({ ranges: all }) => all)
      .filter(({ startOffset, endOffset }) => at >= startOffset && at < endOffset)
    return (
      ranges.toSorted((a, b) => a.endOffset - a.startOffset - (b.endOffset - b.startOffset))[0]?.count ?? []
    )
  })
  return counts.length === 0 ? undefined : Math.max(...counts)
}

const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.css': 'text/css' }

function serveFile({ url = '/' }: http.IncomingMessage, response: http.ServerResponse): void {
  const name = url === '/' ? 'index.html' : url.slice(1).replace(/\?.*/, '')
  const path = join(folder, name)
  if (!existsSync(path)) return void response.writeHead(404).end()
  response.writeHead(200, {
    'content-type': TYPES[extname(name)] ?? 'text/javascript',
    'cache-control': 'no-store',
  })
  response.end(readFileSync(path, 'utf8').replace('ROOT', JSON.stringify(folder)))
}
