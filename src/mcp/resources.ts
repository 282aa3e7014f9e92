// What belongs to a session, as MCP resources: its logs, its whole last snapshot, its files. A client far away reads here what it
// cannot read from a path.

import {
  ErrorCode,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ReadResourceRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
  type ReadResourceResult,
  type Resource,
} from '@modelcontextprotocol/sdk/types.js'
import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { typeOf } from './mime-types.ts'
import { failureText } from './answers/failure-text.ts'
import { createResourceUpdates } from './resource-updates.ts'
import { clip } from '../core/text/clip.ts'
import { invalidParameter, type Failure, type Outcome } from '../core/failure.ts'
import type { EntryKind } from '../core/session/journal.ts'
import {
  resourceUriOf,
  LOG_PARTS,
  parseResourceUri,
  type ResourceAddress,
  type LogPart,
} from '../core/session/resource-uri.ts'
import { err, ok } from '../core/result.ts'
import type { OpenSession, SessionManager } from '../runtime/ports/session-manager.ts'
import type { SessionBody, ToolCall } from '../runtime/ports/tool-call.ts'

const kinds: Record<LogPart, readonly EntryKind[]> = {
  console: ['console'],
  network: ['request'],
  server: ['server'],
  timeline: ['action', 'page', 'console', 'request', 'server'],
}

const MOST = 1000
const LONGEST = 4000

/** Serves the resources of the sessions that belong to `owner`. */
export function serveResources(server: Server, sessions: SessionManager, owner: string): void {
  const updates = createResourceUpdates((uri) => server.sendResourceUpdated({ uri }).catch(() => {}))
  const unwatch = sessions.watch(owner, () => void server.sendResourceListChanged().catch(() => {}))
  const closed = server.onclose
  server.onclose = () => {
    unwatch()
    updates.end()
    closed?.()
  }
  const inSession = <T>(session: string, body: SessionBody<T>, readsPageOutput = false) =>
    sessions.runOnSession({ ...callOf(owner, session), readsPageOutput }, body)

  server.setRequestHandler(ListResourcesRequestSchema, async () => {
    const listings = await Promise.all(
      sessions.list(owner).map(({ id }) => inSession(id, async (session) => ok(listed(session)))),
    )
    return { resources: listings.flatMap((listing) => (listing.ok ? listing.value : [])) }
  })

  server.setRequestHandler(ListResourceTemplatesRequestSchema, async () => ({
    resourceTemplates: [
      {
        uriTemplate: 'footlight://sessions/{session}/{part}{?since}',
        name: 'session',
        description: `part: ${LOG_PARTS.join(', ')} (JSON lines; since: only entries after this seq) or snapshot`,
      },
      {
        uriTemplate: 'footlight://sessions/{session}/files/{name}',
        name: 'file',
        description: 'A file of a session',
      },
    ],
  }))

  server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }) => {
    const address = addressIn(uri)
    const read =
      address.part === 'snapshot'
        ? await wholeSnapshot(sessions, owner, address.session, uri)
        : await inSession(
            address.session,
            (session) => readPart(session, address, uri),
            address.part !== 'files',
          )
    const { data, text } = sessions.redactor(owner, address.session)
    if (!read.ok) throw refusal(read.error, text)
    // The bytes of a file are what was asked for; in base64 they may look like anything.
    return { contents: read.value.contents.map((one) => ('blob' in one ? one : data(one))) }
  })

  server.setRequestHandler(SubscribeRequestSchema, async ({ params: { uri } }) => {
    const { session, part } = addressIn(uri)
    const watched = part === 'snapshot' || part === 'files' ? kinds.timeline : kinds[part]
    const latest = await inSession(session, async ({ journal }) =>
      ok(journal.watch(watched, () => updates.changed(uri))),
    )
    if (!latest.ok) throw refusal(latest.error, sessions.redactor(owner, session).text)
    updates.add(uri, latest.value)
    return {}
  })

  server.setRequestHandler(UnsubscribeRequestSchema, async ({ params: { uri } }) => {
    updates.remove(uri)
    return {}
  })
}

// --- internal ---

const callOf = (owner: string, sessionKey: string): ToolCall => ({
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

function addressIn(uri: string): ResourceAddress {
  const address = parseResourceUri(uri)
  if (address) return address
  throw Object.assign(new Error(`${clip(uri, 200)} is not a Footlight resource. See resources/list.`), {
    code: ErrorCode.InvalidParams,
  })
}

const NOT_FOUND = -32_002

const refusal = (failure: Failure, redact: (text: string) => string): Error =>
  Object.assign(new Error(redact(failureText(failure))), { code: NOT_FOUND })

function listed({ record, server, folder }: OpenSession): Resource[] {
  const label = record.name ?? record.id.slice(0, 8)
  const parts = [...LOG_PARTS.filter((part) => part !== 'server' || server), 'snapshot' as const]
  return [
    ...parts.map((part) => ({
      uri: resourceUriOf({ session: record.id, part }),
      name: `${label} ${part}`,
      mimeType: part === 'snapshot' ? 'text/plain' : 'application/x-ndjson',
    })),
    ...folder
      .list()
      .map(({ name, resource }) => ({ uri: resource, name: `${label} ${name}`, mimeType: typeOf(name) })),
  ]
}

async function readPart(
  session: OpenSession,
  { part, name = '', since }: ResourceAddress,
  uri: string,
): Promise<Outcome<ReadResourceResult>> {
  if (part === 'files') {
    const bytes = await session.folder.read(name)
    const expected = 'a file of this session'
    if (!bytes) return err(invalidParameter('uri', expected, JSON.stringify(name)))
    // A text may hold what has become known as a secret since it was written.
    if (/\.(json|txt)$/.test(name))
      return ok({ contents: [{ uri, mimeType: typeOf(name), text: new TextDecoder().decode(bytes) }] })
    const blob = Buffer.from(bytes).toString('base64')
    return ok({ contents: [{ uri, mimeType: typeOf(name), blob }] })
  }
  session.server?.sync()
  const query = { limit: MOST, ...(since !== undefined && { since }) }
  const entries =
    part === 'network'
      ? session.network.read(query).entries.map(({ at, ...rest }) => ({ timestamp: at, ...rest }))
      : session.journal
          .read({ ...query, kinds: kinds[part as LogPart] })
          .entries.map(({ seq, at, kind, level, text }) => ({
            seq,
            timestamp: at,
            kind,
            level,
            text: session.redact(text).slice(0, LONGEST),
          }))
  const text = entries.map((entry) => JSON.stringify(entry)).join('\n')
  return ok({ contents: [{ uri, mimeType: 'application/x-ndjson', text }] })
}

// The last look, so that its refs and the pages read by cursor agree with it; a first one where nobody has looked.
function wholeSnapshot(
  sessions: SessionManager,
  owner: string,
  session: string,
  uri: string,
): Promise<Outcome<ReadResourceResult>> {
  return sessions.runOnPage(callOf(owner, session), async (page, deadline, session) => {
    if (!session.lastSnapshot.shown) {
      const tree = await page.tree({}, deadline)
      if (!tree.ok) return tree
      session.lastSnapshot.show(tree.value)
    }
    return ok({ contents: [{ uri, mimeType: 'text/plain', text: session.lastSnapshot.text() }] })
  })
}
