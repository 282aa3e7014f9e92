import { get as getPlain } from 'node:http'
import { get as getSecure } from 'node:https'
import { isIP } from 'node:net'
import { canonicalizeHost } from '../../base/network/host-rule.ts'
import { isLocalhostName, LOOPBACK_ADDRESSES } from '../../base/network/host-rules.ts'
import { startTimer } from '../../base/system/timer.ts'
import type { CheckServerAddress } from '../../sessions/types/egress-proxy.ts'

/** The timeout of the remaining addresses once one did not respond in time: a server that listens on another address is rarely slow too. */
const OTHER_ADDRESS_TIMEOUT_MS = 1000

/** How long a server has to respond when its status is read. */
export const STATUS_PROBE_TIMEOUT_MS = 3000

export interface ProbeAnswer {
  readonly status: number
  /** Whether a browser can show it: a redirect, HTML, or no content type; of the 5xx responses only HTML. */
  readonly isPage: boolean
  /** Whether it allows pages of other origins to read it, as an API does. */
  readonly hasCorsHeaders: boolean
  /** Where a redirect leads to. */
  readonly location?: string
}

export interface ProbeOptions {
  readonly timeoutMs: number
  /** If given, only the addresses that it returns are connected to. */
  readonly checkServerAddress: CheckServerAddress | undefined
  readonly isOwnServer?: boolean
  /** Ends the request without a response. */
  readonly signal?: AbortSignal
  /** What it asks for; HTML by default. */
  readonly accept?: string
  /** Whether a certificate that is not trusted is no response. */
  readonly checksCertificate?: boolean
}

/** The response of a URL, or undefined if there is none in time or the host rules deny it. Redirects are not followed, and by default any
 * certificate is accepted, because no data is sent. */
export async function probeUrl(url: string, options: ProbeOptions): Promise<ProbeAnswer | undefined> {
  const { timeoutMs, checkServerAddress, isOwnServer = false, signal } = options
  const target = checkServerAddress
    ? await checkServerAddress(url)
    : { addresses: loopbackAddressesOf(url), ofMachine: true }
  if (!('addresses' in target)) return undefined
  if ('denial' in target && target.denial && !(isOwnServer && target.ofMachine)) return undefined
  let limitMs = timeoutMs
  for (const address of target.addresses) {
    const answer = await requestAddress(url, address, { ...options, timeoutMs: limitMs })
    if (typeof answer === 'object') return answer
    if (signal?.aborted) return undefined
    if (answer === 'silent') limitMs = Math.min(limitMs, OTHER_ADDRESS_TIMEOUT_MS)
  }
  return undefined
}

export const probeStatus = async (url: string, options: ProbeOptions): Promise<number | undefined> =>
  (await probeUrl(url, options))?.status

/** The result of a probe with the time limit of a status, as a sentence. */
export const describeProbe = (status: number | undefined): string =>
  status === undefined
    ? `It did not respond within ${STATUS_PROBE_TIMEOUT_MS / 1000} seconds.`
    : `It responds with ${status}.`

// A server at localhost may listen on only one of its two addresses; the other one refuses.
const loopbackAddressesOf = (url: string): readonly (string | undefined)[] =>
  isLocalhostName(canonicalizeHost(new URL(url).hostname)) ? LOOPBACK_ADDRESSES : [undefined]

function requestAddress(
  url: string,
  address: string | undefined,
  { timeoutMs, signal, accept = 'text/html,*/*', checksCertificate = false }: ProbeOptions,
): Promise<ProbeAnswer | 'refused' | 'silent'> {
  const get = url.startsWith('https:') ? getSecure : getPlain
  const { host, hostname } = new URL(url)
  const isHostname = isIP(hostname) === 0 && !hostname.startsWith('[')
  return new Promise((resolve) => {
    const options = {
      headers: { accept, ...(address !== undefined && { host }) },
      rejectUnauthorized: checksCertificate,
      agent: false as const,
      ...(signal && { signal }),
      ...(address !== undefined && { hostname: address }),
      ...(address !== undefined && isHostname && { servername: hostname }),
    }
    const request = get(url, options, (response) => {
      response.destroy()
      const { statusCode: status, headers } = response
      const type = headers['content-type']
      const hasCorsHeaders = Object.keys(headers).some((name) => name.startsWith('access-control-allow-'))
      const location = headers.location === undefined ? {} : { location: headers.location }
      const answer = status !== undefined && { status, isPage: isPage(status, type), hasCorsHeaders }
      resolve(answer ? { ...answer, ...location } : 'refused')
    })
    const timer = startTimer(timeoutMs, () => {
      resolve('silent')
      request.destroy()
    })
    request.on('error', () => resolve('refused'))
    request.on('close', () => {
      timer.stop()
      resolve('refused')
    })
  })
}

function isPage(status: number, type: string | undefined): boolean {
  if (status >= 400) return status >= 500 && /html/i.test(type ?? '')
  return status >= 300 || /html/i.test(type ?? 'html')
}
