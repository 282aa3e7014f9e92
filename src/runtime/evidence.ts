// What a person would look at after a failure, gathered within a second and bounded. No part of it can hide the failure itself: what
// could not be had says why.

import { race } from './deadline.ts'
import type { OpenRoom } from './room.ts'
import type { Look, OwnedPage } from './ports/browsers.ts'
import type { Evidence } from './ports/desk.ts'
import type { Artifact } from './ports/files.ts'
import type { OwnedServer } from './ports/servers.ts'
import type { Entry, Journal } from '../core/journal.ts'
import type { Failure } from '../core/failure.ts'

const LIMIT = 900
const STDERR = 1200

export type EvidenceMode = 'full' | 'text' | 'none'

export async function gather(
  room: OpenRoom,
  failure: Failure,
  mode: EvidenceMode,
  now: number,
): Promise<Evidence | undefined> {
  if (mode === 'none') return undefined
  const ready = await Promise.race([room.ready, Promise.resolve(undefined)])
  if (!ready?.ok) return undefined
  const { page, server } = ready.value
  server?.sync()
  const [look, trace] = await Promise.all([lookAt(page, failure, mode), traceOf(room, page)])
  const { image, title, candidates } = look
  const missing =
    trace === 'late' ? { ...look.missing, trace: `not written within ${LIMIT} ms` } : look.missing
  const ended = server?.ended()
  const entries = (kinds: readonly Entry['kind'][], limit: number, accept?: (entry: Entry) => boolean) =>
    room.journal.read({ kinds, limit, ...(accept && { accept }) }).entries
  const isError = ({ level }: Entry) => level === 'error'
  return {
    page: { url: cut(page.url(), 300), ...(title !== undefined && { title: cut(title, 100) }) },
    ...(ended !== undefined && { serverEnded: ended }),
    ...(server && { stderr: stderrOf(server, room.journal) }),
    console: entries(['console'], 5, isError).map(({ text }) => cut(text, 200)),
    requests: entries(['request'], 5, ({ level }) => level !== 'info').map(({ text }) => cut(text, 200)),
    ...(candidates && { candidates }),
    timeline: entries(['action', 'page', 'console', 'request', 'server'], 8).map((entry) =>
      lineOf(entry, now),
    ),
    missing,
    ...(trace && trace !== 'late' && { trace }),
    ...(image && { image }),
  }
}

// The trace up to this failure; the next one begins here.
async function traceOf({ trace, folder }: OpenRoom, page: OwnedPage): Promise<Artifact | 'late' | undefined> {
  if (trace !== 'on-failure') return undefined
  const path = await folder.place('trace.zip')
  if (!path.ok) return undefined
  const done = await race(LIMIT, [], () => page.stopTrace(path.value, 'go on'))
  if ('stopped' in done) return 'late'
  if (done.value.ok) return folder.done(path.value)
  await folder.drop(path.value)
  return undefined
}

async function lookAt(page: OwnedPage, failure: Failure, mode: EvidenceMode): Promise<Look> {
  if (failure.code === 'PAGE_HUNG' && !failure.freed)
    return { missing: { screenshot: 'the page does not answer' } }
  if (failure.code === 'BROWSER_CRASHED') return { missing: { screenshot: 'the browser is gone' } }
  const target = failure.code === 'ELEMENT_NOT_FOUND' ? { target: failure.was ?? failure.target } : {}
  return page.look({ picture: mode === 'full', ...target }, LIMIT)
}

// The last lines, at most 100 of them and about a kilobyte.
function stderrOf(server: OwnedServer, journal: Journal): string[] {
  const read = server.logs({ type: 'stderr', lines: 100 })
  const fallback = () =>
    journal
      .read({ kinds: ['server'], limit: 100, accept: ({ level }) => level !== 'info' })
      .entries.map(({ text }) => text)
  const lines = read.ok ? read.value.lines : fallback()
  const kept: string[] = []
  let size = 0
  for (const line of lines.toReversed()) {
    const text = cut(line, 300)
    size += text.length
    if (size > STDERR) break
    kept.unshift(text)
  }
  return kept
}

const lineOf = ({ at, kind, text }: Entry, now: number): string =>
  `${((at - now) / 1000).toFixed(1)} s ${kind}: ${cut(text, 110)}`

const cut = (text: string, most: number): string => {
  const line = text.replace(/\s+/g, ' ')
  return line.length > most ? `${line.slice(0, most)}…` : line
}
