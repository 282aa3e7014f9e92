// The binary as an HTTP server, and clients of it.

import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import process from 'node:process'
import { binary, type Answer } from './client.ts'
import { trace, until, type Trace } from './leftovers.ts'

export interface HttpServer {
  /** Of /mcp. */
  readonly url: URL
  readonly port: number
  readonly pid: number
  readonly trace: Trace
  stderr(): string
  /** Ends it and fails if anything is left; answers its exit code. */
  close(signal?: NodeJS.Signals): Promise<number | null>
}

export async function serveOverHttp(
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<HttpServer> {
  const left = trace()
  const child = Bun.spawn([binary, '--headless', '--http', '0', ...args], {
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
    env: { ...(process.env as Record<string, string>), ...left.env, ...env },
  })
  let errors = ''
  const reading = (async () => {
    for await (const chunk of child.stderr) errors += new TextDecoder().decode(chunk)
  })()
  const listening = () => /serving (http:\S+)/.exec(errors)?.[1]
  if (!(await until(() => listening() !== undefined || child.exitCode !== null, 10_000)) || !listening())
    throw new Error(`the server did not come up: ${errors}`)
  const url = new URL(listening() ?? '')
  return {
    url,
    port: Number(url.port),
    pid: child.pid,
    trace: left,
    stderr: () => errors,
    async close(signal = 'SIGTERM') {
      child.kill(signal)
      await child.exited
      await reading
      await left.expectNothing()
      return child.exitCode
    },
  }
}

export interface HttpPeer {
  readonly client: Client
  readonly transport: StreamableHTTPClientTransport
  call(tool: string, input?: Record<string, unknown>): Promise<Answer>
  session(options?: Record<string, unknown>): Promise<string>
  close(): Promise<void>
}

export async function connectOverHttp(url: URL, token?: string): Promise<HttpPeer> {
  const client = new Client({ name: 'footlight-test', version: '1' })
  const requestInit =
    token === undefined ? {} : { requestInit: { headers: { authorization: `Bearer ${token}` } } }
  const transport = new StreamableHTTPClientTransport(url, requestInit)
  await client.connect(transport as Transport)
  const call: HttpPeer['call'] = async (tool, input = {}) => {
    const result = (await client.callTool({ name: tool, arguments: input })) as CallToolResult
    return { failed: result.isError === true, data: result.structuredContent as Answer['data'], result }
  }
  return {
    client,
    transport,
    call,
    async session(options = {}) {
      const { failed, data } = await call('create_session', options)
      if (failed) throw new Error(`create_session: ${JSON.stringify(data)}`)
      return data.sessionId
    },
    close: () => client.close(),
  }
}
