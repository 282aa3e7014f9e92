// Metrics for Prometheus: calls and their duration by tool, failures by code.

import type { CallEvent } from '../../core/mcp/calls/run-tool.ts'

export interface Metrics {
  count(event: CallEvent): void
  /** All metrics and these gauges in Prometheus' text format. */
  text(gauges: Readonly<Record<string, number>>): string
}

const BUCKET_LIMITS_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

interface Histogram {
  readonly bucketCounts: number[]
  count: number
  sum: number
}

export function createMetrics(): Metrics {
  const callsByTool = new Map<string, Histogram>()
  const failuresByCode = new Map<string, number>()
  return {
    count({ tool, ms, errorCode }) {
      const histogram = callsByTool.get(tool) ?? {
        bucketCounts: BUCKET_LIMITS_S.map(() => 0),
        count: 0,
        sum: 0,
      }
      callsByTool.set(tool, histogram)
      const seconds = ms / 1000
      BUCKET_LIMITS_S.forEach((limit, index) => {
        if (seconds <= limit) histogram.bucketCounts[index] = (histogram.bucketCounts[index] ?? 0) + 1
      })
      histogram.count += 1
      histogram.sum += seconds
      if (errorCode !== undefined) failuresByCode.set(errorCode, (failuresByCode.get(errorCode) ?? 0) + 1)
    },
    text(gauges) {
      const lines = Object.entries(gauges).flatMap(([name, value]) => [
        `# TYPE ${name} gauge`,
        `${name} ${value}`,
      ])
      lines.push('# TYPE footlight_call_seconds histogram')
      for (const [tool, { bucketCounts, count, sum }] of callsByTool) {
        const label = `tool="${tool}"`
        BUCKET_LIMITS_S.forEach((limit, index) =>
          lines.push(`footlight_call_seconds_bucket{${label},le="${limit}"} ${bucketCounts[index]}`),
        )
        lines.push(`footlight_call_seconds_bucket{${label},le="+Inf"} ${count}`)
        lines.push(
          `footlight_call_seconds_sum{${label}} ${sum.toFixed(6)}`,
          `footlight_call_seconds_count{${label}} ${count}`,
        )
      }
      lines.push('# TYPE footlight_failures_total counter')
      for (const [code, count] of failuresByCode)
        lines.push(`footlight_failures_total{code="${code}"} ${count}`)
      return `${lines.join('\n')}\n`
    },
  }
}
