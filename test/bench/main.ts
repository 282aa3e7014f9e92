// `bun run bench`: Footlight's executable beside its peers and raw Playwright, on one browser, in one run, taking turns. `--quick` takes
// fewer runs and sessions. The tables go to stdout, the samples to dist/bench.json, the plot of growth to dist/growth.svg.

import { mkdirSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import process from 'node:process'
import { discover } from '../../src/browser/discover.ts'
import { act, end, fetchPeers, footlight, type Contender } from './contenders.ts'
import { floors, type Floor } from './floors.ts'
import { growthPlot, measureGrowth } from './growth.ts'
import { bytesTable, sideBySide, table, type Row, type Run } from './measure.ts'
import { remainsOf, remainsTable, type Remains } from './remains.ts'
import { crowdOf, crowdOfFloor, crowdTable, type Crowd } from './sessions.ts'
import { compareTask, taskTable } from './task.ts'

const quick = process.argv.includes('--quick')
const runs = quick ? 5 : 20
const { found: executablePath } = discover({ browser: 'chromium', headless: true })
if (!executablePath) throw new Error('bench: there is no Chromium; run `bun run setup` first')
const root = process.getuid?.() === 0
const say = (what: string) => console.error(`bench: ${what} …`)

const served = Bun.spawn([process.execPath, resolve(import.meta.dir, 'site.ts')], { stdout: 'pipe' })
const url = new TextDecoder().decode((await served.stdout.getReader().read()).value).trim()
say('fetching the peers')
const { peers, remove } = fetchPeers(executablePath)
const ours = footlight(executablePath)
const floor = floors(executablePath, !root)
const all = [ours, ...peers]
const rows: Row[] = []

const keyed = <T>(make: (contender: Contender) => T): Record<string, T> =>
  Object.fromEntries(all.map((contender) => [contender.name, make(contender)]))

/** Milliseconds from the start of a server to the end of `use`; ending it is not counted. */
const started = (
  use: (contender: Contender, peer: Awaited<ReturnType<Contender['start']>>) => Promise<unknown>,
) =>
  keyed((contender): Run => async () => {
    const since = performance.now()
    const peer = await contender.start()
    await use(contender, peer)
    const took = performance.now() - since
    await end(peer, contender)
    return took
  })

const startOf = async (floor: Floor) => {
  const since = performance.now()
  const { close } = await floor.open(1, url)
  const took = performance.now() - since
  await close()
  return took
}

async function rawStart(): Promise<number> {
  const since = performance.now()
  const child = Bun.spawn(['node', resolve(import.meta.dir, 'raw.mjs'), executablePath ?? '', url], {
    stdout: 'pipe',
    env: { ...process.env, FOOTLIGHT_ROOT: root ? '1' : '' },
  })
  await child.stdout.getReader().read()
  const took = performance.now() - since
  await child.exited
  return took
}

const [, cdp] = floor
say('starts')
const starts = Math.ceil(runs / 2)
rows.push(
  await sideBySide(
    'start → initialize answered',
    started(async () => {}),
    starts,
    1,
  ),
)
const first = started((contender, peer) => contender.open(peer, url))
rows.push(
  await sideBySide(
    'start → first page',
    { ...first, 'raw Playwright': rawStart, 'raw CDP': () => startOf(cdp) },
    starts,
    1,
  ),
)

say('acts')
const below = await Promise.all(floor.map((one) => one.open(1, url)))
const open = await Promise.all(
  all.map(async (contender) => {
    const peer = await contender.start()
    return { contender, peer, given: await contender.open(peer, url) }
  }),
)
const bytes: Record<string, Record<string, number>> = {}
for (const what of ['click', 'type', 'evaluate', 'screenshot', 'snapshot', 'missing', 'navigate'] as const) {
  const able = []
  for (const one of open.filter(({ contender }) => contender.acts[what] !== undefined)) {
    const tried = await act(one.contender, one.peer, one.given, what, url).catch((error: Error) => error)
    if (tried instanceof Error) say(`left out: ${tried.message}`)
    else able.push(one)
  }
  const contenders = able.map(({ contender, peer, given }): [string, Run] => [
    contender.name,
    async () => {
      const size = await act(contender, peer, given, what, url)
      bytes[what] = { ...bytes[what], [contender.name]: size }
    },
  ])
  const raw = floor.flatMap(({ name }, index): [string, Run][] => {
    const run = below[index]?.pages[0]?.[what]
    return run ? [[name, async () => void (await run())]] : []
  })
  const name =
    { missing: 'click on what is not there (300 ms)', type: 'type, 10 letters' }[what as string] ?? what
  rows.push(await sideBySide(name, Object.fromEntries([...contenders, ...raw]), runs))
}
bytes['tools/list'] = {}
for (const { contender, peer } of open) {
  const { tools } = await peer.client.listTools()
  bytes['tools/list'][contender.name] = JSON.stringify(tools).length
  const read = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))
  bytes['of it, what a model reads'] = {
    ...bytes['of it, what a model reads'],
    [contender.name]: JSON.stringify(read).length,
  }
}
for (const { contender, peer } of open) await end(peer, contender)
for (const { close } of below) await close()

say('sessions')
const crowds: Crowd[] = []
for (const sessions of quick ? [10] : [1, 10, 25, 50]) {
  crowds.push(await crowdOf(ours, sessions, url))
  for (const one of floor) crowds.push(await crowdOfFloor(one, sessions, url))
  if (sessions === 10) for (const peer of peers) crowds.push(await crowdOf(peer, sessions, url))
}
say('what is left')
const remains: Remains[] = []
for (const contender of all) remains.push(await remainsOf(contender, url))
say('a whole task')
const task = await compareTask(all, quick ? 2 : 5)
say('growth')
const growth = await measureGrowth(ours, quick ? 3 : 7)

served.kill()
remove()
mkdirSync('dist', { recursive: true })
const report = {
  date: new Date().toISOString(),
  executablePath,
  runs,
  rows,
  bytes,
  crowds,
  remains,
  task,
  growth,
}
writeFileSync('dist/bench.json', JSON.stringify(report, null, 1))
writeFileSync('dist/growth.svg', growthPlot(crowds, growth))
console.log(
  [table(rows), bytesTable(bytes), crowdTable(crowds), remainsTable(remains), taskTable(task)].join('\n\n'),
)
process.exit(0)
