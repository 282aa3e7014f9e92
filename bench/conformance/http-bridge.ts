// Serves a program that speaks MCP on stdio only over HTTP. Messages pass unchanged; each connection has a process of its own.

import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'

interface Launch {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** Serves on a free port of loopback; `close` ends all processes. */
export async function bridgeToHttp(
  launch: Launch,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const connections = new Map<string, StreamableHTTPServerTransport>()
  const programs: StdioClientTransport[] = []
  const open = async () => {
    const program = new StdioClientTransport({ ...launch, args: [...launch.args], stderr: 'ignore' })
    const front = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => void connections.set(id, front),
    })
    front.onmessage = (message) => void program.send(message).catch(() => {})
    program.onmessage = (message) => void front.send(message).catch(() => {})
    await Promise.all([front.start(), program.start()])
    programs.push(program)
    return front
  }
  const server = createServer(async (request, response) => {
    const body = await readJson(request)
    const known = connections.get(String(request.headers['mcp-session-id']))
    const isGreeting = body?.method === 'initialize'
    if (!known && !isGreeting) return void response.writeHead(400).end()
    await (known ?? (await open())).handleRequest(request, response, body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    async close() {
      server.close()
      server.closeAllConnections()
      await Promise.all(programs.map((program) => program.close()))
    },
  }
}

// --- internal ---

async function readJson(
  request: IncomingMessage,
): Promise<(JSONRPCMessage & { method?: string }) | undefined> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch {
    return undefined
  }
}
