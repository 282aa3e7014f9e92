// The Node processes and threads of a server that count what runs: each connects to a socket of Footlight as it starts.

import { mkdirSync, unlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import process from 'node:process'
import { createLineReader } from '../../../core/base/text/line-reader.ts'
import {
  countBlocks,
  type CountedFunctions,
  type CoverageAnswer,
  type CoverageQuestion,
  installCoverage,
  type ProcessGreeting,
} from './install-coverage.ts'

export interface ServerProcess extends ProcessGreeting {
  /** What ran since the last call. */
  take(): Promise<readonly CountedFunctions[]>
  readTexts(scriptIds: readonly string[]): Promise<Readonly<Record<string, string>>>
}

export interface ServerProcesses {
  /** The file that each process must load first. */
  readonly preload: string
  /** Where they connect to. */
  readonly socket: string
  /** Those that run. */
  list(): readonly ServerProcess[]
  end(): Promise<void>
}

/** What reads all processes when a client at the socket waits for it. */
export type Flush = (reason: string) => Promise<void>

/** The server is given nothing else than the preload; the folder must be readable by nobody else. */
export async function listenToProcesses(folder: string, flush: Flush): Promise<ServerProcesses> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const isWindows = process.platform === 'win32'
  const address = isWindows ? `\\\\.\\pipe\\footlight-${crypto.randomUUID()}` : join(folder, 'coverage')
  const processes = new Map<Socket, ServerProcess>()
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    connectProcess(socket, flush, (one) => void processes.set(socket, one))
    socket.on('close', () => {
      sockets.delete(socket)
      processes.delete(socket)
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(address, resolve)
  })
  server.on('error', () => {})
  server.unref()
  const preload = join(folder, 'count-server-code.cjs')
  const parameters = `require, ${JSON.stringify(address)}, ${String(countBlocks)}`
  writeFileSync(preload, `;(${String(installCoverage)})(${parameters})\n`)
  return {
    preload,
    socket: address,
    list: () => [...processes.values()],
    async end() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
      if (!isWindows) removeSocket(address)
    },
  }
}

// --- internal ---

/** The answer of a server with more is no answer. */
const ANSWER_LIMIT_CHARS = 100_000_000

function connectProcess(socket: Socket, flush: Flush, onGreeting: (process: ServerProcess) => void): void {
  const waiting = new Map<number, (answer: CoverageAnswer | undefined) => void>()
  let [count, size, isGreeted] = [0, 0, false]
  const ask = (question: DistributiveOmit<CoverageQuestion, 'id'>) =>
    new Promise<CoverageAnswer | undefined>((resolve) => {
      const id = (count += 1)
      if (socket.destroyed) return resolve(undefined)
      waiting.set(id, resolve)
      socket.write(`${JSON.stringify({ id, ...question })}\n`)
    })
  const greet = (greeting: ProcessGreeting) =>
    onGreeting({
      ...greeting,
      take: async () => (await ask({ take: true }))?.scripts ?? [],
      readTexts: async (texts) => (await ask({ texts }))?.texts ?? {},
    })
  const read = createLineReader((line) => {
    size = 0
    try {
      const value = JSON.parse(line)
      if (isGreeted) {
        waiting.get(value.id)?.(value)
        waiting.delete(value.id)
      } else if ('flush' in value) void flush(String(value.flush)).finally(() => socket.end())
      else greet(value)
      isGreeted = true
    } catch {
      socket.destroy()
    }
  })
  socket.setEncoding('utf8')
  socket.on('data', (chunk: string) => {
    size += chunk.length
    if (size > ANSWER_LIMIT_CHARS) socket.destroy()
    else read(chunk)
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    for (const resolve of waiting.values()) resolve(undefined)
    waiting.clear()
  })
  socket.unref()
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never

function removeSocket(path: string): void {
  try {
    unlinkSync(path)
  } catch {
    // It is gone already.
  }
}
