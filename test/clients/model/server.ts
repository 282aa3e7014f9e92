// A model on loopback that plays a script. It keeps every request, so that a test sees what a model would see.

import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fillSessionId, lastWords, type Step } from '../script.ts'
import type { ModelApi, ModelRequest, Part, Turn } from './api.ts'

export interface Recorded {
  readonly method: string
  readonly path: string
  readonly body: string
  /** What it asks of the model; undefined where it is something else. */
  readonly request?: ModelRequest
}

export interface ScriptedModel {
  /** Its origin. */
  readonly url: string
  readonly recorded: readonly Recorded[]
  /** What the model was given for each step, when it was first given it. */
  answers(): readonly (readonly Part[])[]
  close(): void
}

/** Serves a model that takes these steps, one in each turn. `prefix` is how the names of tools begin that a request does not list. */
export async function serveModel(
  api: ModelApi,
  steps: readonly Step[],
  prefix?: string,
): Promise<ScriptedModel> {
  const recorded: Recorded[] = []
  const server = createServer(async (request, response) => {
    const path = (request.url ?? '/').split('?')[0] ?? '/'
    const body = await textOf(request)
    const method = request.method ?? 'GET'
    const asked = method === 'POST' && api.path.test(path) ? api.read(JSON.parse(body), path) : undefined
    recorded.push({ method, path, body, ...(asked && { request: asked }) })
    if (!asked)
      return void response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":{}}')
    const step = steps[asked.answers.length]
    const turn = turnOf(asked, step && fillSessionId(step, asked.answers), `call_${recorded.length}`, prefix)
    const { contentType, body: reply } = api.reply(turn, asked.isStreamed)
    response.writeHead(200, { 'content-type': contentType }).end(reply)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    recorded,
    answers: () => steps.map((_, index) => answerOf(recorded, index)),
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

// --- internal ---

const answerOf = (recorded: readonly Recorded[], step: number): readonly Part[] =>
  recorded.find(({ request }) => (request?.answers.length ?? 0) > step)?.request?.answers[step] ?? []

function turnOf(
  { tools, wantsJson }: ModelRequest,
  step: Step | undefined,
  id: string,
  prefix: string | undefined,
): Turn {
  // Clients ask questions of their own beside the conversation: for a title, or who speaks next.
  if (wantsJson) return { type: 'text', id, text: '{"reasoning":"scripted","next_speaker":"user"}' }
  const unlisted = step && prefix !== undefined && tools.length > 0 ? `${prefix}${step.tool}` : undefined
  const tool = step && (listedAs(step.tool, tools) ?? unlisted)
  if (!step || tool === undefined) return { type: 'text', id, text: lastWords }
  return { type: 'call', id, tool, input: step.input }
}

// Clients put the name of the server before that of the tool, each in its own way.
function listedAs(tool: string, tools: readonly string[]): string | undefined {
  const named = tools.filter((name) => name === tool || new RegExp(`[_.:/-]${tool}$`).test(name))
  return named.find((name) => name.includes('footlight')) ?? named[0]
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
