// Whether what Footlight says about the freshness of a page is true, on the real stacks: edits of a title, then a look after 0 to 2,000 ms.
// `bun test/apps/freshness.ts [stack ...]`, with EDITS=100 for the number of edits of each. A claim is compared with what the page showed
// before and after it.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { placeCopy } from './place.ts'
import { connect, type Peer } from '../support/client.ts'
import { serveStatically, startWithoutWatch } from './freshness-servers.ts'

interface Stack {
  readonly name: string
  readonly command: string
  /** The file with the title. */
  readonly file: string
  /** Writes it into an empty folder, and answers its own folder in it. */
  readonly place: (folder: string) => Promise<string>
}

interface Counts {
  edits: number
  fresh: number
  stale: number
  pending: number
  falseFresh: number
  falseStale: number
}

const FIRST_TITLE = 'First title'
const LOOK_LIMIT_MS = 2000
const edits = Number(process.env['EDITS'] ?? 20)

const itself = (write: (folder: string) => Promise<void>) => async (folder: string) => {
  await write(folder)
  return folder
}
const appStack = (name: string, file: string): Stack => ({
  name,
  command: 'npm run dev',
  file,
  place: (folder) => placeCopy(name, folder),
})

const stacks: readonly Stack[] = [
  { name: 'static', command: 'node server.mjs', file: 'index.html', place: itself(serveStatically) },
  { name: 'no-watch', command: 'node server.mjs', file: 'title.mjs', place: itself(startWithoutWatch) },
  appStack('vite-react', 'src/app.jsx'),
  appStack('vite-vue', 'src/app.vue'),
  appStack('vite-svelte', 'src/app.svelte'),
  appStack('sveltekit', 'src/routes/+page.svelte'),
  appStack('webpack', 'src/index.js'),
  appStack('next', 'app/page.jsx'),
  appStack('nuxt', 'app/app.vue'),
  appStack('angular', 'src/app.ts'),
  appStack('astro', 'src/pages/index.astro'),
  appStack('tsc', 'src/title.ts'),
]

const names = process.argv.slice(2)
const peer = await connect()
for (const stack of stacks.filter(({ name }) => names.length === 0 || names.includes(name)))
  console.log(stack.name, JSON.stringify(await measure(peer, stack)))
await peer.close()

async function measure(peer: Peer, { command, file, place }: Stack): Promise<Counts> {
  const copy = mkdtempSync(join(tmpdir(), 'fl-freshness-'))
  const folder = await place(copy)
  const path = join(folder, file)
  const source = readFileSync(path, 'utf8')
  const opened = await peer.call('create_session', { command, cwd: folder, readyTimeout: 300_000 })
  if (opened.failed) throw new Error(JSON.stringify(opened.data))
  const { sessionId, url } = opened.data
  await peer.call('navigate', { sessionId, url, timeout: 120_000 })
  const counts: Counts = { edits: 0, fresh: 0, stale: 0, pending: 0, falseFresh: 0, falseStale: 0 }
  const readTitle = async (): Promise<string> =>
    (await peer.call('evaluate', { sessionId, script: "document.querySelector('h1')?.textContent" })).data
      .result
  for (let edit = 1; edit <= edits; edit += 1) {
    const title = `Title ${edit}`
    writeFileSync(path, source.replace(FIRST_TITLE, title))
    await Bun.sleep(Math.random() * LOOK_LIMIT_MS)
    const reload = Math.random() < 0.3
    const before = await readTitle()
    const { data } = reload
      ? await peer.call('history', { sessionId, direction: 'reload' })
      : await peer.call('get_session_status', { sessionId })
    const line: string = reload ? (data.notes ?? []).join('\n') : (data.freshness ?? '')
    const after = await readTitle()
    const state = /^Stale/m.test(line) ? 'stale' : line.includes('Perhaps') ? 'pending' : 'fresh'
    counts.edits += 1
    counts[state] += 1
    const shown = reload ? after : before
    if (state === 'fresh' && after !== title) counts.falseFresh += 1
    if (state === 'stale' && shown === title) counts.falseStale += 1
    if ((state === 'fresh' && after !== title) || (state === 'stale' && shown === title))
      console.log({ state, title, before, after, reload, line })
    if (/restart_server/.test(line)) await peer.call('restart_server', { sessionId })
    if (/restart_server/.test(line)) await peer.call('history', { sessionId, direction: 'reload' })
    if (state === 'stale') await peer.call('history', { sessionId, direction: 'reload' })
  }
  await peer.call('close_session', { sessionId })
  rmSync(copy, { recursive: true, force: true })
  return counts
}
