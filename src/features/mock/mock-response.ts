// The response of a mock as a pure function of its answer and, if it changes one, of the response of the server.

import { formatEventStream } from './event-stream.ts'
import { applyMergePatch } from './merge-patch.ts'
import type { BodyFile, MockAnswer } from './mock-rule.ts'

export interface MockResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

/** The response of a server, whose body is decoded. `json` is the value of the body, if it is JSON. */
export interface ServerResponse extends MockResponse {
  readonly json?: unknown
}

const TEXT_TYPE = 'text/plain; charset=utf-8'
const HTML_TYPE = 'text/html; charset=utf-8'

/** Headers that describe how a body was sent, and not the body. */
const TRANSFER_HEADERS = new Set(['content-length', 'content-encoding', 'transfer-encoding'])

/** The response of an answer; `server` is the response that it changes. */
export function createMockResponse(
  answer: MockAnswer,
  file: BodyFile | undefined,
  isEventSource: boolean,
  server?: ServerResponse,
): MockResponse {
  const content = contentOf(answer, file, isEventSource, server)
  const serverHeaders = lowerCaseNames(server?.headers ?? {})
  const headers = Object.fromEntries(
    Object.entries(serverHeaders).filter(([name]) => !TRANSFER_HEADERS.has(name)),
  )
  const contentType = content.type ?? headers['content-type']
  return {
    status: answer.status ?? server?.status ?? 200,
    headers: {
      ...headers,
      ...(contentType !== undefined && { 'content-type': contentType }),
      ...(answer.stream && { 'cache-control': 'no-store' }),
      ...lowerCaseNames(answer.headers ?? {}),
    },
    body: content.body,
  }
}

// --- internal ---

interface Content {
  readonly body: string | Uint8Array
  readonly type?: string
}

function contentOf(
  { body, json, stream }: MockAnswer,
  file: BodyFile | undefined,
  isEventSource: boolean,
  server: ServerResponse | undefined,
): Content {
  if (json !== undefined) {
    const value = server ? applyMergePatch(server.json, json) : json
    return { body: JSON.stringify(value) ?? 'null', type: 'application/json' }
  }
  if (stream)
    return { body: formatEventStream(stream, isEventSource), type: 'text/event-stream; charset=utf-8' }
  if (file) return { body: file.bytes, type: file.mimeType }
  if (body !== undefined)
    return server ? { body } : { body, type: /^\s*</.test(body) ? HTML_TYPE : TEXT_TYPE }
  return server ? { body: server.body } : { body: '', type: TEXT_TYPE }
}

const lowerCaseNames = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
