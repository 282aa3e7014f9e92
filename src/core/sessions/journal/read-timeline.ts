// All entries of a session in time order. A request has one entry, at its start, with its number and its current state.

import { type EntryKind, type EntryPage, type Journal, type JournalEntry, selectNewest } from './journal.ts'
import type { NetworkLog, NetworkRequest } from './network-log.ts'

// The journal has the response of a request as an entry of its own. What happens to a WebSocket is not known from its request.
const JOURNAL_KINDS: readonly EntryKind[] = ['action', 'page', 'console', 'server']
const SOCKET_EVENTS = {
  kinds: ['request'],
  accept: ({ data }: JournalEntry) => data?.['isSocketEvent'] === true,
} as const

/** The newest `limit` entries, oldest first; `before` and `since` are exclusive numbers. */
export function readTimeline(
  journal: Journal,
  network: Pick<NetworkLog, 'read'>,
  query: { readonly since?: number; readonly before?: number; readonly limit: number },
): EntryPage<JournalEntry> {
  // One more than the limit tells whether there are earlier ones.
  const wider = { ...query, limit: query.limit + 1 }
  const journalPage = journal.read({ ...wider, kinds: JOURNAL_KINDS })
  const requestPage = network.read(wider)
  const socketEvents = journal.read({ ...wider, ...SOCKET_EVENTS }).entries
  const entries = [...journalPage.entries, ...socketEvents, ...requestPage.entries.map(entryOfRequest)]
  return {
    ...selectNewest(
      entries.toSorted((a, b) => a.seq - b.seq),
      { limit: query.limit },
    ),
    dropped: journalPage.dropped + requestPage.dropped,
  }
}

/** What has this number, in words; undefined if it is the number of a request, or of nothing that is kept. */
export function describeNumber(journal: Journal, seq: number): string | undefined {
  const query = { since: seq - 1, before: seq + 1, limit: 1 }
  const [entry] = [{ kinds: JOURNAL_KINDS }, SOCKET_EVENTS].flatMap(
    (kinds) => journal.read({ ...query, ...kinds }).entries,
  )
  return entry && `${kindNames[entry.kind]}: ${entry.text}`
}

// --- internal ---

const kindNames: Readonly<Record<EntryKind, string>> = {
  action: 'an action',
  page: 'a page event',
  console: 'a console message',
  request: 'an event of a WebSocket',
  server: 'a line of the dev server',
}

const FAILED_STATUS = 400
const SERVER_ERROR_STATUS = 500
const ABORTED = /ERR_ABORTED|NS_BINDING_ABORTED/

function entryOfRequest(request: NetworkRequest): JournalEntry {
  const { seq, at, method, url, status, failure, state, mock, type } = request
  // A response whose body nobody reads is aborted later: its status says what happened.
  const reason = status !== undefined && ABORTED.test(failure ?? '') ? undefined : failure
  const isOpenSocket = type === 'websocket' && state === 'pending'
  const outcome =
    [status, reason].filter((part) => part !== undefined).join(', ') || (isOpenSocket ? 'open' : state)
  const mockText = mock === undefined ? '' : ` (mock ${mock})`
  const name = method === '-' ? url : `${method} ${url}`
  return { seq, at, kind: 'request', level: levelOf(request), text: `${name} → ${outcome}${mockText}` }
}

// A request that is aborted because the page navigates is no failure.
function levelOf({ state, failure = '', status = 0, type }: NetworkRequest): JournalEntry['level'] {
  if (state === 'failed' && status < FAILED_STATUS) return ABORTED.test(failure) ? 'info' : 'error'
  if (status >= SERVER_ERROR_STATUS || (status >= FAILED_STATUS && type === 'websocket')) return 'error'
  return status >= FAILED_STATUS ? 'warning' : 'info'
}
