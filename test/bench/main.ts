// `bun run bench`: Footlight's executable beside @playwright/mcp and raw Playwright, on one browser, in one run. `--quick` takes
// fewer runs. The table goes to stdout, the samples to dist/bench.json.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { chromium, type Page } from 'playwright'
import { discover } from '../../src/browser/discover.ts'
import { binary, connect, type Peer } from '../support/client.ts'
import { install } from '../support/npm.ts'
import { compareTask, taskTable } from './task.ts'
import { sideBySide, table, type Row, type Run } from './measure.ts'

const quick = process.argv.includes('--quick')
const runs = quick ? 7 : 20
const executablePath = discover({ browser: 'chromium', headless: true }).found
if (!executablePath) throw new Error('bench: there is no Chromium; run `bun run setup` first')
const root = process.getuid?.() === 0

const served = Bun.spawn([process.execPath, resolve(import.meta.dir, 'site.ts')], { stdout: 'pipe' })
const first = await served.stdout.getReader().read()
const site = { url: new TextDecoder().decode(first.value).trim() }
console.error('bench: fetching @playwright/mcp …')
const fetched = install('@playwright/mcp@0.0.83')
const mcp = [
  join(fetched.folder, 'node_modules/@playwright/mcp/cli.js'),
  '--headless',
  '--isolated',
  '--executable-path',
  executablePath,
  ...(root ? ['--no-sandbox'] : []),
]

const footlight = () => connect({ args: ['--headless', '--executable-path', executablePath] })
const playwrightMcp = () => connect({ command: ['node', ...mcp], args: [], cwd: fetched.folder })

/** Milliseconds from the start of a server to the end of `use`; ending the server is not counted. */
const started =
  (start: () => Promise<Peer>, use: (peer: Peer) => Promise<unknown>): Run =>
  async () => {
    const since = performance.now()
    const peer = await start()
    await use(peer)
    const took = performance.now() - since
    await peer.client.close()
    rmSync(peer.trace.folder, { recursive: true, force: true })
    return took
  }

const rawStart =
  (runtime: string): Run =>
  async () => {
    const child = Bun.spawn([runtime, resolve(import.meta.dir, 'raw.mjs'), executablePath, site.url], {
      stdout: 'pipe',
      env: { ...process.env, FOOTLIGHT_ROOT: root ? '1' : '' },
    })
    const since = performance.now()
    const reader = child.stdout.getReader()
    await reader.read()
    const took = performance.now() - since
    await child.exited
    return took
  }

console.error('bench: starts …')
const rows: Row[] = []
rows.push(
  await sideBySide(
    'start → initialize answered',
    {
      footlight: started(footlight, async () => {}),
      '@playwright/mcp': started(playwrightMcp, async () => {}),
    },
    runs,
  ),
)
rows.push(
  await sideBySide(
    'start → first page',
    {
      footlight: started(footlight, async (peer) =>
        peer.call('navigate', { sessionId: await peer.session(), url: site.url }),
      ),
      '@playwright/mcp': started(playwrightMcp, (peer) => peer.call('browser_navigate', { url: site.url })),
      'raw Playwright': rawStart('node'),
    },
    runs,
  ),
)

console.error('bench: tools …')
const peer = await footlight()
const other = await playwrightMcp()
const browser = await chromium.launch({ executablePath, chromiumSandbox: !root })
const raw: Page = await (await browser.newContext()).newPage()
const sessionId = await peer.session()
await peer.call('navigate', { sessionId, url: site.url })
await other.call('browser_navigate', { url: site.url })
await raw.goto(site.url)
const call =
  (tool: string, input: Record<string, unknown> = {}): Run =>
  async () => {
    const { failed, data } = await peer.call(tool, { sessionId, ...input })
    if (failed) throw new Error(`${tool}: ${data.message}`)
  }
const theirs =
  (tool: string, input: Record<string, unknown> = {}): Run =>
  async () => {
    const { failed, result } = await other.call(tool, input)
    if (failed) throw new Error(`${tool}: ${JSON.stringify(result.content)}`)
  }

