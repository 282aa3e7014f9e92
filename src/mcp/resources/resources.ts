// The logs, the last snapshot and the files of sessions as MCP resources. A remote client reads here what it cannot read from a path.

import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  ErrorCode,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ReadResourceRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
  type Resource,
} from '@modelcontextprotocol/sdk/types.js'
import { mimeTypeOf } from './mime-types.ts'
import { LOG_KINDS, readResource, createResourceCall } from './read-resource.ts'
import { createResourceUpdates } from './resource-updates.ts'
import { failureText } from '../answers/failure-text.ts'
import type { Failure } from '../../core/failure.ts'
import { ok } from '../../core/result.ts'
import {
  resourceUriOf,
  LOG_PARTS,
  parseResourceUri,
  type ResourceAddress,
} from '../../core/session/resource-uri.ts'
import { clip } from '../../core/text/clip.ts'
import type { OpenSession } from '../../runtime/ports/open-session.ts'
import type { SessionManager } from '../../runtime/ports/session-manager.ts'

/** Serves the resources of the sessions that belong to `owner`. */
export function serveResources(server: Server, sessions: SessionManager, owner: string): void {
  server.setRequestHandler(ListResourcesRequestSchema, async () => ({
    resources: await listResources(sessions, owner),
  }))
  server.setRequestHandler(ListResourceTemplatesRequestSchema, async () => ({ resourceTemplates: TEMPLATES }))
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }) => {
    const address = parseAddress(uri)
    const result = await readResource(sessions, owner, address, uri)
    const { redactData, redactText } = sessions.redactor(owner, address.session)
    if (!result.ok) throw createNotFoundError(result.error, redactText)
    // The bytes of a file are not redacted: in base64 any of them may look like a secret.
    return {
      contents: result.value.contents.map((content) => ('blob' in content ? content : redactData(content))),
    }
  })
  serveSubscriptions(server, sessions, owner)
}

function serveSubscriptions(server: Server, sessions: SessionManager, owner: string): void {
  const updates = createResourceUpdates((uri) => server.sendResourceUpdated({ uri }).catch(() => {}))
  const unwatch = sessions.watch(owner, () => void server.sendResourceListChanged().catch(() => {}))
  const { onclose } = server
  server.onclose = () => {
    unwatch()
    updates.end()
    onclose?.()
  }
  server.setRequestHandler(SubscribeRequestSchema, async ({ params: { uri } }) => {
    const { session, part } = parseAddress(uri)
    const kinds = part === 'snapshot' || part === 'files' ? LOG_KINDS.timeline : LOG_KINDS[part]
    const subscription = await sessions.runOnSession(
      createResourceCall(owner, session),
      async ({ journal }) => ok(journal.watch(kinds, () => updates.schedule(uri))),
    )
    if (!subscription.ok)
      throw createNotFoundError(subscription.error, sessions.redactor(owner, session).redactText)
    updates.add(uri, subscription.value)
    return {}
  })
  server.setRequestHandler(UnsubscribeRequestSchema, async ({ params: { uri } }) => {
    updates.remove(uri)
    return {}
  })
}

const TEMPLATES = [
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
]

async function listResources(sessions: SessionManager, owner: string): Promise<Resource[]> {
  const lists = await Promise.all(
    sessions
      .list(owner)
      .map(({ id }) =>
        sessions.runOnSession(createResourceCall(owner, id), async (session) => ok(resourcesOf(session))),
      ),
  )
  return lists.flatMap((list) => (list.ok ? list.value : []))
}

function resourcesOf({ record, server, folder }: OpenSession): Resource[] {
  const parts = [...LOG_PARTS.filter((part) => part !== 'server' || server), 'snapshot' as const]
  return [
    ...parts.map((part) => ({
      uri: resourceUriOf({ session: record.id, part }),
      name: `${record.name} ${part}`,
      mimeType: part === 'snapshot' ? 'text/plain' : 'application/x-ndjson',
    })),
    ...folder.list().map(({ name, resource }) => ({
      uri: resource,
      name: `${record.name} ${name}`,
      mimeType: mimeTypeOf(name),
    })),
  ]
}

function parseAddress(uri: string): ResourceAddress {
  const address = parseResourceUri(uri)
  if (address) return address
  const message = `${clip(uri, 200)} is not a Footlight resource. See resources/list.`
  throw Object.assign(new Error(message), { code: ErrorCode.InvalidParams })
}

const RESOURCE_NOT_FOUND = -32_002

const createNotFoundError = (failure: Failure, redact: (text: string) => string): Error =>
  Object.assign(new Error(redact(failureText(failure))), { code: RESOURCE_NOT_FOUND })
