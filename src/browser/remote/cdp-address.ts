// The WebSocket address of a browser, which one that has an HTTP address tells.

import { describeStatus } from './cdp-connection.ts'
import { urlBelow } from './remote-address.ts'
import type { ConnectRequest } from './remote-connection.ts'
import { hostKindOf } from '../../core/network/host-rules.ts'

type AddressRequest = Pick<ConnectRequest, 'url' | 'headers' | 'timeoutMs'>

/** Throws if the browser does not tell it. */
export async function findCdpAddress({ url, headers, timeoutMs }: AddressRequest): Promise<string> {
  if (/^ws/.test(url)) return url
  const response = await fetch(urlBelow({ url }, '/json/version'), {
    headers: { ...headers },
    // A redirect would take the headers to another host.
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  }).catch((error: Error) => {
    throw new Error(
      error.name === 'TimeoutError' ? `no answer within ${timeoutMs} ms` : describeNetworkError(error),
    )
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`/json/version: ${describeStatus(response.status, text)}`)
  const address = readAddress(text)
  if (address === undefined) throw new Error('its /json/version names no webSocketDebuggerUrl')
  return publicAddressOf(address, url)
}

/** What went wrong between the machines. */
function describeNetworkError(error: Error & { code?: unknown; cause?: unknown }): string {
  const { code } = (error.cause ?? error) as { code?: unknown }
  return /REFUSED|Refused/.test(String(code ?? error.message)) ? 'the connection was refused' : error.message
}

function readAddress(text: string): URL | undefined {
  try {
    const { webSocketDebuggerUrl } = JSON.parse(text) as { readonly webSocketDebuggerUrl?: string }
    return webSocketDebuggerUrl === undefined ? undefined : new URL(webSocketDebuggerUrl)
  } catch {
    return undefined
  }
}

/** The address that a browser answers with, as it is reached from here: behind a proxy it names its own host, and knows no prefix of the path. */
export function publicAddressOf(answer: URL, endpoint: string): string {
  const own = new URL(endpoint)
  if (!isInnerHost(answer.hostname) && answer.hostname !== own.hostname) return answer.href
  const prefix = own.pathname.replace(/\/$/, '')
  const address = new URL(
    answer.pathname.startsWith(`${prefix}/`) ? answer.pathname : `${prefix}${answer.pathname}`,
    own,
  )
  address.protocol = own.protocol.replace('http', 'ws')
  address.search = answer.search || own.search
  return address.href
}

const isInnerHost = (host: string): boolean => {
  const kind = hostKindOf(host)
  return kind === undefined ? !host.includes('.') || /\.(local|internal)$/.test(host) : kind !== 'public'
}
