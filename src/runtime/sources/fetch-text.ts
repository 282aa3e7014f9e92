// Fetches a source map from the origin of its script, through the proxy of the session, with limits of size and time. It sends no cookies
// and follows no redirects. Behind a proxy of the user only this machine is asked.

import http from 'node:http'
import https from 'node:https'
import { canonicalizeHost } from '../../core/network/host-rule.ts'
import { hostKindOf } from '../../core/network/host-rules.ts'

export interface FetchRoute {
  /** The URL of the proxy of the session; undefined if there are no host rules. */
  readonly proxy: string | undefined
  readonly isLoopbackOnly: boolean
}

export interface FetchOptions extends FetchRoute {
  readonly limitBytes: number
  readonly timeoutMs: number
}

export interface FetchedText {
  readonly text: string
  /** Its ETag or date, if the server names one. */
  readonly validator?: string
}

/** The body of a response with status 200, or undefined. A URL with https is not fetched through a proxy. */
export function fetchText(
  url: URL,
  { proxy, isLoopbackOnly, limitBytes, timeoutMs }: FetchOptions,
): Promise<FetchedText | undefined> {
  const isSecure = url.protocol === 'https:'
  if (isLoopbackOnly && hostKindOf(canonicalizeHost(url.hostname)) !== 'loopback')
    return Promise.resolve(undefined)
  if (url.protocol !== 'http:' && (!isSecure || proxy !== undefined)) return Promise.resolve(undefined)
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(timeoutMs)
    const headers = {
      host: url.host,
      accept: 'application/json, */*',
      'accept-encoding': 'identity',
      connection: 'close',
    }
    const common = { method: 'GET', headers, signal, agent: false } as const
    const onResponse = (response: http.IncomingMessage) => void readBody(response, limitBytes).then(resolve)
    const request = isSecure
      ? https.request(url, common, onResponse)
      : http.request(
          proxy === undefined ? url : proxyTargetOf(proxy),
          { ...common, path: proxy === undefined ? `${url.pathname}${url.search}` : url.href },
          onResponse,
        )
    request.on('error', () => resolve(undefined))
    signal.addEventListener('abort', () => resolve(undefined), { once: true })
    request.end()
  })
}

// --- internal ---

const proxyTargetOf = (proxy: string): URL => new URL(proxy)

function readBody(response: http.IncomingMessage, limitBytes: number): Promise<FetchedText | undefined> {
  const encoding = response.headers['content-encoding'] ?? 'identity'
  const isUsable = response.statusCode === 200 && encoding === 'identity'
  if (!isUsable || Number(response.headers['content-length'] ?? 0) > limitBytes) {
    response.destroy()
    return Promise.resolve(undefined)
  }
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let size = 0
    response.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > limitBytes) {
        response.destroy()
        resolve(undefined)
      } else chunks.push(chunk)
    })
    const validator = response.headers.etag ?? response.headers['last-modified']
    response.on('end', () =>
      resolve({
        text: Buffer.concat(chunks).toString('utf8'),
        ...(validator !== undefined && { validator }),
      }),
    )
    response.on('close', () => resolve(undefined))
    response.on('error', () => resolve(undefined))
  })
}
