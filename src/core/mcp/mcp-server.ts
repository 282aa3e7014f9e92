// One MCP server object: for one connection of the legacy era, for one request of the modern era over HTTP. The SDK's low-level Server is
// used because its high-level one lists every name it can call.

import { type CacheHint, type Resource, Server } from '@modelcontextprotocol/server'
import { LOG_PARTS, resourceUriOf } from '../base/files/resource-uri.ts'
import { ok } from '../base/result.ts'
import type { OpenSession } from '../sessions/types/open-session.ts'
import type { SessionManager } from '../sessions/types/session-manager.ts'
import type { Era } from './calls/era.ts'
import { readApp } from './calls/mcp-app.ts'
import { serveTools } from './calls/serve-tools.ts'
import type { ServerOptions } from './calls/server-options.ts'
import { acceptAllValidator } from './calls/suspended-calls.ts'
import {
  createNotFoundError,
  createResourceCall,
  mimeTypeOf,
  parseAddress,
  readResource,
} from './read-resource.ts'
import { serveSubscriptions } from './subscriptions.ts'

const instructionsFor = (
  isSessionOptional: boolean,
): string => `Isolated browser sessions and the dev server behind them.
1. create_session (command: "npm run dev" starts your app and returns its url). ${isSessionOptional ? 'With several sessions open, pass sessionId' : 'Pass sessionId to every other call'}.
2. navigate, then snapshot: act by its refs or by selector. Actions scroll to the element and wait until it is actionable; wait_for waits for the rest.
3. steps runs several calls in one turn: everything you already know how to do.
4. After the first snapshot actions return what they changed besides the values you entered: take no new one.
5. A failing call returns its code, the next step, and evidence: console, requests, server log, a screenshot's path.
6. To find a cause: timeline, console_messages, network_requests, read_server_logs.
7. close_session stops everything it started. Durations are milliseconds.`

// Some clients accept a data: URL only in base64.
const iconSvg =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#223"/><path d="M8 2l5 11H3z" fill="#fd6"/></svg>'
const icon = `data:image/svg+xml;base64,${btoa(iconSvg)}`

// These lists do not change while the process runs, and are the same for all clients.
const constantList: CacheHint = { ttlMs: 3_600_000, cacheScope: 'public' }

/** A server whose sessions belong to `owner` and whose calls count for the rate limits of `client`. */
export function createServer(
  options: ServerOptions,
  owner: string,
  { era, client = owner }: { readonly era: Era; readonly client?: string },
): Server {
  const { sessions, version, isSessionOptional } = options
  const server = new Server(
    {
      name: 'footlight',
      title: 'Footlight',
      version,
      icons: [{ src: icon, mimeType: 'image/svg+xml', sizes: ['any'] }],
    },
    {
      capabilities: {
        tools: {},
        resources: { subscribe: true, listChanged: true },
      },
      instructions: instructionsFor(isSessionOptional),
      jsonSchemaValidator: acceptAllValidator,
      cacheHints: {
        'server/discover': constantList,
        // It depends on whether the client renders apps.
        'tools/list': { ...constantList, cacheScope: 'private' },
        'resources/templates/list': constantList,
      },
    },
  )
  serveTools(server, options, { owner, client, era })
  serveResources(server, options, owner)
  if (era === 'legacy') serveSubscriptions(server, sessions, owner)
  return server
}

// --- internal ---

// The logs, the last snapshot and the files of sessions as MCP resources. A remote client reads here what it cannot read from a path.
function serveResources(server: Server, { sessions, apps = [] }: ServerOptions, owner: string): void {
  server.setRequestHandler('resources/list', async () => ({
    resources: await listResources(sessions, owner),
  }))
  server.setRequestHandler('resources/templates/list', async () => ({ resourceTemplates: TEMPLATES }))
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    const app = apps.find((one) => one.uri === uri)
    if (app) return readApp(app)
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
