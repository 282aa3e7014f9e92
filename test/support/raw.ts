// The binary without an MCP client: bytes go in, lines come out. For what no client would do.

import { spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import process from 'node:process'
import { binary, patience } from './client.ts'
import { type Trace, trace } from './leftovers.ts'

export interface Raw {
  readonly pid: number
  readonly trace: Trace
  readonly exit: Promise<number | null>
  /** Resolves with the first chunk that comes out, which a poll would notice late. */
  readonly firstChunk: Promise<void>
  write(text: string): void
  send(message: object): void
  /** All that came out so far, line by line. */
  lines(): string[]
  /** The message with this id, once it is there. */
  answer(id: unknown, ms?: number): Promise<any>
  /** Ends stdin, and fails if anything is left. */
  close(): Promise<number | null>
}

export const initialize = {
  jsonrpc: '2.0',
  id: 'init',
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
}

export const toolCall = (id: unknown, name: string, input: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: input },
})

interface RawOptions {
  readonly greet?: boolean
  readonly env?: Readonly<Record<string, string>>
  /** The program, if it is not the binary. */
  readonly command?: readonly [string, ...string[]]
  readonly cwd?: string
}

/** Starts it; with `greet` it is initialised too. */
export async function startRaw(
  args: readonly string[] = [],
  { greet = true, env = {}, command = [binary], cwd }: RawOptions = {},
): Promise<Raw> {
  const left = trace()
  const [program, ...before] = command
  const child = spawn(program, [...before, '--headless', ...args], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...process.env, ...patience, ...left.env, ...env },
    ...(cwd !== undefined && { cwd }),
  })
  let out = ''
  const chunks = new EventEmitter()
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    out += chunk
    chunks.emit('chunk')
  })
  const firstChunk = new Promise<void>((resolve) => child.stdout.once('data', () => resolve()))
  child.stdin.on('error', () => {})
  const exit = new Promise<number | null>((done) => child.once('exit', done))
  const write = (text: string) => void child.stdin.write(text)
  const send = (message: object) => write(`${JSON.stringify(message)}\n`)
  const lines = () => out.split('\n').filter(Boolean)
  const answers = new Map<unknown, object>()
  let readChars = 0
  const find = (id: unknown) => {
    const end = out.lastIndexOf('\n') + 1
    for (const line of out.slice(readChars, end).split('\n').filter(Boolean)) {
      const message = JSON.parse(line)
      if (!answers.has(message.id)) answers.set(message.id, message)
    }
    readChars = end
    return answers.get(id)
  }
  const answer: Raw['answer'] = async (id, ms = 60_000) => {
    const signal = AbortSignal.timeout(ms)
    while (find(id) === undefined)
      await once(chunks, 'chunk', { signal }).catch(() => {
        throw new Error(`no answer to ${id}: ${out}`)
      })
    return find(id)
  }
  if (greet) {
    send(initialize)
    await answer('init')
    send({ jsonrpc: '2.0', method: 'notifications/initialized' })
  }
  return {
    pid: child.pid ?? -1,
    trace: left,
    exit,
    firstChunk,
    write,
    send,
    lines,
    answer,
    async close() {
      child.stdin.end()
      const code = await exit
      await left.expectNothing()
      return code
    },
  }
}
