// What evidence says about the dev server: its end, its output, and whether the page shows its latest files.

import { race } from '../calls/deadline.ts'
import { readFreshness } from '../freshness/read-freshness.ts'
import { serverOutputOf } from './server-output.ts'
import type { Evidence } from '../ports/session-manager.ts'
import type { ReadyResources, SessionResources } from '../resources/session-resources.ts'
import { freshnessLineOf } from '../../core/freshness/freshness-text.ts'

/** Empty without a dev server. `now` is in Unix milliseconds. What takes longer than `timeoutMs` is left out. */
export async function collectServerPart(
  { page, server }: ReadyResources,
  resources: SessionResources,
  now: number,
  timeoutMs: number,
): Promise<Pick<Evidence, 'serverEnded' | 'freshness' | 'stderr' | 'stdout'>> {
  if (!server) return {}
  const exitReason = server.exitReason()
  const reading = await race(timeoutMs, [], () => readFreshness(server, resources, page.url()))
  const freshness = 'value' in reading ? freshnessLineOf(reading.value) : undefined
  return {
    ...(exitReason !== undefined && { serverEnded: exitReason }),
    ...(freshness !== undefined && { freshness }),
    ...serverOutputOf(server, resources, now),
  }
}
