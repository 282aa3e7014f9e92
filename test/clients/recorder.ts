// What a client sends, over either transport: a script named footlight that copies its input to a file, and an HTTP server in front of the
// real one. Neither changes a message.

import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, request as forward } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Era } from '../../src/core/mcp/calls/era.ts'
import { binary } from '../support/client.ts'

const META_VERSION_KEY = 'io.modelcontextprotocol/protocolVersion'

interface Message {
  readonly method?: string
  readonly params?: {
    readonly protocolVersion?: string
    readonly _meta?: Readonly<Record<string, unknown>>
  }
}

export interface UsedEra {
  readonly era: Era
  readonly revision: string
}

export interface Recorder {
  /** The folder of the script, for PATH. */
  readonly folder: string
  /** The path of the script. */
  readonly command: string
  readonly messages: () => readonly Message[]
}

/** Creates the script below `root`; its standard input is recorded and passed on. */
export function recordStdio(root: string): Recorder {
  const folder = join(root, 'recorded')
  const file = join(folder, 'messages.jsonl')
  const command = join(folder, 'footlight')
  mkdirSync(folder)
  writeFileSync(command, `#!/bin/sh\ntee -a '${file}' | '${binary}' "$@"\n`)
  chmodSync(command, 0o755)
  return {
    folder,
    command,
    messages: () => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').flatMap(messagesIn) : []),
  }
}

/** Serves /mcp on a port of its own and passes all requests on to `url`. */
export async function recordHttp(
  url: URL,
): Promise<{ readonly url: string; readonly messages: () => readonly Message[]; close(): void }> {
  const messages: Message[] = []
  const server = createServer((incoming, outgoing) => {
    const { method, url: path, headers } = incoming
    const chunks: Buffer[] = []
    incoming.on('data', (chunk) => chunks.push(chunk))
    const passed = forward(
      { host: url.hostname, port: url.port, method, path, headers: { ...headers, host: url.host } },
      (response) => {
        outgoing.writeHead(response.statusCode ?? 502, response.headers)
        outgoing.flushHeaders()
        response.pipe(outgoing)
      },
    )
    passed.on('error', () => outgoing.destroy())
    outgoing.on('close', () => passed.destroy())
    incoming.on('end', () => messages.push(...messagesIn(Buffer.concat(chunks).toString('utf8'))))
    incoming.pipe(passed)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    messages: () => messages,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** The era and revision in which a client called its first tool; undefined if it called none. A probe of another era does not count. */
export function usedEraOf(messages: readonly Message[]): UsedEra | undefined {
  const call = messages.find(({ method }) => method === 'tools/call')
  if (!call) return undefined
  const revision = call.params?._meta?.[META_VERSION_KEY]
  if (typeof revision === 'string') return { era: 'modern', revision }
  const greeting = messages.find(({ method }) => method === 'initialize')
  return { era: 'legacy', revision: greeting?.params?.protocolVersion ?? 'unknown' }
}

// --- internal ---

function messagesIn(text: string): Message[] {
  if (text.trim() === '') return []
  try {
    const parsed = JSON.parse(text) as Message | Message[]
    return Array.isArray(parsed) ? parsed : [parsed]
  } catch {
    return []
  }
}
