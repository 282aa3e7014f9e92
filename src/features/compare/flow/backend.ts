// What the pages get from other servers than that of their version: recorded in the base, replayed to both.

import type { Outcome } from '../../../core/base/failure.ts'
import { map, ok } from '../../../core/base/result.ts'
import { parseUrl } from '../../../core/base/text/parse-url.ts'
import { portOf } from '../../../core/devserver/dev-server.ts'
import type { Page } from '../../../core/sessions/types/page.ts'
import type { CallContext } from '../../../core/tool/tool.ts'
import { openHarReplay } from '../../mock/har-file.ts'
import type { HarEntry, HarLog } from '../../mock/har.ts'
import { isLoopback } from './side-use.ts'
import { runOn, type Side } from './sides.ts'

/** Begins to record, in each version: a page whose requests are recorded has no service worker. Without effect in a browser that cannot. */
export const startRecording = async (page: Page): Promise<void> => void (await page.startHar())

/** What the base got from other servers since `startRecording`. */
export async function readBackend(base: Side, context: CallContext): Promise<HarLog> {
  const recording = await runOn(base, 'read the requests', context, RECORDING_TIMEOUT_MS, (page) =>
    page.stopHar(),
  )
  const all = recording.ok ? recording.value.log.entries : []
  // A further server of the version is part of it.
  const own = base.use().ports?.own ?? []
  const isOwn = (url: string) => own.includes(portOf(url)) && isLoopback(new URL(url).hostname)
  const entries = all.filter(({ request: { url } }) => {
    const address = parseUrl(url)
    return address && /^https?:$/.test(address.protocol) && address.origin !== base.origin && !isOwn(url)
  })
  return { log: { entries } }
}

/** Answers the requests of a recording from it, and no others. */
export async function replayBackend(
  recording: HarLog,
  side: Side,
  context: CallContext,
): Promise<Outcome<void>> {
  const methods = new Set(recording.log.entries.map(({ request }) => request.method))
  for (const method of methods) {
    const entries = recording.log.entries.filter(({ request }) => request.method === method)
    const replay = await openHarReplay(encodeHar(entries), String, context.files)
    if (!replay.ok) return replay
    const urls = new Set(entries.map(({ request }) => withoutHash(request.url)))
    const mock = {
      ...replay.value,
      rule: { method, har: 'the base' },
      matchesUrl: (url: string) => urls.has(withoutHash(url)),
    }
    const outcome = await runOn(
      side,
      'replay the requests',
      context,
      RECORDING_TIMEOUT_MS,
      (page, deadline) => page.perform({ kind: 'mock', rule: mock.rule, mock }, deadline),
    )
    if (!outcome.ok) return map(outcome, () => undefined)
  }
  return ok(undefined)
}

/** What was recorded, in words. */
export function describeBackend({ log: { entries } }: HarLog): readonly string[] {
  const origins = [...new Set(entries.map(({ request }) => new URL(request.url).origin))]
  const list = origins.slice(0, ORIGIN_LIMIT).join(', ')
  return origins.length === 0 ? [] : [`Replayed to both as the base got them: the answers of ${list}.`]
}

// --- internal ---

const RECORDING_TIMEOUT_MS = 15_000
const ORIGIN_LIMIT = 5

const withoutHash = (url: string): string => url.split('#', 1)[0] ?? ''

const encodeHar = (entries: readonly HarEntry[]): Uint8Array =>
  new TextEncoder().encode(JSON.stringify({ log: { entries } }))
