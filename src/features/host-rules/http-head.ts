// The head of one HTTP message that a proxy forwards. Every connection carries one request, so that no second one escapes the checks;
// both heads have `Connection: close`.

import { canonicalizeHost } from '../../core/base/network/host-rule.ts'
import { type Origin, originOf } from '../../core/base/network/host-rules.ts'

export interface RequestHead {
  readonly method: string
  readonly origin: Origin
  /** The requested URL, for messages. */
  readonly url: string
  /** Whether the method is CONNECT; nothing more is read then. */
  readonly isTunnel: boolean
  /** The head to forward, for a plain request. */
  readonly forwardedHead: string
}

export const HEAD_END = '\r\n\r\n'

const HOP_BY_HOP_HEADER = /^(proxy-connection|proxy-authorization|connection|keep-alive|upgrade)$/i

/** Parses a request head without its empty line; undefined if it is not a request to a proxy. */
export function parseRequestHead(head: string): RequestHead | undefined {
  const [requestLine = '', ...lines] = head.split('\r\n')
  const [, method = '', target = ''] = /^([A-Z]+) (\S+) HTTP\/1\.[01]$/.exec(requestLine) ?? []
  if (method === 'CONNECT') {
    const url =
      /^[^/@?#]+:\d+$/.test(target) && URL.canParse(`https://${target}/`)
        ? new URL(`https://${target}/`)
        : undefined
    const port = Number(/:(\d+)$/.exec(target)?.[1])
    return (
      url && {
        method,
        origin: { host: canonicalizeHost(url.hostname), port },
        url: target,
        isTunnel: true,
        forwardedHead: '',
      }
    )
  }
  const url = /^http:\/\//i.test(target) && URL.canParse(target) ? new URL(target) : undefined
  if (!url) return undefined
  const headers = lines.filter(
    (line) => !HOP_BY_HOP_HEADER.test(line.split(':')[0] ?? '') && !/^host:/i.test(line),
  )
  const forwardedLines = [
    `${method} ${url.pathname}${url.search} HTTP/1.1`,
    `Host: ${url.host}`,
    ...headers,
    'Connection: close',
  ]
  return {
    method,
    origin: originOf(url),
    url: url.href,
    isTunnel: false,
    forwardedHead: forwardedLines.join('\r\n') + HEAD_END,
  }
}

/** The response head for the browser; an interim one (1xx) is forwarded unchanged, and the final one follows. */
export function rewriteResponseHead(head: string): { text: string; interim: boolean } {
  const [statusLine = '', ...lines] = head.split('\r\n')
  if (/^HTTP\/1\.[01] 1\d\d/.test(statusLine)) return { text: head + HEAD_END, interim: true }
  const headers = lines.filter((line) => !HOP_BY_HOP_HEADER.test(line.split(':')[0] ?? ''))
  return {
    text: [statusLine, ...headers, 'Connection: close', 'Proxy-Connection: close'].join('\r\n') + HEAD_END,
    interim: false,
  }
}

export function createRefusalResponse(status: 403 | 502, text: string): string {
  const body = `<!doctype html><title>${status}</title><p>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</p>`
  const reason = status === 403 ? 'Forbidden' : 'Bad Gateway'
  return [
    `HTTP/1.1 ${status} ${reason}`,
    'Content-Type: text/html; charset=utf-8',
    `Content-Length: ${new TextEncoder().encode(body).length}`,
    'Cache-Control: no-store',
    'Connection: close',
    'Proxy-Connection: close',
    '',
    body,
  ].join('\r\n')
}
