// Browsers of servers that run already: Playwright servers, or Chromiums that speak the DevTools Protocol.

import { engineOf } from '../../core/base/browser-names.ts'
import type { Failure, Outcome } from '../../core/base/failure.ts'
import { err, ok } from '../../core/base/result.ts'
import type { BrowserRequest, BrowserSource } from '../../core/browser/playwright/browser-source.ts'
import { PLAYWRIGHT_SERIES } from '../../core/browser/playwright/engine.ts'
import { attempt, messageOf, serverVersionOf } from '../../core/browser/playwright/errors.ts'
import { findCdpAddress } from './cdp-address.ts'
import { connectOverCdp } from './cdp-connection.ts'
import { connectToPlaywright } from './playwright-connection.ts'
import type { ConnectRequest, RemoteConnection } from './remote-connection.ts'
import type { RemoteAddress } from './remote-release.ts'
import { watchConnection } from './watch-connection.ts'

export interface Endpoint extends RemoteAddress {
  /** Whether its browsers get the network of this machine, so that they reach its dev servers. */
  readonly exposesLoopback: boolean
}

interface EndpointOptions {
  readonly protocol: 'playwright' | 'cdp'
  readonly endpoints: readonly Endpoint[]
  /** The option that names them. */
  readonly flag: string
  /** Makes more headers for a connection to an address. */
  readonly makeHeaders?: (url: string) => Promise<Readonly<Record<string, string>>>
  /** For all attempts of one session together. */
  readonly timeoutMs: number
  readonly onNotice: (text: string) => void
}

export function createEndpointSource(options: EndpointOptions): BrowserSource {
  const { endpoints, protocol, flag, makeHeaders, onNotice } = options
  const timeoutMs = Math.ceil(options.timeoutMs / endpoints.length)
  return {
    async open(request) {
      const endpoint = endpoints[request.place]
      if (!endpoint) throw new Error(`there is no endpoint ${request.place}`)
      const toFailure = (error: Error) => connectFailure(error, endpoint, flag)
      const added = await attempt(Promise.resolve(makeHeaders?.(endpoint.url)), toFailure)
      if (!added.ok) return added
      const headers = { ...endpoint.headers, ...added.value }
      const connectRequest = { ...endpoint, headers, timeoutMs }
      const connection = await (protocol === 'cdp'
        ? connectToChromium(connectRequest, request, flag)
        : connectToPlaywright({ ...connectRequest, engine: engineOf(request.browser) }, toFailure))
      if (!connection.ok) return connection
      watchConnection(connection.value, {
        describe: () => `the browser at ${endpoint.label} does not answer`,
        onNotice,
      })
      return ok(connection.value.browser)
    },
    async end() {},
  }
}

/** Connects over CDP, by a WebSocket or an HTTP address. */
export async function connectToChromium(
  request: ConnectRequest,
  { browser }: BrowserRequest,
  flag: string,
): Promise<Outcome<RemoteConnection>> {
  if (engineOf(browser) !== 'chromium')
    return err({
      code: 'BROWSER_ERROR',
      text: `${browser} has no CDP address`,
      next: `Use chromium, or omit ${flag} for a local ${browser}.`,
    })
  const toFailure = (error: Error) => connectFailure(error, request, flag)
  const url = await attempt(findCdpAddress(request), toFailure)
  return url.ok ? connectOverCdp({ ...request, url: url.value }, toFailure) : url
}

function connectFailure(
  error: Error,
  { url, label }: Pick<ConnectRequest, 'url' | 'label'>,
  flag: string,
): Failure {
  const version = serverVersionOf(error)
  const reason =
    version === undefined
      ? (messageOf(error).split('\n')[0]?.replaceAll(url, label).slice(0, 300) ?? '')
      : `its Playwright is ${version}, and that of Footlight ${PLAYWRIGHT_SERIES}`
  return {
    code: 'BROWSER_ERROR',
    text: `no browser responds at ${label}: ${reason}`,
    next: `${nextStepOf(reason, version)}, or omit ${flag} to use a local browser.`,
  }
}

function nextStepOf(reason: string, version: string | undefined): string {
  if (version !== undefined) return `Start a server of version ${PLAYWRIGHT_SERIES}`
  return /\b40[13]\b/.test(reason) ? 'Look at the keys of the address and at --endpoint-header' : 'Start it'
}
