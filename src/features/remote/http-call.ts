import { parseJson } from '../../core/base/text/json.ts'
import type { HttpCall } from './remote-release.ts'

/** Sends a call and returns its answer, JSON or undefined. Throws with the reason if there is none in time, or one of a failure. */
export async function sendCall(
  { method, url, headers, body }: HttpCall,
  timeoutMs: number,
): Promise<unknown> {
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    // A redirect would take the headers to another host.
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch((error: Error) => {
    throw new Error(
      error.name === 'TimeoutError' ? `no answer within ${timeoutMs} ms` : describeNetworkError(error),
    )
  })
  const text = await readAnswer(response)
  if (!response.ok)
    throw Object.assign(new Error(describeStatus(response.status, text)), { status: response.status })
  return parseJson(text) ?? {}
}

const ANSWER_LIMIT_BYTES = 8_000_000

/** The text of an answer. Throws if it has no end. */
export async function readAnswer(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    // Leaving the loop ends the connection.
    if (size > ANSWER_LIMIT_BYTES) throw new Error(`its answer has more than ${ANSWER_LIMIT_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** The status of a refusal and the first words of its body. */
export function describeStatus(status: number, body: string): string {
  const words = /^\s*</.test(body) ? '' : body.trim().replace(/\s+/g, ' ').slice(0, 150)
  return [`HTTP status ${status}`, words].filter(Boolean).join(': ')
}

/** Why a request got no answer. */
export function describeNetworkError(error: Error & { code?: unknown; cause?: unknown }): string {
  const { code } = (error.cause ?? error) as { code?: unknown }
  return /REFUSED|Refused/.test(String(code ?? error.message)) ? 'the connection was refused' : error.message
}
