// The third review's proofs that held the whole server up: another session of the same server is served meanwhile.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Route, serveSite, type Site } from '../support/site.ts'
import { createShop } from '../support/small-shop.ts'
import { type Arena, openArena, type Victim } from '../support/stalls.ts'

/** The aim is 250 ms; ten times that, or ten times the calm wait on a busy machine, is a stall. */
const AIM_MS = 250

const pageWith = (tools: string) => `<!doctype html><title>Tools</title><script>
  const context = document.modelContext ?? navigator.modelContext
  const answer = (size) => async () => ({ text: 'x'.repeat(size) })
  ${tools}</script>`
const part = Buffer.alloc(10_000_000, 'x')
const pages: Record<string, Route> = {
  '/part': (_, response) => void response.writeHead(200, { 'content-type': 'text/plain' }).end(part),
  '/': '<!doctype html><title>Page</title>',
  '/tools': pageWith(`for (let index = 0; index < 3000; index += 1)
    context.registerTool({ name: 'tool' + index, description: 'd'.repeat(20_000), inputSchema: { type: 'object' }, execute: answer(1) })`),
  '/result': pageWith(
    `context.registerTool({ name: 'large', description: 'a', inputSchema: { type: 'object' }, execute: answer(60_000_000) })`,
  ),
}

let [folder, site, arena]: [string, Site, Arena] = ['', undefined as never, undefined as never]
let calm = 0
beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'fl-stalls-')))
  createShop(folder)
  site = await serveSite(pages)
  arena = await openArena(undefined, folder, 'all,+compare,+page_tools')
  calm = Math.max(...(await arena.beside(async () => undefined)).ownWaits)
}, 120_000)
afterAll(async () => {
  await arena.close()
  site.close()
  rmSync(folder, { recursive: true, force: true })
})

const open = ({ call, sessionId }: Victim, path: string) =>
  call('navigate', { sessionId, url: site.url + path })

const proofs: readonly (readonly [
  name: string,
  work: (victim: Victim) => Promise<unknown>,
  answer: object,
])[] = [
  [
    's02: 3,000 tools of a page',
    async (victim) => {
      await open(victim, '/tools')
      const { tools, omitted } = await victim.call('page_tools', { sessionId: victim.sessionId })
      return { count: tools.length, omitted }
    },
    { count: 100, omitted: 2900 },
  ],
  [
    's13, p06: a tool of a page that answers 60 MB',
    async (victim) => {
      await open(victim, '/result')
      const answer = await victim.call('page_tools', { sessionId: victim.sessionId, name: 'large' })
      return { isShort: JSON.stringify(answer).length < 10_000, ...answer }
    },
    { isShort: true, result: expect.stringContaining('complete in the file') },
  ],
  [
    's11: a saved test of 900 kB that would be slow to read',
    ({ call }) => {
      writeFileSync(
        join(folder, 'slow.spec.ts'),
        `test('x', async ({ page }) => {\n await page.goto(${'=/'.repeat(450_000)}`,
      )
      return call('compare', {
        base: 'HEAD',
        command: ['node', 'server.js'],
        cwd: folder,
        flow: 'slow.spec.ts',
      })
    },
    { errorCode: 'INVALID_PARAMETERS' },
  ],
  [
    's14: a source of 12 MB full of imports',
    async ({ call }) => {
      const imports = Array.from({ length: 500_000 }, (_, index) => `// import './a${index}'\n`).join('')
      writeFileSync(join(folder, 'generated.js'), imports)
      writeFileSync(
        join(folder, 'importing.js'),
        `require('./generated.js')\nrequire('http').createServer((_, r) => r.end('x')).listen(process.env.PORT)`,
      )
      const made = await call('create_session', { command: ['node', 'importing.js'], cwd: folder })
      await call('navigate', { sessionId: made.sessionId, url: made.url })
      writeFileSync(join(folder, 'importing.js'), `require('./generated.js') // changed`)
      await call('snapshot', { sessionId: made.sessionId })
      return call('close_session', { sessionId: made.sessionId })
    },
    { success: true },
  ],
  [
    's08: a report of 3,000 long lines full of tokens',
    async ({ call, sessionId }) => {
      const script = `for (let line = 0; line < 3000; line += 1)
        console.log(Array.from({ length: 20 }, () => 'token=' + Math.random().toString(36).slice(2) + crypto.randomUUID().replaceAll('-', '')).join(' '))`
      await call('evaluate', { sessionId, script })
      return call('report', { sessionId })
    },
    { path: expect.any(String) },
  ],
  [
    's12: a session that closes while it records 300 MB',
    async ({ call, site: url, sessionId }) => {
      await call('mock', { sessionId, har: 'record' })
      const script = `(async () => { for (let round = 0; round < 30; round += 1) await (await fetch('${url}part')).text() })()`
      await call('evaluate', { sessionId, script, timeout: 60_000 })
      return call('close_session', { sessionId })
    },
    { success: true },
  ],
]

test.each(proofs.map(([name, ...rest]) => [name, ...rest] as const))(
  '%s: nobody else waits',
  async (name, work, answer) => {
    const victim = await arena.open(`${site.url}/`)
    const { waits, ownWaits, done } = await arena.beside(() => work(victim))
    await arena.end(victim)
    const longest = Math.max(...ownWaits)
    console.log(`${name}: ${Math.round(longest)} ms, of a page ${Math.round(Math.max(...waits))} ms`)
    expect(done).toMatchObject(answer)
    expect(longest).toBeLessThan(10 * Math.max(AIM_MS, calm))
  },
  300_000,
)
