// One MCP server object: for one connection of the legacy era, for one request of the modern era over HTTP. The SDK's low-level Server is
// used because its high-level one lists every name it can call.

import { Server, type CacheHint } from '@modelcontextprotocol/server'
import { acceptAllValidator } from './calls/ask-user.ts'
import type { ServerOptions } from './server-options.ts'
import { serveTools } from './calls/serve-tools.ts'
import type { Era } from './era.ts'
import { servePrompts } from './prompts.ts'
import { serveResources } from './resources/resources.ts'
import { serveSubscriptions } from './resources/subscriptions.ts'

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
        prompts: {},
        completions: {},
      },
      instructions: instructionsFor(isSessionOptional),
      jsonSchemaValidator: acceptAllValidator,
      cacheHints: {
        'server/discover': constantList,
        'tools/list': constantList,
        'prompts/list': constantList,
        'resources/templates/list': constantList,
      },
    },
  )
  serveTools(server, options, { owner, client, era })
  serveResources(server, sessions, owner)
  if (era === 'legacy') serveSubscriptions(server, sessions, owner)
  servePrompts(server, sessions, owner)
  return server
}
