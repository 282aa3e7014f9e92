// One MCP server object for one connection. The SDK's low-level Server is used because its high-level one lists every name it can
// call, and takes Zod only.

import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  type ServerNotification,
  type Tool as ListedTool,
} from '@modelcontextprotocol/sdk/types.js'
import { dispatch, type Dispatcher } from './dispatch.ts'
import type { Desk } from '../runtime/ports/desk.ts'
import type { Files } from '../runtime/ports/files.ts'
import type { Tool } from '../tools/tool.ts'

export interface ServerOptions extends Dispatcher {
  readonly version: string
  readonly tools: readonly Tool[]
  readonly desk: Desk
  readonly files: Files
}

const instructions = `Footlight gives you isolated browser sessions. create_session first; pass its sessionId to every other call; close_session when done.
Look with snapshot, then act by ref or selector. Actions wait until the element can be used; use wait_for for everything else.
A failing call answers { errorCode, message, details }; the message says the next step.`

/** A server whose sessions belong to `owner`. */
export function createServer(options: ServerOptions, owner: string): Server {
  const { desk, files, tools, names, version, implicitSession } = options
  const server = new Server(
    { name: 'footlight', title: 'Footlight', version },
    { capabilities: { tools: {} }, instructions },
  )
  let listed: Promise<ListedTool[]> | undefined
  server.setRequestHandler(ListToolsRequestSchema, async () => {
    listed ??= import('./schema.ts').then(({ listing }) =>
      tools.map((tool) => listing(tool, names.spell(tool), implicitSession)),
    )
    return { tools: await listed }
  })
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal, sendNotification }) => {
    let answered = false
    const told = progressOf(params._meta?.progressToken, sendNotification)
    const progress = (message: string) => !answered && told(message)
    const context = { owner, desk, files, signal, progress }
    const result = await dispatch(options, params.name, params.arguments ?? {}, context)
    answered = true
    if (result) return result
    const close = names.nearest(params.name)
    const hint = close ? ` Did you mean "${close}"?` : ' tools/list names them all.'
    // Not an McpError: that one puts its code into the text, and the client would do so again.
    throw Object.assign(new Error(`There is no tool "${params.name}".${hint}`), {
      code: ErrorCode.InvalidParams,
    })
  })
  return server
}

type Notify = (notification: ServerNotification) => Promise<void>

// Progress goes only to a client that gave a token for it.
function progressOf(token: string | number | undefined, notify: Notify): (message: string) => void {
  let progress = 0
  return (message) => {
    if (token === undefined) return
    progress += 1
    notify({ method: 'notifications/progress', params: { progressToken: token, progress, message } }).catch(
      () => {},
    )
  }
}
