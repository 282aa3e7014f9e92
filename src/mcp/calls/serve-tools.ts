// `tools/list` and `tools/call` of one server object.

import {
  INVALID_PARAMS,
  type CallToolRequestParams,
  type CallToolResult,
  type Server,
  type ServerContext,
  type Tool as ListedTool,
} from '@modelcontextprotocol/server'
import { suggestTool } from './unknown-tool.ts'
import { createAskUser } from './ask-user.ts'
import { dispatch } from './dispatch.ts'
import { failureFormFor } from '../answers/failure-form.ts'
import { clientOf, type Era } from '../era.ts'
import type { ServerOptions } from '../server-options.ts'
import { clip } from '../../core/text/clip.ts'
import type { Caller } from '../../runtime/ports/tool-call.ts'

export interface ToolClient {
  readonly owner: string
  /** The key of the rate limits. */
  readonly client: string
  readonly era: Era
}

/** Serves the tools to a client of one era. */
export function serveTools(server: Server, options: ServerOptions, toolClient: ToolClient): void {
  const { tools, names, isSessionOptional, askHosts, suspendedCalls } = options
  const { client, era } = toolClient
  let toolList: Promise<ListedTool[]> | undefined
  server.setRequestHandler('tools/list', async () => {
    toolList ??= import('./tool-schema.ts').then(({ listTool }) =>
      tools.map((tool) => listTool(tool, names.spell(tool), isSessionOptional)),
    )
    return { tools: await toolList }
  })
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const { name, canElicit } = clientOf(server, context)
    const { id, signal, requestState, inputResponses } = context.mcpReq
    const round = { signal, progress: createProgress(context) }
    const run = (caller: Pick<Caller, 'signal' | 'progress' | 'ask'>) =>
      callTool(options, toolClient, name, params, caller)
    if (!askHosts || !canElicit) return run({ ...round, ask: undefined })
    if (era === 'legacy') return run({ ...round, ask: createAskUser(server, id) })
    const state = requestState()
    return state === undefined
      ? suspendedCalls.start(client, round, run)
      : suspendedCalls.resume(client, round, state, inputResponses)
  })
}

// --- internal ---

async function callTool(
  options: ServerOptions,
  { owner, client }: ToolClient,
  clientName: string | undefined,
  params: CallToolRequestParams,
  { signal, progress: sendProgress, ask }: Pick<Caller, 'signal' | 'progress' | 'ask'>,
): Promise<CallToolResult> {
  const { sessions, files, tests, secrets, names, formChanges } = options
  let isAnswered = false
  const progress = (message: string) => {
    if (!isAnswered) sendProgress(message)
  }
  const context = { caller: { owner, signal, progress, ask }, sessions, files, tests, secrets }
  const failureForm = { ...failureFormFor(clientName), ...formChanges }
  const result = await dispatch(
    { ...options, client, failureForm },
    params.name,
    params.arguments ?? {},
    context,
  )
  isAnswered = true
  if (result) return result
  const hint = suggestTool(names, params.name)
  const { redactText } = sessions.redactor(owner, undefined)
  throw Object.assign(new Error(`Unknown tool "${redactText(clip(params.name, 100))}". ${hint}`), {
    code: INVALID_PARAMS,
  })
}

// Progress is sent only to a client that gave a token for it.
function createProgress({ mcpReq }: ServerContext): (message: string) => void {
  const progressToken = mcpReq._meta?.progressToken
  let progress = 0
  return (message) => {
    if (progressToken === undefined) return
    progress += 1
    mcpReq
      .notify({ method: 'notifications/progress', params: { progressToken, progress, message } })
      .catch(() => {})
  }
}
