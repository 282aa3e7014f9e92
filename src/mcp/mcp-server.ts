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
import { config } from 'zod/v4/core'
import { dispatch } from './calls/dispatch.ts'
import type { DispatchOptions } from './calls/run-tool.ts'
import { suggestTool } from './calls/unknown-tool.ts'
import { createAskUser, acceptAllValidator } from './calls/ask-user.ts'
import { servePrompts } from './prompts.ts'
import { failureFormFor, type FailureForm } from './answers/failure-form.ts'
import { serveResources } from './resources/resources.ts'
import { clip } from '../core/text/clip.ts'
import type { Secrets } from '../core/text/secret-placeholders.ts'
import type { SessionManager } from '../runtime/ports/session-manager.ts'
import type { Files } from '../runtime/ports/files.ts'
import type { Tool } from '../tools/define/tool.ts'

// The SDK validates messages with Zod, which would compile a function for each type of message before the first answer.
config({ jitless: true })

export interface ServerOptions extends DispatchOptions {
  readonly version: string
  readonly tools: readonly Tool[]
  readonly sessions: SessionManager
  readonly files: Files
  /** Whether the user is asked about hosts that no rule names. */
  readonly askHosts: boolean
  readonly secrets: Secrets
  /** Replaces the images of the client's failure form. */
  readonly failureImages?: FailureForm['images']
}

const instructionsFor = (
  isSessionOptional: boolean,
): string => `Isolated browser sessions and the dev server behind them.
1. create_session (command: "npm run dev" starts your app and returns its url). ${isSessionOptional ? 'With several sessions open, pass sessionId' : 'Pass sessionId to every other call'}.
2. navigate, then snapshot: act by its refs or by selector. Actions wait until the element is actionable; wait_for waits for the rest.
3. steps runs several calls in one turn: all you can do on the page as you know it.
4. After the first snapshot actions return what they changed besides the values you entered: take no new one.
5. A failing call returns its code, the next step, and evidence: console, requests, server log, a screenshot's path.
6. To find a cause: timeline, console_messages, network_requests, read_server_logs.
7. close_session stops everything it started. Durations are milliseconds.`

// Some clients accept a data: URL only in base64.
const iconSvg =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#223"/><path d="M8 2l5 11H3z" fill="#fd6"/></svg>'
const icon = `data:image/svg+xml;base64,${btoa(iconSvg)}`

/** A server whose sessions belong to `owner` and whose calls count for the rate limits of `client`. */
export function createServer(options: ServerOptions, owner: string, client = owner): Server {
  const { sessions, files, tools, names, version, isSessionOptional, askHosts, secrets } = options
  const failureForm = () => {
    const form = failureFormFor(server.getClientVersion()?.name)
    return options.failureImages ? { ...form, images: options.failureImages } : form
  }
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
    },
  )
  serveResources(server, sessions, owner)
  servePrompts(server, sessions, owner)
  let toolList: Promise<ListedTool[]> | undefined
  server.setRequestHandler(ListToolsRequestSchema, async () => {
    toolList ??= import('./calls/tool-schema.ts').then(({ listTool }) =>
      tools.map((tool) => listTool(tool, names.spell(tool), isSessionOptional)),
    )
    return { tools: await toolList }
  })
  server.setRequestHandler(
    CallToolRequestSchema,
    async ({ params }, { signal, sendNotification, requestId }) => {
      let isAnswered = false
      const sendProgress = createProgress(params._meta?.progressToken, sendNotification)
      const progress = (message: string) => !isAnswered && sendProgress(message)
      const ask = askHosts ? createAskUser(server, requestId) : undefined
      const context = { caller: { owner, signal, progress, ask }, sessions, files, secrets }
      const dispatchOptions = { ...options, client, failureForm: failureForm() }
      const result = await dispatch(dispatchOptions, params.name, params.arguments ?? {}, context)
      isAnswered = true
      if (result) return result
      const hint = suggestTool(names, params.name)
      // Not an McpError: it puts its code into the message, and so does the client again.
      const { redactText } = sessions.redactor(owner, undefined)
      throw Object.assign(new Error(`Unknown tool "${redactText(clip(params.name, 100))}". ${hint}`), {
        code: ErrorCode.InvalidParams,
      })
    },
  )
  return server
}

type Notify = (notification: ServerNotification) => Promise<void>

// Progress is sent only to a client that gave a token for it.
function createProgress(token: string | number | undefined, notify: Notify): (message: string) => void {
  let progress = 0
  return (message) => {
    if (token === undefined) return
    progress += 1
    notify({ method: 'notifications/progress', params: { progressToken: token, progress, message } }).catch(
      () => {},
    )
  }
}
