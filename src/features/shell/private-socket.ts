// MCP on a socket that only the user can reach, for the commands of the shell and for programs of this user. The client speaks first and says
// who it is; to anything else, such as the request of a web page, nothing is said.

import { lstatSync, rmSync } from 'node:fs'
import { chmod, rename } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { dirname } from 'node:path'
import process from 'node:process'
import type { JSONRPCMessage } from '@modelcontextprotocol/server'
import { type ConnectionOptions, serveConnection } from '../../core/mcp/stdio.ts'
import type { ShellAnswer } from '../lib/socket/shell-answer.ts'
import {
  commandOfMessage,
  formatAnswer,
  HELLO_LIMIT_BYTES,
  type ShellCommandLine,
  versionOfHello,
  VIEW_METHOD,
} from '../lib/socket/shell-message.ts'

interface CommandCaller {
  /** The version of its program. */
  readonly version: string
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal
  readonly progress: (message: string) => void
}

export type AnswerCommand = (command: ShellCommandLine, caller: CommandCaller) => Promise<ShellAnswer>

/** Checks the parameters of a call of a view, and answers it. */
export type AnswerView = (params: unknown, signal: AbortSignal) => Promise<object>

interface PrivateSocketOptions extends ConnectionOptions {
  readonly path: string
  readonly answerCommand: AnswerCommand
  readonly answerView: AnswerView
}

export interface PrivateSocket {
  /** The number of open connections. */
  count(): number
  close(): void
}

/** Listens on a socket in a folder that is the user's alone. Rejects where the system refuses that. */
export async function listenOnPrivateSocket(options: PrivateSocketOptions): Promise<PrivateSocket> {
  const { path } = options
  const connections = new Set<Socket>()
  const isPipe = process.platform === 'win32'
  const server = createServer((socket) => {
    // With loosened modes it could be another user.
    if (!isPipe && !isPrivate(path)) return void socket.destroy()
    connections.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => connections.delete(socket))
    readHello(socket, (version) => serveClient(socket, version, options))
  })
  // The socket gets its name once it listens and has its mode, so that whoever finds it can use it.
  const startingPath = isPipe ? path : `${path}~`
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(startingPath, resolve)
  })
  if (!isPipe) {
    await chmod(startingPath, 0o600)
    await rename(startingPath, path)
  }
  server.on('error', () => {})
  return {
    count: () => connections.size,
    close() {
      if (!isPipe) rmSync(path, { force: true })
      server.close()
      for (const connection of connections) connection.destroy()
    },
  }
}

// --- internal ---

const NEWLINE = 10

/** Whether nobody but the user reaches the socket, by the modes and owners of its folder and its own. */
const isPrivate = (path: string): boolean =>
  [dirname(path), path].every((one) => {
    const status = lstatSync(one, { throwIfNoEntry: false })
    return status !== undefined && status.uid === process.getuid?.() && (status.mode & 0o077) === 0
  })

/** Calls back with the version of a client that begins as one, with the rest of its bytes back in the socket; cuts off any other. */
function readHello(socket: Socket, onHello: (version: string) => void): void {
  let bytes = Buffer.alloc(0)
  const read = (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk])
    const end = bytes.indexOf(NEWLINE)
    if (end < 0 && bytes.length < HELLO_LIMIT_BYTES) return
    socket.off('data', read)
    socket.pause()
    const version = end < 0 ? undefined : versionOfHello(bytes.subarray(0, end).toString('latin1'))
    if (version === undefined) return void socket.destroy()
    socket.unshift(bytes.subarray(end + 1))
    onHello(version)
  }
  socket.on('data', read)
}

function serveClient(socket: Socket, version: string, options: PrivateSocketOptions): void {
  const abort = new AbortController()
  socket.once('close', () => abort.abort())
  const takeViewMessage = createViewMessages(options.answerView, abort.signal)
  const takeMessage = (message: JSONRPCMessage, send: (message: JSONRPCMessage) => void): boolean => {
    if (takeViewMessage(message, send)) return true
    const request = commandOfMessage(message)
    if (!request) return false
    const { id, command } = request
    let progress = 0
    const showProgress = (text: string) => {
      progress += 1
      const params = { progressToken: id, progress, message: text }
      send({ jsonrpc: '2.0', method: 'notifications/progress', params })
    }
    void options
      .answerCommand(command, { version, signal: abort.signal, progress: showProgress })
      .then((answer) => send({ jsonrpc: '2.0', id, result: formatAnswer(answer) } as JSONRPCMessage))
    return true
  }
  void serveConnection(socket, socket, { ...options, takeMessage }).then(() => socket.end())
}

/** Answers the calls of a view until they are cancelled or the connection ends. */
function createViewMessages(answerView: AnswerView, closed: AbortSignal) {
  const running = new Map<unknown, AbortController>()
  closed.addEventListener('abort', () => running.forEach((call) => call.abort()))
  return (message: JSONRPCMessage, send: (message: JSONRPCMessage) => void): boolean => {
    const { id, method, params } = message as { id?: string | number; method?: string; params?: object }
    if (method === 'notifications/cancelled') {
      const call = running.get((params as { requestId?: unknown } | undefined)?.requestId)
      call?.abort()
      return call !== undefined
    }
    if (method !== VIEW_METHOD || id === undefined) return false
    const abort = new AbortController()
    running.set(id, abort)
    void answerView(params, abort.signal).then((answer) => {
      running.delete(id)
      if (!abort.signal.aborted) send({ jsonrpc: '2.0', id, result: { ...answer } })
    })
    return true
  }
}
