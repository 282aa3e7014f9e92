// From nothing to the first answer, and to the first page.

import { resolve } from 'node:path'
import process from 'node:process'
import { end, type Contender } from './contenders.ts'
import type { Floor } from './floors.ts'
import { sideBySide, type Row, type Run, type Runs } from './measure.ts'

interface Field {
  readonly all: readonly Contender[]
  readonly floor: readonly [playwright: Floor, cdp: Floor]
  readonly url: string
  readonly executablePath: string
  readonly sandbox: boolean
}

export async function measureStarts(field: Field, times: Runs): Promise<Row[]> {
  const { all, floor, url } = field
  const [, cdp] = floor
  const keyed = (use: Use) =>
    Object.fromEntries(all.map((contender) => [contender.name, started(contender, use)]))
  const answered = keyed(async () => {})
  const opened = keyed((contender, peer) => contender.open(peer, url))
  const below = { 'raw Playwright': () => playwrightStart(field), 'raw CDP': () => floorStart(cdp, url) }
  return [
    await sideBySide('start → initialize answered', answered, times),
    await sideBySide('start → first page', { ...opened, ...below }, times),
  ]
}

type Use = (contender: Contender, peer: Awaited<ReturnType<Contender['start']>>) => Promise<unknown>

/** Milliseconds from the start of a server to the end of `use`; ending it is not counted. */
const started =
  (contender: Contender, use: Use): Run =>
  async () => {
    const since = performance.now()
    const peer = await contender.start()
    await use(contender, peer)
    const took = performance.now() - since
    await end(peer, contender)
    return took
  }

async function floorStart(floor: Floor, url: string): Promise<number> {
  const since = performance.now()
  const { close } = await floor.open(1, url)
  const took = performance.now() - since
  await close()
  return took
}

// In a process of its own, as the contenders have one.
async function playwrightStart({ executablePath, sandbox, url }: Field): Promise<number> {
  const since = performance.now()
  const child = Bun.spawn(['node', resolve(import.meta.dir, 'raw.mjs'), executablePath, url], {
    stdout: 'pipe',
    env: { ...process.env, FOOTLIGHT_ROOT: sandbox ? '' : '1' },
  })
  await child.stdout.getReader().read()
  const took = performance.now() - since
  await child.exited
  return took
}
