// Many sessions at once: how long until each is on its page, how many clicks they make together, and what they weigh. A peer that has
// one browser a process runs as many processes.

import { readFileSync } from 'node:fs'
import { chromium } from 'playwright'
import { act, end, type Contender } from './contenders.ts'
import { quantile } from './measure.ts'
import { trace, type Trace } from '../support/leftovers.ts'

export interface Crowd {
  readonly name: string
  readonly sessions: number
  /** Milliseconds until all are on their page, clicks a second of all together, the slowest percent of clicks in milliseconds. */
  readonly ready: number
  readonly rate: number
  readonly p99: number
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

/** Clicks for some seconds with all of them; answers the milliseconds of each click. */
async function clickOn(clicks: readonly (() => Promise<unknown>)[]): Promise<number[]> {
  const times: number[] = []
  const until = performance.now() + SECONDS * 1000
  const one = async (click: () => Promise<unknown>) => {
    while (performance.now() < until) {
      const since = performance.now()
      await click()
      times.push(performance.now() - since)
    }
  }
  await Promise.all(clicks.map(one))
  return times
}

const told = (
  name: string,
  sessions: number,
  ready: number,
  memory: number,
  times: readonly number[],
): Crowd => ({
  name,
  sessions,
  ready,
  memory,
  rate: times.length / SECONDS,
  p99: quantile(times, 0.99),
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

/** The floor: contexts of one browser in this process, which is not weighed. */
export async function crowdOfRaw(
  executablePath: string,
  root: boolean,
  sessions: number,
  url: string,
): Promise<Crowd> {
  const left = trace()
  const since = performance.now()
  const env = { ...(process.env as Record<string, string>), ...left.env }
  const browser = await chromium.launch({ executablePath, chromiumSandbox: !root, env })
  const pages = await Promise.all(
    Array.from({ length: sessions }, async () => {
      const page = await (await browser.newContext()).newPage()
      await page.goto(url)
      return page
    }),
  )
  const ready = performance.now() - since
  const times = await clickOn(pages.map((page) => () => page.locator('#b').click()))
  const memory = weigh(left)
  await browser.close()
  await left.expectNothing()
  return told('raw Playwright', sessions, ready, memory, times)
}

export const crowdTable = (rows: readonly Crowd[]): string =>
  [
    '| sessions at once | | on their page, ms | clicks a second | slowest 1 % of clicks, ms | memory, MB |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows.map(
      ({ name, sessions, ready, rate, p99, memory }) =>
        `| ${sessions} | ${name} | ${ready.toFixed(0)} | ${rate.toFixed(0)} | ${p99.toFixed(0)} | ${memory.toFixed(0)} |`,
    ),
  ].join('\n')
