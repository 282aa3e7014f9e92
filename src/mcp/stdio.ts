import process from 'node:process'
import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'

const LONGEST_MESSAGE = 64 * 1024 * 1024

/** Serves one connection over stdin and stdout. Settles when the client has closed stdin, which the SDK does not watch for, or when
 * the SDK has closed the connection, as it does after a message that is too long. */
export async function serveStdio(server: Server, onError: (error: Error) => void): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve)
    process.stdin.once('close', resolve)
    process.stdout.once('error', () => resolve())
    const closed = server.onclose
    server.onclose = () => {
      closed?.()
      resolve()
    }
  })
  server.onerror = onError
  await server.connect(
    new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: LONGEST_MESSAGE }),
  )
  await ended
}
