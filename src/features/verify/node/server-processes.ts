// The Node processes and threads of a server that count what runs: each connects to a socket of Footlight as it starts.

import { mkdirSync, unlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import process from 'node:process'
import { formatJsonLine, readJsonLines } from '../../../core/base/system/json-lines.ts'
import { isRecord } from '../../../core/base/text/json.ts'
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
  readTexts(scriptIds: readonly string[]): Promise<ReadonlyMap<string, string>>
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
  const answers: Sum = { bytes: 0 }
  const server = createServer((socket) => {
    if (sockets.size >= CONNECTION_LIMIT) return void socket.destroy()
    sockets.add(socket)
    connectProcess(socket, answers, flush, (one) => void processes.set(socket, one))
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

/** More processes and threads than a server has. */
const CONNECTION_LIMIT = 200
/** More than a script of 50,000 functions takes. */
const LINE_LIMITS = { bytes: 10_000_000, values: 1_000_000 }
/** Of the last answers of all processes together. */
const ANSWERS_LIMIT_BYTES = 64_000_000
const SCRIPT_LIMIT = 10_000

/** How much all processes have answered. */
interface Sum {
  bytes: number
}

function connectProcess(
  socket: Socket,
  answers: Sum,
  flush: Flush,
  onGreeting: (process: ServerProcess) => void,
): void {
  let [count, ownBytes, isGreeted] = [0, 0, false]
  let waiting: { id: number; parts: CoverageAnswer[]; resolve(parts: readonly CoverageAnswer[]): void }[] = []
  const noteBytes = (bytes: number) => {
    answers.bytes += bytes
    ownBytes += bytes
  }
  const ask = (question: DistributiveOmit<CoverageQuestion, 'id'>) =>
    new Promise<readonly CoverageAnswer[]>((resolve) => {
      if (socket.destroyed) return resolve([])
      if (waiting.length === 0) noteBytes(-ownBytes)
      waiting.push({ id: (count += 1), parts: [], resolve })
      socket.write(formatJsonLine({ id: count, ...question }))
    })
  const greet = (greeting: ProcessGreeting) =>
    onGreeting({
      ...greeting,
      take: async () => (await ask({ take: true })).flatMap(({ script }) => script ?? []),
      readTexts: async (texts) => new Map((await ask({ texts })).flatMap(({ text }) => (text ? [text] : []))),
    })
  function answer(part: CoverageAnswer, size: number): void {
    const question = waiting.find(({ id }) => id === part.id)
    noteBytes(size)
    // Nobody has asked for it, or for so much.
    if (!question || answers.bytes > ANSWERS_LIMIT_BYTES || question.parts.length > SCRIPT_LIMIT)
      return void socket.destroy()
    if (part.script || part.text) return void question.parts.push(part)
    waiting = waiting.filter((one) => one !== question)
    question.resolve(question.parts)
  }
  readJsonLines(socket, LINE_LIMITS, (line) => {
    const value = 'value' in line ? line.value : undefined
    if (isGreeted && isAnswer(value)) return answer(value, 'size' in line ? line.size : 0)
    if (!isGreeted && isGreeting(value)) greet(value)
    else if (!isGreeted && isRecord(value) && typeof value['flush'] === 'string')
      void flush(value['flush']).finally(() => socket.end())
    else socket.destroy()
    isGreeted = true
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    noteBytes(-ownBytes)
    for (const { resolve } of waiting) resolve([])
    waiting = []
  })
  socket.unref()
}

const isGreeting = (value: unknown): value is ProcessGreeting =>
  isRecord(value) &&
  [value['pid'], value['threadId'], value['startedAt']].every(Number.isSafeInteger) &&
  typeof value['cwd'] === 'string'

const isAnswer = (value: unknown): value is CoverageAnswer =>
  isRecord(value) &&
  (value['script'] === undefined || isScript(value['script'])) &&
  (value['text'] === undefined || isTextOfScript(value['text']))

const isScript = (value: unknown): boolean =>
  isRecord(value) &&
  typeof value['scriptId'] === 'string' &&
  typeof value['url'] === 'string' &&
  Array.isArray(value['functions'])

const isTextOfScript = (value: unknown): boolean =>
  Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === 'string')

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never

function removeSocket(path: string): void {
  try {
    unlinkSync(path)
  } catch {
    // It is gone already.
  }
}
