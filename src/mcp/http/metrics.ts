// Counts for Prometheus: calls and their time by tool, failures by code.

import type { CallEvent } from '../calls/dispatch.ts'

export interface Metrics {
  count(event: CallEvent): void
  /** In Prometheus' text format, with these gauges beside. */
  text(gauges: Readonly<Record<string, number>>): string
}

// Seconds.
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

interface Row {
  readonly within: number[]
  count: number
  sum: number
}

export function createMetrics(): Metrics {
  const tools = new Map<string, Row>()
  const failures = new Map<string, number>()
  return {
    count({ tool, ms, errorCode }) {
      const row = tools.get(tool) ?? { within: buckets.map(() => 0), count: 0, sum: 0 }
      tools.set(tool, row)
      const seconds = ms / 1000
      buckets.forEach((limit, index) => {
        if (seconds <= limit) row.within[index] = (row.within[index] ?? 0) + 1
      })
      row.count += 1
      row.sum += seconds
      if (errorCode !== undefined) failures.set(errorCode, (failures.get(errorCode) ?? 0) + 1)
    },
    text(gauges) {
      const lines = Object.entries(gauges).flatMap(([name, value]) => [
        `# TYPE ${name} gauge`,
        `${name} ${value}`,
      ])
      lines.push('# TYPE footlight_call_seconds histogram')
      for (const [tool, { within, count, sum }] of tools) {
        const label = `tool="${tool}"`
        buckets.forEach((limit, index) =>
          lines.push(`footlight_call_seconds_bucket{${label},le="${limit}"} ${within[index]}`),
        )
        lines.push(`footlight_call_seconds_bucket{${label},le="+Inf"} ${count}`)
        lines.push(
          `footlight_call_seconds_sum{${label}} ${sum.toFixed(6)}`,
          `footlight_call_seconds_count{${label}} ${count}`,
        )
      }
      lines.push('# TYPE footlight_failures_total counter')
      for (const [code, count] of failures) lines.push(`footlight_failures_total{code="${code}"} ${count}`)
      return `${lines.join('\n')}\n`
    },
  }
}
