import process from 'node:process'
import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'

/** Serves one connection over stdin and stdout. Settles when the client has closed stdin, which the SDK does not watch for. */
export async function serveStdio(server: Server): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve)
    process.stdin.once('close', resolve)
    process.stdout.once('error', () => resolve())
  })
  await server.connect(new StdioServerTransport())
  await ended
}
