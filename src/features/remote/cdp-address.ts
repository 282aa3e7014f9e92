// The WebSocket address of a browser, which one that has an HTTP address tells.

import { hostKindOf } from '../../core/base/network/host-rules.ts'
import { sendCall } from './http-call.ts'
import { urlBelow } from './remote-address.ts'
import type { ConnectRequest } from './remote-connection.ts'

type AddressRequest = Pick<ConnectRequest, 'url' | 'headers' | 'timeoutMs'>

/** Throws if the browser does not tell it. */
export async function findCdpAddress({ url, headers, timeoutMs }: AddressRequest): Promise<string> {
  if (/^ws/.test(url)) return url
  const call = { method: 'GET', url: urlBelow({ url }, '/json/version'), headers }
  const answer = (await sendCall(call, timeoutMs)) as { readonly webSocketDebuggerUrl?: string }
  const address = answer.webSocketDebuggerUrl
  if (address === undefined || !URL.canParse(address))
    throw new Error('its /json/version names no webSocketDebuggerUrl')
  return publicAddressOf(new URL(address), url)
}

/** The address that a browser answers with, as it is reached from here: behind a proxy it names its own host, and knows no prefix of the path. */
export function publicAddressOf(answer: URL, endpoint: string): string {
  const own = new URL(endpoint)
  // A dot at the end names the same host.
  const host = answer.hostname.replace(/\.+$/, '')
  if (!isInnerHost(host) && host !== own.hostname) return answer.href
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
