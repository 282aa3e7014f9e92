// Whether the page of a session shows the source files of its dev server as they are now, and the wait until it does.

import type { Failure, Outcome } from '../../core/base/failure.ts'
import { err, ok } from '../../core/base/result.ts'
import type { Deadline } from '../../core/base/system/deadline.ts'
import { race } from '../../core/base/system/race-deadline.ts'
import { isErrorPage } from '../../core/base/text/parse-url.ts'
import { isSourcePath } from '../../core/base/text/source-path.ts'
import type { Freshness, FreshPage } from '../../core/sessions/types/freshness.ts'
import type { OwnedSession } from '../../core/sessions/types/owned-session.ts'
import type { OwnedServer } from '../../core/sessions/types/servers.ts'
import { freshnessNoteOf } from './describe-freshness.ts'
import { judgeFreshness, POLL_TIME_MS } from './judge-freshness.ts'
import { editsIn, readRecords } from './read-records.ts'

/** Fresh without a dev server of the session that runs, or if the page is not from it: then nothing can be known. */
export async function readFreshness(
  server: OwnedServer | undefined,
  { redactor, ...session }: Pick<OwnedSession, 'journal' | 'network' | 'redactor' | 'page'>,
): Promise<Freshness> {
  const pageUrl = session.page.url()
  const code = server?.code?.()
  if (!server?.files || !code) return { state: 'fresh' }
  if (isErrorPage(pageUrl)) return { state: 'unloaded' }
  const { origin } = new URL(server.info().url)
  if (!pageUrl.startsWith(`${origin}/`)) return { state: 'fresh' }
  const freshness = judgeFreshness(await readRecords(server, code, session))
  if (freshness.state === 'fresh' || freshness.state === 'unloaded') return freshness
  // Whether a server has ended is looked up among all sockets of the machine.
  if (server.exitReason() !== undefined) {
    const files = freshness.state === 'unknown' ? freshness.untold : [freshness]
    const untold = files.map(
      ({ file, ageMs }) => ({ file, ageMs, step: 'restart', reason: 'exited' }) as const,
    )
    return { state: 'unknown', untold, freshFiles: [] }
  }
  // A line of the server may contain a secret.
  if (!('line' in freshness) || freshness.line === undefined) return freshness
  return { ...freshness, line: redactor.redactText(freshness.line) }
}

/** When a source file of the project of a server was edited last, in Unix milliseconds; undefined if nothing is known of it. */
export async function readLastEdit(server: OwnedServer | undefined): Promise<number | undefined> {
  const [files, written] = [await server?.files?.(), server?.code?.()?.written]
  if (!files) return undefined
  const edits = editsIn({ ...files, since: 0 }).filter(
    ({ file }) => isSourcePath(file) && !written?.has(file),
  )
  return edits.reduce<number | undefined>((last, { at }) => Math.max(last ?? 0, at), undefined)
}

const POLL_INTERVAL_MS = 50

// In this time the page may still load what a server makes of an edit.
const UNKNOWN_LIMIT_MS = 3000
// A page that reloads itself does so soon after the server is up again.
const RELOAD_GRACE_MS = 250

/** Succeeds once the page is fresh, or if nothing tells for a while whether it is. TIMEOUT at the deadline, or at once if the server must be
 * restarted, or the page failed to load, or must be loaded again by the caller. */
export async function waitUntilFresh(
  read: () => Promise<Freshness>,
  deadline: Deadline,
): Promise<Outcome<FreshPage>> {
  let oldSince: number | undefined
  for (;;) {
    const freshness = await read()
    if (freshness.state === 'fresh') return ok({ freshFiles: freshness.freshFiles ?? [] })
    if (deadline.signal.aborted) return err({ code: 'CANCELLED' })
    const remaining = deadline.remaining()
    const isLate = remaining <= POLL_INTERVAL_MS
    if (freshness.state === 'unknown') {
      const youngest = Math.min(...freshness.untold.map(({ ageMs }) => ageMs))
      const note = freshnessNoteOf(freshness)
      if (isLate || youngest > UNKNOWN_LIMIT_MS)
        return ok({ ...(note && { note }), freshFiles: freshness.freshFiles })
    } else {
      oldSince = needOf(freshness) === 'reload' ? (oldSince ?? remaining) : undefined
      const isOld = oldSince !== undefined && oldSince - remaining >= RELOAD_GRACE_MS
      const isHopeless = isOld || needOf(freshness) === 'restart' || freshness.state === 'unloaded'
      if (isLate || isHopeless) return err(staleFailure(freshness, deadline))
    }
    await race(POLL_INTERVAL_MS, [deadline.signal], () => new Promise<never>(() => {}))
  }
}

// Without a connection a page may still ask again and again whether there is something new; with one it may be slow to learn of it.
const ALONE_LIMIT_MS = 3000
const CONNECTED_LIMIT_MS = 10_000

type OldPage = Exclude<Freshness, { state: 'fresh' | 'unknown' }>

function needOf(freshness: OldPage): 'restart' | 'reload' | 'time' {
  if (freshness.state === 'reload') return 'reload'
  // What looks at its files again and again may still start it again.
  if (freshness.state === 'restart') return freshness.ageMs > POLL_TIME_MS ? 'restart' : 'time'
  if (freshness.state !== 'stale') return 'time'
  const limitMs = freshness.isConnected ? CONNECTED_LIMIT_MS : ALONE_LIMIT_MS
  return freshness.ageMs > limitMs ? 'reload' : 'time'
}

const staleFailure = (freshness: OldPage, { timeout, remaining }: Deadline): Failure => ({
  code: 'TIMEOUT',
  waitedFor:
    freshness.state === 'unloaded'
      ? 'the page to show the latest sources, but it failed to load: call history {direction: "reload"}'
      : `the page to show the latest ${freshness.file}`,
  waited: Math.max(0, timeout - remaining()),
  needs: needOf(freshness),
})
