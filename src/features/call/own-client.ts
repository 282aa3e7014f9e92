// This program as its own client: it starts itself as a server over stdio, or speaks to one that runs.

import process from 'node:process'
import {
  Client,
  SdkError,
  SdkHttpError,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { VERSION } from '../../core/cli/options/version.ts'
import { selfCommand } from '../../core/cli/terminal/start-command.ts'

/** Starts a server of its own, headless unless `raw` says otherwise. */
export function createOwnServerTransport(raw: readonly string[]): Transport {
  const hasHeadlessFlag = raw.some((arg) => /^--(no-)?headless/.test(arg))
  const command = selfCommand([
    ...raw,
    ...(hasHeadlessFlag ? [] : ['--headless']),
    '--transport=stdio',
    '--no-socket',
  ])
  const env = { ...process.env } as Record<string, string>
  return new StdioClientTransport({ ...command, stderr: 'inherit', env })
}

/** A server that runs at `url`; FOOTLIGHT_TOKEN is shown to it where it is set. */
export function createHttpTransport(url: URL): Transport {
  const token = process.env['FOOTLIGHT_TOKEN']
  const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {}
  // The transport's type is looser than the interface that it implements.
  return new StreamableHTTPClientTransport(url, { requestInit: { headers } }) as Transport
}

export async function connectClient(transport: Transport): Promise<Client> {
  const client = new Client({ name: 'footlight-cli', version: VERSION })
  await client.connect(transport)
  return client
}

/** Why nothing can be called at `url`, and what to do. */
export function describeNoServer(url: URL, error: Error): string {
  const status = SdkHttpError.isInstance(error) ? error.status : undefined
  if (status === 401 || status === 403)
    return `the server at ${url} refuses this client (${status}). Set FOOTLIGHT_TOKEN to its token`
  if (SdkError.isInstance(error)) {
    const path = url.pathname === '/mcp' ? '' : '. The path of a Footlight server is /mcp'
    return `${url} is no MCP server (${status ?? error.message})${path}`
  }
  const port = url.port === '' ? '' : ` ${url.port}`
  return `no server answers at ${url}. Start one: footlight --http${port}`
}
