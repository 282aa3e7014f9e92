// What /health and /metrics report.

import process from 'node:process'
import type { Services } from './create-services.ts'
import type { HttpOptions } from '../../mcp/http/http-options.ts'

export function createHttpReports(
  { sessions, browsers, metrics }: Services,
  isDraining: () => boolean,
): Pick<HttpOptions, 'health' | 'metrics'> {
  const startedAt = performance.now()
  const measure = () => ({
    sessionCount: sessions.count(),
    uptimeMs: Math.round(performance.now() - startedAt),
    memoryBytes: process.memoryUsage().rss,
  })
  return {
    health() {
      const { sessionCount, uptimeMs, memoryBytes } = measure()
      const isReady = !isDraining() && browsers.isUsable()
      const status = isDraining() ? 'draining' : isReady ? 'ok' : 'no browser'
      return {
        ok: isReady,
        body: { status, uptime: uptimeMs, activeSessions: sessionCount, memory: memoryBytes },
      }
    },
    metrics() {
      const { sessionCount, uptimeMs, memoryBytes } = measure()
      return metrics.text({
        footlight_sessions: sessionCount,
        footlight_calls_open: sessions.calls(),
        footlight_uptime_seconds: uptimeMs / 1000,
        footlight_browser_starts: browsers.startCount(),
        footlight_heap_bytes: process.memoryUsage().heapUsed,
        process_resident_memory_bytes: memoryBytes,
      })
    },
  }
}
