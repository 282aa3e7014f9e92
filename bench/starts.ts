// From nothing to the first answer, and to the first page.

import { resolve } from 'node:path'
import process from 'node:process'
import type { Baseline } from './baselines.ts'
import { type Contender, end } from './contenders.ts'
import { type Row, type Run, type Runs, sideBySide } from './measure.ts'

interface StartsOptions {
  readonly all: readonly Contender[]
  readonly url: string
  /** What opens a page beside them. */
  readonly firstPageRuns?: Readonly<Record<string, Run>>
}

export async function measureStarts(
  { all, url, firstPageRuns: moreFirstPageRuns }: StartsOptions,
  times: Runs,
): Promise<Row[]> {
  const runsFor = (use: Use) =>
    Object.fromEntries(all.map((contender) => [contender.name, timeStart(contender, use)]))
  const initializeRuns = runsFor(async () => {})
  const listRuns = runsFor((_, peer) => peer.client.listTools())
  const firstPageRuns = runsFor((contender, peer) => contender.open(peer, url))
  return [
    await sideBySide('start → initialize answered', initializeRuns, times),
    await sideBySide('start → tools/list answered', listRuns, times),
    await sideBySide('start → first page', { ...firstPageRuns, ...moreFirstPageRuns }, times),
  ]
}

interface BaselinesOptions {
  readonly cdp: Baseline
  readonly url: string
  readonly executablePath: string
  readonly sandbox: boolean
}

/** How raw Playwright and the browser's protocol alone come to a first page. */
export const baselineStarts = (options: BaselinesOptions): Record<string, Run> => ({
  'raw Playwright': () => timePlaywrightStart(options),
  'raw CDP': () => timeBaselineStart(options.cdp, options.url),
})

// --- internal ---

type Use = (contender: Contender, peer: Awaited<ReturnType<Contender['start']>>) => Promise<unknown>

/** Milliseconds from the start of a server to the end of `use`; ending it is not counted. */
const timeStart =
  (contender: Contender, use: Use): Run =>
  async () => {
    const startedAt = performance.now()
    const peer = await contender.start()
    await use(contender, peer)
    const durationMs = performance.now() - startedAt
    await end(peer, contender)
    return durationMs
  }

async function timeBaselineStart(baseline: Baseline, url: string): Promise<number> {
  const startedAt = performance.now()
  const { close } = await baseline.open(1, url)
  const durationMs = performance.now() - startedAt
  await close()
  return durationMs
}

// In a process of its own, as the contenders have one.
async function timePlaywrightStart({ executablePath, sandbox, url }: BaselinesOptions): Promise<number> {
  const startedAt = performance.now()
  const child = Bun.spawn(['node', resolve(import.meta.dir, 'raw.mjs'), executablePath, url], {
    stdout: 'pipe',
    env: { ...process.env, FOOTLIGHT_ROOT: sandbox ? '' : '1' },
  })
  await child.stdout.getReader().read()
  const durationMs = performance.now() - startedAt
  await child.exited
  return durationMs
}
