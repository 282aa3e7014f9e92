import process from 'node:process'
import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { ErrorCode } from '@modelcontextprotocol/sdk/types.js'
import { watchFirstAnswer } from './first-answer.ts'
import { limitLineLength } from './line-limit.ts'

const MESSAGE_LIMIT_BYTES = 64 * 1024 * 1024

/** Serves one connection over stdin and stdout. Resolves when the client has closed stdin, which the SDK does not handle, or when the SDK
 * has closed the connection. `onFirstAnswer` is called as soon as the tools have been listed or one has been called. */
export async function serveStdio(
  server: Server,
  onError: (error: Error) => void,
  onFirstAnswer: () => void,
): Promise<void> {
  const disconnection = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve)
    process.stdin.once('close', resolve)
    process.stdout.once('error', () => resolve())
    const { onclose } = server
    server.onclose = () => {
      onclose?.()
      resolve()
    }
  })
  server.onerror = onError
  const lines = limitLineLength(MESSAGE_LIMIT_BYTES, rejectLongMessage)
  process.stdin.pipe(lines)
  const limits = { maxBufferSize: MESSAGE_LIMIT_BYTES + 1 }
  const transport = new StdioServerTransport(lines as unknown as NodeJS.ReadStream, process.stdout, limits)
  watchFirstAnswer(transport, onFirstAnswer)
  await server.connect(transport)
  await disconnection
}

// The id is null because the message was not parsed.
function rejectLongMessage(): void {
  const message = `the maximum message size is ${MESSAGE_LIMIT_BYTES} bytes; this message was dropped`
  const error = { jsonrpc: '2.0', id: null, error: { code: ErrorCode.InvalidRequest, message } }
  process.stdout.write(`${JSON.stringify(error)}\n`)
}
