// How much of the time of one build another takes, with the uncertainty of the measurement.

import { median, ratioOf, type Row, tableOf } from './measure.ts'

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
