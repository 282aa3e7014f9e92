// The binary as an HTTP server, and clients of it.

import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import process from 'node:process'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { type Answer, binary, callOrThrow, dataOf, patience } from './client.ts'
import { type Trace, trace, until } from './leftovers.ts'

export interface HttpServer {
  /** Of /mcp. */
  readonly url: URL
  readonly port: number
  /** The port that it listens on, where its public address has another one. */
  readonly own: number
  readonly pid: number
  readonly trace: Trace
  stderr(): string
  /** Its exit code, once it has ended. */
  readonly ended: Promise<number>
  /** Ends it and fails if anything is left; answers its exit code. */
  close(signal?: NodeJS.Signals): Promise<number | null>
}

export async function serveOverHttp(
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
  cwd = process.cwd(),
): Promise<HttpServer> {
  const left = trace()
  const child = Bun.spawn([binary, '--headless', '--http', '0', ...args], {
    cwd,
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
    env: { ...(process.env as Record<string, string>), ...patience, ...left.env, ...env },
  })
  let errors = ''
  const reading = (async () => {
    for await (const chunk of child.stderr) errors += new TextDecoder().decode(chunk)
  })()
  const listening = () => /serving (http:\S+)/.exec(errors)?.[1]
  if (!(await until(() => listening() !== undefined || child.exitCode !== null)) || !listening())
    throw new Error(`the server did not come up: ${errors}`)
  const url = new URL(listening() ?? '')
  return {
    url,
    port: Number(url.port),
    own: await ownPort(child.pid, Number(url.port)),
    pid: child.pid,
    trace: left,
    stderr: () => errors,
    ended: child.exited,
    async close(signal = 'SIGTERM') {
      child.kill(signal)
      await child.exited
      await reading
      // Whoever is killed has its folder removed by what it left to watch.
      await until(() => readdirSync(left.folder).length === 0)
      await left.expectNothing()
      return child.exitCode
    },
  }
}

// Its public address may be that of a proxy before it, and it has other listeners: the one that serves HTTP numbers its answers.
async function ownPort(pid: number, named: number): Promise<number> {
  const ports = listeningPorts(pid)
  if (ports.includes(named)) return named
  for (const port of ports) {
    const answer = await fetch(`http://127.0.0.1:${port}/health`).catch(() => undefined)
    if (answer?.headers.has('x-request-id')) return port
  }
  return named
}

function listeningPorts(pid: number): number[] {
  const inodes = new Set(
    readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? []
      } catch {
        return []
      }
    }),
  )
  const rows = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((row) => row.trim().split(/\s+/))
  const own = rows.filter((row) => row[3] === '0A' && inodes.has(row[9] ?? ''))
  return own.map((row) => Number.parseInt(row[1]?.split(':')[1] ?? '', 16))
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
    return { failed: result.isError === true, data: dataOf(result), result }
  }
  return {
    client,
    transport,
    call,
    session: async (options) => (await callOrThrow({ call }, 'create_session', options)).sessionId,
    close: () => client.close(),
  }
}
