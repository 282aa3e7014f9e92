// The logs, the last snapshot and the files of sessions as MCP resources. A remote client reads here what it cannot read from a path.

import type { Resource, Server } from '@modelcontextprotocol/server'
import { mimeTypeOf } from './mime-types.ts'
import { readResource, createResourceCall } from './read-resource.ts'
import { createNotFoundError, parseAddress } from './resource-address.ts'
import { ok } from '../../core/result.ts'
import { resourceUriOf, LOG_PARTS } from '../../core/session/resource-uri.ts'
import type { OpenSession } from '../../runtime/ports/open-session.ts'
import type { SessionManager } from '../../runtime/ports/session-manager.ts'

/** Serves the resources of the sessions that belong to `owner`. */
export function serveResources(server: Server, sessions: SessionManager, owner: string): void {
  server.setRequestHandler('resources/list', async () => ({
    resources: await listResources(sessions, owner),
  }))
  server.setRequestHandler('resources/templates/list', async () => ({ resourceTemplates: TEMPLATES }))
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    const address = parseAddress(uri)
    const result = await readResource(sessions, owner, address, uri)
    const { redactData, redactText } = sessions.redactor(owner, address.session)
    if (!result.ok) throw createNotFoundError(result.error, uri, redactText)
    // The bytes of a file are not redacted: in base64 any of them may look like a secret.
    return {
      contents: result.value.contents.map((content) => ('blob' in content ? content : redactData(content))),
    }
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
