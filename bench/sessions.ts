// Many sessions at once: how long until each is on its page, how many clicks they make together, and what they weigh. Each server is run as
// its documentation says for several sessions: one server, or one for each.

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import process from 'node:process'
import { type Trace, trace } from '../test/support/leftovers.ts'
import type { Baseline } from './baselines.ts'
import { act, type Contender, end } from './contenders.ts'
import { quantile } from './measure.ts'

export interface Crowd {
  readonly name: string
  readonly sessions: number
  /** Milliseconds until all are on their page, clicks a second of all together, the slowest percent of clicks in milliseconds. */
  readonly ready: number
  readonly rate: number
  readonly p99: number
  /** Clicks that failed. */
  readonly failed: number
  /** Megabytes of the servers and browsers, shared pages counted once. */
  readonly memory: number
}

const CLICK_DURATION_S = 3

const memoryMb = (left: Trace): number =>
  left.processes().reduce((sum, { pid }) => sum + proportionalSetSizeKb(pid), 0) / 1024

function proportionalSetSizeKb(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}

interface ClickResults {
  readonly times: readonly number[]
  readonly failed: number
}

/** Clicks for some seconds with all of them; answers the milliseconds of each click. One that fails is counted apart. */
async function clickOn(clicks: readonly (() => Promise<unknown>)[]): Promise<ClickResults> {
  const times: number[] = []
  let failed = 0
  const deadline = performance.now() + CLICK_DURATION_S * 1000
  const clickRepeatedly = async (click: () => Promise<unknown>) => {
    while (performance.now() < deadline) {
      const startedAt = performance.now()
      const isClicked = await click().then(
        () => true,
        () => false,
      )
      if (isClicked) times.push(performance.now() - startedAt)
      else failed += 1
    }
  }
  await Promise.all(clicks.map(clickRepeatedly))
  return { times, failed }
}

const summarize = (
  name: string,
  sessions: number,
  ready: number,
  memory: number,
  { times, failed }: ClickResults,
): Crowd => ({
  name,
  sessions,
  ready,
  memory,
  rate: times.length / CLICK_DURATION_S,
  p99: quantile(times, 0.99),
  failed,
})

export async function crowdOf(contender: Contender, sessions: number, url: string): Promise<Crowd> {
  // The first session of a server that is shared begins with the server itself, as that of the others.
  const startedAt = performance.now()
  const peers = await Promise.all(
    Array.from({ length: contender.sharesServer ? 1 : sessions }, () => contender.start()),
  )
  const opened = await Promise.all(
    Array.from({ length: sessions }, async (_, index) => {
      const peer = peers[index % peers.length]
      if (!peer) throw new Error('there is no server')
      return { peer, given: await contender.open(peer, url) }
    }),
  )
  const ready = performance.now() - startedAt
  const clicks = opened.map(
    ({ peer, given }) =>
      () =>
        act(contender, peer, given, 'click', url),
  )
  const times = await clickOn(clicks)
  const memory = peers.reduce((sum, { trace: left }) => sum + memoryMb(left), 0)
  await Promise.all(peers.map((peer) => end(peer, contender)))
  return summarize(contender.name, sessions, ready, memory, times)
}

const PACE_MS = 10_000
const PACED_ROUNDS = 3

/** The clicks of sessions that act as agents do, with a pause between two actions: each at a moment of its own in every 10 s. */
export async function pacedClicksOf(
  contender: Contender,
  sessions: number,
  url: string,
): Promise<{ readonly median: number; readonly p99: number; readonly failed: number }> {
  const peer = await contender.start()
  const opened = await Promise.all(Array.from({ length: sessions }, () => contender.open(peer, url)))
  const times: number[] = []
  let failed = 0
  const startedAt = performance.now()
  const clickInTurns = async (given: Record<string, unknown>, index: number) => {
    for (let round = 0; round < PACED_ROUNDS; round += 1) {
      const dueAt = startedAt + PACE_MS * (round + index / sessions)
      await Bun.sleep(Math.max(0, dueAt - performance.now()))
      const isClicked = await act(contender, peer, given, 'click', url).then(
        () => true,
        () => false,
      )
      if (isClicked) times.push(performance.now() - dueAt)
      else failed += 1
    }
  }
  await Promise.all(opened.map(clickInTurns))
  await end(peer, contender)
  return { median: quantile(times, 0.5), p99: quantile(times, 0.99), failed }
}

/** The same with what is below all of them. The memory is that of the browser and of this process, as that of a server is. */
export async function crowdOfBaseline(baseline: Baseline, sessions: number, url: string): Promise<Crowd> {
  const left = trace()
  const startedAt = performance.now()
  const { pages, close } = await baseline.open(sessions, url, left.env)
  const ready = performance.now() - startedAt
  const times = await clickOn(
    pages.map(
      ({ click }) =>
        async () =>
          click?.(),
    ),
  )
  const memory = memoryMb(left) + proportionalSetSizeKb(process.pid) / 1024
  await close()
  await left.expectNothing()
  return summarize(baseline.name, sessions, ready, memory, times)
}

/** The same in a new process. */
export async function crowdOfBaselineProcess(args: readonly string[]): Promise<Crowd> {
  const script = resolve(import.meta.dir, 'baseline-crowd.ts')
  const child = Bun.spawn([process.execPath, script, ...args], { stdout: 'pipe', stderr: 'inherit' })
  return JSON.parse(await new Response(child.stdout).text()) as Crowd
}

export const crowdTable = (rows: readonly Crowd[]): string =>
  [
    '| sessions at once | | on their page, ms | clicks a second | slowest 1 % of clicks, ms | memory, MB |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows.map(
      ({ name, sessions, ready, rate, p99, failed, memory }) =>
        `| ${sessions} | ${name} | ${ready.toFixed(0)} | ${rate.toFixed(0)}${failed > 0 ? ` (${failed} failed)` : ''} | ${p99.toFixed(0)} | ${memory.toFixed(0)} |`,
    ),
  ].join('\n')
