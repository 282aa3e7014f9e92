// The client of the SDK's second major version, which speaks protocol revision 2026-07-28.

import process from 'node:process'
import {
  type CallToolResult,
  Client,
  type ElicitRequest,
  type ElicitResult,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { binary } from './client.ts'
import { trace } from './leftovers.ts'

export const MODERN_REVISION = '2026-07-28'

/** The keys that every request of this revision has in its `_meta`. */
export const modernMeta = {
  'io.modelcontextprotocol/protocolVersion': MODERN_REVISION,
  'io.modelcontextprotocol/clientInfo': { name: 'modern', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

export interface ModernPeer {
  readonly client: Client
  call(tool: string, input?: Record<string, unknown>): Promise<{ failed: boolean; data: any }>
  close(): Promise<void>
}

type AnswerForm = (request: ElicitRequest) => Promise<ElicitResult> | ElicitResult

async function createPeer(transport: Transport, answerForm?: AnswerForm): Promise<ModernPeer> {
  const client = new Client(
    { name: 'modern', version: '1' },
    {
      versionNegotiation: { mode: { pin: MODERN_REVISION } },
      ...(answerForm && { capabilities: { elicitation: { form: {} } } }),
    },
  )
  if (answerForm) client.setRequestHandler('elicitation/create', async (request) => answerForm(request))
  await client.connect(transport)
  return {
    client,
    async call(tool, input = {}) {
      const result: CallToolResult = await client.callTool(
        { name: tool, arguments: input },
        { timeout: 120_000 },
      )
      return { failed: result.isError === true, data: result.structuredContent }
    },
    close: () => client.close(),
  }
}

/** Starts the binary and connects over stdio; `close` fails if anything is left of it. */
export async function connectModern(
  args: readonly string[] = [],
  answerForm?: AnswerForm,
): Promise<ModernPeer> {
  const left = trace()
  const peer = await createPeer(
    new StdioClientTransport({
      command: binary,
      args: ['--headless', ...args],
      stderr: 'ignore',
      env: { ...(process.env as Record<string, string>), ...left.env },
    }),
    answerForm,
  )
  return {
    ...peer,
    async close() {
      await peer.close()
      await left.expectNothing()
    },
  }
}

export const connectModernOverHttp = (
  url: URL,
  token?: string,
  answerForm?: AnswerForm,
): Promise<ModernPeer> =>
  createPeer(
    new StreamableHTTPClientTransport(
      url,
      token === undefined ? {} : { requestInit: { headers: { authorization: `Bearer ${token}` } } },
    ),
    answerForm,
  )