// With time in between, as an agent leaves it: the next page is opened ahead meanwhile.
const create: Run = async () => {
  await Bun.sleep(150)
  const since = performance.now()
  const id = await peer.session()
  const took = performance.now() - since
  await peer.call('close_session', { sessionId: id })
  return took
}
const createRaw: Run = async () => {
  const since = performance.now()
  const context = await browser.newContext()
  await context.newPage()
  const took = performance.now() - since
  await context.close()
  return took
}
rows.push(await sideBySide('create_session, warm', { footlight: create, 'raw Playwright': createRaw }, runs))

const tools: [string, Run, Run | undefined, () => Promise<unknown>][] = [
  [
    'navigate',
    call('navigate', { url: site.url }),
    theirs('browser_navigate', { url: site.url }),
    () => raw.goto(site.url).then(() => raw.title()),
  ],
  [
    'click',
    call('click', { selector: '#b' }),
    theirs('browser_click', { element: 'b', target: '#b' }),
    () => raw.locator('#b').click(),
  ],
  [
    'type, 10 letters',
    call('type', { selector: '#i', text: 'abcdefghij' }),
    theirs('browser_type', { element: 'i', target: '#i', text: 'abcdefghij', slowly: true }),
    () => raw.locator('#i').pressSequentially('abcdefghij'),
  ],
  [
    'evaluate',
    call('evaluate', { script: '1 + 1' }),
    theirs('browser_evaluate', { function: '() => 1 + 1' }),
    () => raw.evaluate('1 + 1'),
  ],
  ['exists', call('exists', { selector: 'p' }), undefined, () => raw.locator('p').count()],
  [
    'wait_for, there already',
    call('wait_for', { selector: '#b' }),
    undefined,
    () => raw.locator('#b').first().waitFor(),
  ],
  [
    'snapshot',
    call('snapshot'),
    theirs('browser_snapshot'),
    () => raw.ariaSnapshot({ mode: 'ai' }).then(() => raw.title()),
  ],
  [
    'screenshot',
    call('screenshot'),
    theirs('browser_take_screenshot', { type: 'png' }),
    () => raw.screenshot(),
  ],
]
for (const [name, mine, others, floor] of tools) {
  const run: Run = async () => void (await floor())
  rows.push(
    await sideBySide(
      name,
      { footlight: mine, ...(others && { '@playwright/mcp': others }), 'raw Playwright': run },
      runs,
    ),
  )
}
// What the gate costs: the same navigation with host rules and without, taking turns.
const ruled = await connect({
  args: ['--headless', '--executable-path', executablePath, '--allowed-hosts', new URL(site.url).host],
})
const [ruledSession, freeSession] = [await ruled.session(), await peer.session()]
rows.push(
  await sideBySide(
    'navigate, with host rules',
    {
      footlight: async () => {
        const { failed, data } = await ruled.call('navigate', { sessionId: ruledSession, url: site.url })
        if (failed) throw new Error(data.message)
      },
      'footlight, no rules': async () => {
        const { failed, data } = await peer.call('navigate', { sessionId: freeSession, url: site.url })
        if (failed) throw new Error(data.message)
      },
    },
    runs,
  ),
)
await ruled.client.close()
rmSync(ruled.trace.folder, { recursive: true, force: true })

const bytes = async (one: Peer) => JSON.stringify((await one.client.listTools()).tools).length
const listed = { footlight: await bytes(peer), '@playwright/mcp': await bytes(other) }

await Promise.all([peer.client.close(), other.client.close(), browser.close()])
for (const one of [peer, other]) rmSync(one.trace.folder, { recursive: true, force: true })
served.kill()
fetched.remove()
console.error('bench: a whole task …')
const task = await compareTask(executablePath, quick ? 2 : 5)
mkdirSync('dist', { recursive: true })
writeFileSync(
  'dist/bench.json',
  JSON.stringify(
    { date: new Date().toISOString(), binary, executablePath, runs, rows, listed, task },
    null,
    1,
  ),
)
console.log(
  `${table(rows)}\n\n${taskTable(task)}\n\ntools/list: footlight ${listed.footlight} bytes, @playwright/mcp ${listed['@playwright/mcp']} bytes`,
)
process.exit(0)
