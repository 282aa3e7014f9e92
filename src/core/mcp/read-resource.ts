// Reads a resource: a log of a session, its last snapshot, or one of its files.

import type { ReadResourceResult } from '@modelcontextprotocol/server'
import { type Failure, invalidParameter, type Outcome } from '../base/failure.ts'
import { type LogPart, parseResourceUri, type ResourceAddress } from '../base/files/resource-uri.ts'
import { err, ok } from '../base/result.ts'
import { clip } from '../base/text/clip.ts'
import { escapeInvisible, escapeInvisibleIn } from '../base/text/invisible-characters.ts'
import type { EntryKind } from '../sessions/journal/journal.ts'
import { readTimeline } from '../sessions/journal/read-timeline.ts'
import type { OpenSession } from '../sessions/types/open-session.ts'
import type { SessionManager } from '../sessions/types/session-manager.ts'
import { queryOf } from '../tool/fields.ts'
import type { ToolCall } from '../tool/tool-call.ts'
import { failureText } from './answers/failure-text.ts'
import { createResourceError } from './calls/era.ts'

/** The kinds of journal entries that each log shows. */
export const LOG_KINDS: Record<LogPart, readonly EntryKind[]> = {
  console: ['console'],
  network: ['request'],
  server: ['server'],
  timeline: ['action', 'page', 'console', 'request', 'server'],
}

const ENTRY_LIMIT = 1000
const ENTRY_LIMIT_CHARS = 4000

/** The call that reads a resource of a session. */
export const createResourceCall = (owner: string, sessionKey: string): ToolCall => ({
  owner,
  sessionKey,
  signal: new AbortController().signal,
  progress: () => {},
  ask: undefined,
  description: 'read a resource',
  timeoutKind: 'action',
  changesPage: false,
  graceMs: 0,
})

/** Reads the resource at an address. Fails like a call on its session, and with INVALID_PARAMETERS if there is no such file. */
export function readResource(
  sessions: SessionManager,
  owner: string,
  address: ResourceAddress,
  uri: string,
): Promise<Outcome<ReadResourceResult>> {
  const call = createResourceCall(owner, address.session)
  if (address.part === 'snapshot') return readSnapshot(sessions, call, uri)
  if (address.part === 'files')
    return sessions.runOnSession(call, (session) => readFile(session, address.name ?? '', uri))
  const { part, since } = address
  return sessions.runOnSession({ ...call, readsPageOutput: true }, async (session) =>
    ok(await readLog(session, part, since, uri)),
  )
}

async function readFile(
  { folder, redactor }: OpenSession,
  name: string,
  uri: string,
): Promise<Outcome<ReadResourceResult>> {
  const bytes = await folder.read(name)
  if (!bytes) return err(invalidParameter('uri', 'a file of this session', JSON.stringify(name)))
  const { path, holdsPages } = folder.list().find((artifact) => artifact.name === name) ?? {}
  if (holdsPages && redactor.hasValues()) return err(pagesDenied(path ?? name))
  const mimeType = mimeTypeOf(name)
  // Text goes through the redactor again, because it may contain a secret that became known after it was written.
  const text = bytes.length > TEXT_LIMIT_BYTES ? undefined : textOf(bytes)
  if (text !== undefined) {
    const textType = mimeType === UNKNOWN_TYPE ? 'text/plain' : mimeType
    return ok({ contents: [{ uri, mimeType: textType, text }] })
  }
  return ok({ contents: [{ uri, mimeType, blob: Buffer.from(bytes).toString('base64') }] })
}

/** More would keep other sessions waiting. */
const TEXT_LIMIT_BYTES = 5_000_000

/** What the bytes say, if they are text. */
function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

const pagesDenied = (path: string): Failure => ({
  code: 'ACCESS_DENIED',
  subject: path,
  rule: 'it has pages as they were, and secrets were typed there or are set by --secrets',
  allowed: 'a screenshot, a snapshot or the logs; a person can open the file where it is',
})

async function readLog(
  session: OpenSession,
  part: LogPart,
  since: number | undefined,
  uri: string,
): Promise<ReadResourceResult> {
  const query = queryOf({ limit: ENTRY_LIMIT, since }, session.reportedSeq)
  const entries = part === 'network' ? readRequests(session, query) : await readEntries(session, part, query)
  const text = entries.map((entry) => JSON.stringify(escapeInvisibleIn(entry))).join('\n')
  return { contents: [{ uri, mimeType: 'application/x-ndjson', text }] }
}

const readRequests = ({ network }: OpenSession, query: ReturnType<typeof queryOf>) =>
  network.read(query).entries.map(({ at, ...request }) => ({ timestamp: at, ...request }))

async function readEntries(
  { journal, network, locateEntries, redact }: OpenSession,
  part: LogPart,
  query: ReturnType<typeof queryOf>,
) {
  const { entries } =
    part === 'timeline'
      ? readTimeline(journal, network, query)
      : journal.read({ ...query, kinds: LOG_KINDS[part] })
  const sourceEntries = await locateEntries(entries)
  return sourceEntries.map(({ seq, at, kind, level, text }) => ({
    seq,
    timestamp: at,
    kind,
    level,
    text: redact(text).slice(0, ENTRY_LIMIT_CHARS),
  }))
}

// Returns the last snapshot, because refs and cursors refer to it; takes the first one if there is none.
const readSnapshot = (
  sessions: SessionManager,
  call: ToolCall,
  uri: string,
): Promise<Outcome<ReadResourceResult>> =>
  sessions.runOnPage(call, async (page, deadline, { lastSnapshot }) => {
    if (!lastSnapshot.isRecorded) {
      const tree = await page.tree({}, deadline)
      if (!tree.ok) return tree
      lastSnapshot.record(tree.value)
    }
    return ok({ contents: [{ uri, mimeType: 'text/plain', text: escapeInvisible(lastSnapshot.text()) }] })
  })

const UNKNOWN_TYPE = 'application/octet-stream'

// MIME types of the files of sessions, by extension.
const mimeTypes = new Map([
  ['.png', 'image/png'],
  ['.jpeg', 'image/jpeg'],
  ['.pdf', 'application/pdf'],
  ['.zip', 'application/zip'],
  ['.webm', 'video/webm'],
  ['.json', 'application/json'],
  ['.har', 'application/json'],
  ['.txt', 'text/plain'],
])

/** The MIME type of a file of this name. */
export const mimeTypeOf = (name: string): string =>
  mimeTypes.get(/\.\w+$/.exec(name)?.[0] ?? '') ?? UNKNOWN_TYPE

/** Throws a protocol error where the URI is none of Footlight's. */
export function parseAddress(uri: string): ResourceAddress {
  const address = parseResourceUri(uri)
  if (address) return address
  const message = `${clip(uri, 200)} is not a Footlight resource. See resources/list.`
  throw createResourceError(message, clip(uri, 2000))
}

/** The protocol error of a resource whose session or file does not exist. */
export const createNotFoundError = (failure: Failure, uri: string, redact: (text: string) => string): Error =>
  createResourceError(redact(failureText(failure)), redact(uri))
