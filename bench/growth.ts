// How cost grows: with sessions, with the size of a page, with the length of a log. As one plot.

import { type Line, plot } from '../test/support/plot.ts'
import { page, serveSite } from '../test/support/site.ts'
import { act, type Contender, end } from './contenders.ts'
import { median } from './measure.ts'
import type { Crowd } from './sessions.ts'

const LINK_COUNTS = [100, 300, 1000, 3000, 10_000]
const LINE_COUNTS = [0, 1000, 3000, 10_000]

export interface Growth {
  /** Milliseconds of a snapshot, and bytes of its answer, by links on the page. */
  readonly snapshot: Line
  readonly bytes: Line
  /** Milliseconds of a click and of a look at the console, by lines that the page has printed. */
  readonly click: Line
  readonly console: Line
}

/** Up to so many links and lines. */
export async function measureGrowth(contender: Contender, runs: number, maximum: number): Promise<Growth> {
  const links = LINK_COUNTS.map((size) => [`/${size}`, page('<a href="#">Link</a> '.repeat(size))] as const)
  const site = await serveSite({ ...Object.fromEntries(links), '/log': page('<button id="b">Go</button>') })
  const peer = await contender.start()
  const opened = await contender.open(peer, site.url)
  const medianMs = async (work: () => Promise<unknown>) => {
    const times: number[] = []
    for (let run = 0; run < runs; run += 1) {
      const startedAt = performance.now()
      await work()
      times.push(performance.now() - startedAt)
    }
    return median(times)
  }
  const growth = { snapshot: [], bytes: [], click: [], console: [] } as Record<string, [number, number][]>
  for (const size of LINK_COUNTS.filter((count) => count <= maximum)) {
    await act(contender, peer, opened, 'navigate', `${site.url}/${size}`)
    growth['snapshot']?.push([size, await medianMs(() => act(contender, peer, opened, 'snapshot', ''))])
    growth['bytes']?.push([size, (await act(contender, peer, opened, 'snapshot', '')) / 1024])
  }
  await act(contender, peer, opened, 'navigate', `${site.url}/log`)
  let printed = 0
  for (const length of LINE_COUNTS.filter((count) => count <= maximum)) {
    const script = `for (let i = ${printed}; i < ${length}; i++) { console.log('line ' + i); if (i % 100 === 0) await new Promise((r) => setTimeout(r, 60)) } return 1`
    await peer.call('evaluate', { ...opened, script, timeout: 60_000 })
    printed = length
    growth['click']?.push([length, await medianMs(() => act(contender, peer, opened, 'click', ''))])
    growth['console']?.push([
      length,
      await medianMs(() => peer.call('console_messages', { ...opened, limit: 50 })),
    ])
  }
  await end(peer, contender)
  site.close()
  const line = (name: string, key: string): Line => ({ name, points: growth[key] ?? [] })
  return {
    snapshot: line('a snapshot', 'snapshot'),
    bytes: line('its answer', 'bytes'),
    click: line('a click', 'click'),
    console: line('console_messages', 'console'),
  }
}

export function growthPlot(crowds: readonly Crowd[], growth: Growth): string {
  const names = [...new Set(crowds.map(({ name }) => name))]
  const line = (field: 'memory' | 'rate' | 'ready') =>
    names.map((name) => ({
      name,
      points: crowds.filter((one) => one.name === name).map((one) => [one.sessions, one[field]] as const),
    }))
  const withCurve = (lines: readonly Line[]) => lines.filter(({ points }) => points.length > 1)
  return plot([
    { title: 'Memory, server and browsers', unit: 'MB', axis: 'sessions', lines: withCurve(line('memory')) },
    { title: 'Clicks a second, all together', unit: '/s', axis: 'sessions', lines: withCurve(line('rate')) },
    { title: 'All on their page', unit: 'ms', axis: 'sessions', lines: withCurve(line('ready')) },
    { title: 'Snapshot', unit: 'ms', axis: 'links on the page', lines: [growth.snapshot] },
    { title: 'Bytes of a snapshot', unit: 'KB', axis: 'links on the page', lines: [growth.bytes] },
    {
      title: 'With a long log',
      unit: 'ms',
      axis: 'console lines so far',
      lines: [growth.click, growth.console],
    },
  ])
}
