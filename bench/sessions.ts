// Many sessions at once: how long until each is on its page, how many clicks they make together, and what they weigh. A peer that has
// one browser a process runs as many processes.

import { readFileSync } from 'node:fs'
import { act, end, type Contender } from './contenders.ts'
import type { Floor } from './floors.ts'
import { quantile } from './measure.ts'
import { trace, type Trace } from '../test/support/leftovers.ts'

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

const SECONDS = 3

const weigh = (left: Trace): number =>
  left.processes().reduce((sum, { pid }) => sum + proportional(pid), 0) / 1024

function proportional(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}

interface Clicked {
  readonly times: readonly number[]
  readonly failed: number
}

/** Clicks for some seconds with all of them; answers the milliseconds of each click. One that fails is counted apart. */
async function clickOn(clicks: readonly (() => Promise<unknown>)[]): Promise<Clicked> {
  const times: number[] = []
  let failed = 0
  const until = performance.now() + SECONDS * 1000
  const one = async (click: () => Promise<unknown>) => {
    while (performance.now() < until) {
      const since = performance.now()
      const done = await click().then(
        () => true,
        () => false,
      )
      if (done) times.push(performance.now() - since)
      else failed += 1
    }
  }
  await Promise.all(clicks.map(one))
  return { times, failed }
}

const told = (
  name: string,
  sessions: number,
  ready: number,
  memory: number,
  { times, failed }: Clicked,
): Crowd => ({
  name,
  sessions,
  ready,
  memory,
  rate: times.length / SECONDS,
  p99: quantile(times, 0.99),
  failed,
})

export async function crowdOf(contender: Contender, sessions: number, url: string): Promise<Crowd> {
  const shares = contender.name === 'footlight'
  // The first session of a server that shares its browser begins with the server itself, as that of the others.
  const since = performance.now()
  const peers = await Promise.all(Array.from({ length: shares ? 1 : sessions }, () => contender.start()))
  const opened = await Promise.all(
    Array.from({ length: sessions }, async (_, index) => {
      const peer = peers[index % peers.length]
      if (!peer) throw new Error('there is no server')
      return { peer, given: await contender.open(peer, url) }
    }),
  )
  const ready = performance.now() - since
  const clicks = opened.map(
    ({ peer, given }) =>
      () =>
        act(contender, peer, given, 'click', url),
  )
  const times = await clickOn(clicks)
  const memory = peers.reduce((sum, { trace: left }) => sum + weigh(left), 0)
  await Promise.all(peers.map((peer) => end(peer, contender)))
  return told(contender.name, sessions, ready, memory, times)
}

/** The same with what is below all of them. */
export async function crowdOfFloor(floor: Floor, sessions: number, url: string): Promise<Crowd> {
  const left = trace()
  const since = performance.now()
  const { pages, close } = await floor.open(sessions, url, left.env)
  const ready = performance.now() - since
  const times = await clickOn(
    pages.map(
      ({ click }) =>
        async () =>
          click?.(),
    ),
  )
  const memory = weigh(left)
  await close()
  await left.expectNothing()
  return told(floor.name, sessions, ready, memory, times)
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
