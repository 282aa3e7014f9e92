// The report of a soak: a table of its start and its end, and a plot.

import { readdirSync, readFileSync } from 'node:fs'
import type { Peer } from '../../test/support/client.ts'
import { plot } from '../../test/support/plot.ts'
import { quantile } from '../measure.ts'

/** One call of a test session, or, with `error`, a session that failed. Times in milliseconds. */
export interface Outcome {
  readonly at: number
  readonly ms: number
  readonly tool: string
  readonly touched: boolean
  readonly fault: boolean
  readonly error?: string
}

/** Memory in MB; `resident` is that of our process, `browsers` that of all processes below it, with shared pages counted once. */
export interface Sample {
  readonly at: number
  readonly resident: number
  readonly browsers: number
  readonly descriptors: number
  readonly processes: number
}

export function sampleOf(peer: Peer, at: number): Sample {
  const read = (path: string) => {
    try {
      return readFileSync(path, 'utf8')
    } catch {
      return ''
    }
  }
  const kB = (text: string, field: string) =>
    Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0)
  const pids = peer.trace.processes().map(({ pid }) => pid)
  const others = pids.filter((pid) => pid !== peer.pid)
  return {
    at,
    resident: kB(read(`/proc/${peer.pid}/status`), 'VmRSS') / 1024,
    browsers: others.reduce((sum, pid) => sum + kB(read(`/proc/${pid}/smaps_rollup`), 'Pss'), 0) / 1024,
    descriptors: readdirSync(`/proc/${peer.pid}/fd`).length,
    processes: pids.length,
  }
}

const unaffected = (outcomes: readonly Outcome[]) =>
  outcomes.filter(({ touched, error }) => !touched && error === undefined)

export function soakTable(
  minutes: number,
  sessionCount: number,
  samples: readonly Sample[],
  outcomes: readonly Outcome[],
  marks: readonly { name: string; took: number }[],
): string {
  const times = unaffected(outcomes).map(({ ms }) => ms)
  const failures = outcomes.filter(({ error }) => error !== undefined)
  const unaffectedCount = failures.filter(({ touched }) => !touched).length
  const tenth = Math.max(1, Math.floor(samples.length / 10))
  const medianOf = (part: readonly Sample[], field: keyof Sample) =>
    quantile(
      part.map((sample) => sample[field]),
      0.5,
    ).toFixed(0)
  const row = (name: string, field: keyof Sample) =>
    `| ${name} | ${medianOf(samples.slice(tenth, 2 * tenth), field)} | ${medianOf(samples.slice(-tenth), field)} | ${Math.max(...samples.map((sample) => sample[field])).toFixed(0)} |`
  const faultCounts = new Map<string, number>()
  for (const { name } of marks) faultCounts.set(name, (faultCounts.get(name) ?? 0) + 1)
  return `${minutes} minutes, ${sessionCount} sessions, ${outcomes.length - failures.length} calls, ${marks.length} faults
visits that no fault touched and that failed: ${unaffectedCount}; touched ones that failed: ${failures.length - unaffectedCount}
a call that no fault touched, ms: median ${quantile(times, 0.5).toFixed(1)}, p99 ${quantile(times, 0.99).toFixed(0)}

| | second tenth | last tenth | most |
|---|---|---|---|
${row('our process, MB', 'resident')}
${row('browsers and servers, MB', 'browsers')}
${row('descriptors', 'descriptors')}
${row('processes', 'processes')}

faults: ${[...faultCounts].map(([name, times]) => `${name} ${times}`).join(' · ')}`
}

/** Minutes on the x axis; the light bars are the faults. */
export function soakPlot(
  samples: readonly Sample[],
  outcomes: readonly Outcome[],
  faults: readonly number[],
): string {
  const minute = (ms: number) => ms / 60_000
  const line = (name: string, field: keyof Sample) => ({
    name,
    points: samples.map((sample) => [minute(sample.at), sample[field]] as const),
  })
  const marks = faults.map(minute)
  const axis = 'minutes; the light bars are faults'
  const buckets = Map.groupBy(unaffected(outcomes), ({ at }) => Math.floor(minute(at)))
  const latency = (name: string, q: number) => ({
    name,
    points: [...buckets].map(
      ([at, bucket]) =>
        [
          at,
          quantile(
            bucket.map(({ ms }) => ms),
            q,
          ),
        ] as const,
    ),
  })
  return plot([
    {
      title: 'Memory',
      unit: 'MB',
      axis,
      lines: [line('our process', 'resident'), line('browsers, servers', 'browsers')],
      marks,
    },
    {
      title: 'Processes and descriptors',
      unit: '',
      axis,
      lines: [line('processes', 'processes'), line('descriptors', 'descriptors')],
      marks,
    },
    {
      title: 'A call that no fault touched',
      unit: 'ms',
      axis,
      lines: [latency('median', 0.5), latency('p99', 0.99)],
      marks,
    },
  ])
}
