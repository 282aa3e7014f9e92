// A real MCP client over a real process's stdio.

import { mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { type CallToolResult, ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import type { TestBrowser } from './engines.ts'
import { type Trace, trace } from './leftovers.ts'

export const binary = resolve(import.meta.dir, '../../dist/footlight')

export interface Answer {
  readonly failed: boolean
  readonly data: any
  readonly result: CallToolResult
}

export interface Peer {
  readonly client: Client
  readonly pid: number
  readonly trace: Trace
  stderr(): string
  call(tool: string, input?: Record<string, unknown>): Promise<Answer>
  /** A session, by id. */
  session(options?: Record<string, unknown>): Promise<string>
  /** Ends the connection and fails if anything is left of the server. */
  close(): Promise<void>
}

export interface Start {
  readonly command?: readonly [string, ...string[]]
  readonly args?: readonly string[]
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  /** Whether the client can ask its user. */
  readonly elicitation?: boolean
  /** What else it can do. */
  readonly extensions?: Readonly<Record<string, object>>
  /** The name that the client gives itself. */
  readonly name?: string
  /** The folders that it names as its roots. */
  readonly roots?: readonly string[]
}

/** Five or thirty seconds are too few for what a slow machine does with a page or a browser; a benchmark keeps them. */
export const patience: Readonly<Record<string, string>> =
  process.env['NODE_ENV'] === 'test'
    ? {
        FOOTLIGHT_ACTION_TIMEOUT: '60000',
        FOOTLIGHT_NAVIGATION_TIMEOUT: '90000',
        FOOTLIGHT_LAUNCH_TIMEOUT: '120000',
      }
    : {}

/** The data of an answer; one with a picture has it as text alone, and that of another program may have none. */
export function dataOf({ structuredContent, content: [first] }: CallToolResult): Answer['data'] {
  if (structuredContent !== undefined || first?.type !== 'text') return structuredContent
  try {
    return JSON.parse(first.text)
  } catch {
    return undefined
  }
}

/** The data of a call that must succeed. */
export async function callOrThrow(
  { call }: Pick<Peer, 'call'>,
  tool: string,
  input: Record<string, unknown> = {},
): Promise<Answer['data']> {
  const { failed, data } = await call(tool, input)
  if (failed) throw new Error(`${tool}: ${JSON.stringify(data)}`)
  return data
}

/** Starts the built binary, headless unless `args` says otherwise, and connects. */
export async function connect({
  command = [binary],
  args = ['--headless'],
  cwd,
  env = {},
  elicitation = false,
  extensions,
  name = 'footlight-test',
  roots,
}: Start = {}): Promise<Peer> {
  const [program, ...before] = command
  const left = trace()
  const transport = new StdioClientTransport({
    command: program,
    args: [...before, ...args],
    stderr: 'pipe',
    // A page opened ahead costs time of a processor, and most tests have one session.
    env: {
      ...(process.env as Record<string, string>),
      ...patience,
      FOOTLIGHT_WARM: '0',
      ...left.env,
      ...env,
    },
    ...(cwd !== undefined && { cwd }),
  })
  let errors = ''
  transport.stderr?.on('data', (chunk) => (errors += String(chunk)))
  const client = new Client(
    { name, version: '1' },
    {
      capabilities: {
        ...(elicitation && { elicitation: { form: {} } }),
        ...(extensions && { extensions: { ...extensions } }),
        ...(roots && { roots: {} }),
      },
    },
  )
  if (roots)
    client.setRequestHandler(ListRootsRequestSchema, () => ({
      roots: roots.map((folder) => ({ uri: pathToFileURL(folder).href })),
    }))
  await client.connect(transport)
  const call: Peer['call'] = async (tool, input = {}) => {
    const result = (await client.callTool({ name: tool, arguments: input }, undefined, {
      // A comparison on a machine that is busy with others takes minutes.
      timeout: 300_000,
    })) as CallToolResult
    const data = dataOf(result)
    return { failed: result.isError === true, data, result }
  }
  return {
    client,
    pid: transport.pid ?? 0,
    trace: left,
    stderr: () => errors,
    call,
    session: async (options) => (await callOrThrow({ call }, 'create_session', options)).sessionId,
    async close() {
      await client.close()
      await left.expectNothing()
    },
  }
}

/** The data of a failing call with this part of its evidence. A busy machine may not gather it in its second; then the call is repeated. */
export async function readEvidence(fail: () => Promise<Answer>, part: string): Promise<Answer['data']> {
  for (let round = 0; ; round += 1) {
    const { data } = await fail()
    if (data.evidence?.[part] !== undefined || round === 20) return data
  }
}

/** Closes the sessions of a server that tests share; that a dev server does not end is no failure of theirs. */
export async function closeSessions(peer: Peer): Promise<void> {
  const { sessions } = await callOrThrow(peer, 'list_sessions')
  for (const { sessionId } of sessions) await peer.call('close_session', { sessionId })
}

/** A server that test files share, and the folder that it has as workspace. */
export interface SharedPeer extends Peer {
  readonly folder: string
}

const sharedPeers = new Map<TestBrowser, SharedPeer>()

/** A peer of a server that the test files of this process share: sessions are isolated from each other. `close` closes the sessions and
 * empties the folder; the server ends with the process. For tests that do not need the options of a server of their own. */
export async function share(browser: TestBrowser = 'chromium'): Promise<SharedPeer> {
  const peer = sharedPeers.get(browser) ?? (await startShared(browser))
  sharedPeers.set(browser, peer)
  const close = async () => {
    await closeSessions(peer)
    for (const name of readdirSync(peer.folder)) rmSync(join(peer.folder, name), { recursive: true })
  }
  return { ...peer, close }
}

async function startShared(browser: TestBrowser): Promise<SharedPeer> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fl-shared-')))
  const args = ['--headless', '--browser', browser, '--tools', '+mouse']
  const env = { FOOTLIGHT_WARM: browser === 'firefox' ? '0' : '1' }
  return { ...(await connect({ args, cwd: folder, env })), folder }
}
