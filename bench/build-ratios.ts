// How much slower one build is than another, with the uncertainty of the measurement: the ratio of the times of each pair of neighbouring
// runs, of which the median counts. Its interval of 95 % is that of the sign test, which assumes nothing about how times are distributed.

import { median, tableOf, type Row } from './measure.ts'

interface Ratio {
  readonly ratio: number
  readonly low: number
  readonly high: number
}

export function ratioOf(times: readonly number[], earlierTimes: readonly number[]): Ratio {
  const ratios = times.map((time, run) => time / (earlierTimes[run] ?? Number.NaN)).sort((a, b) => a - b)
  const reach = 0.98 * Math.sqrt(ratios.length)
  const at = (index: number) => ratios[Math.min(ratios.length - 1, Math.max(0, index))] ?? Number.NaN
  return {
    ratio: median(ratios),
    low: at(Math.floor(ratios.length / 2 - reach)),
    high: at(Math.ceil(ratios.length / 2 + reach)),
  }
}

/** A Markdown table of the medians of two contenders in milliseconds, and how much of the time of `earlier` the other one takes. */
export function ratioTable(rows: readonly Row[], later: string, earlier: string): string {
  const lines = rows.map(({ name, samples }) => {
    const [times, earlierTimes] = [samples[later] ?? [], samples[earlier] ?? []]
    const { ratio, low, high } = ratioOf(times, earlierTimes)
    const interval = `${ratio.toFixed(3)} (${low.toFixed(3)} to ${high.toFixed(3)})`
    return [name, median(earlierTimes).toFixed(2), median(times).toFixed(2), interval]
  })
  return tableOf([['ms: median', earlier, later, 'ratio (95 %)'], ...lines])
}
