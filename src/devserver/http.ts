import { get as getPlain } from 'node:http'
import { get as getSecure } from 'node:https'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { unheard } from './processes.ts'

/** The status that an address answers with, or undefined when it does not answer within `ms`. Redirects are not followed. */
export function statusOf(url: string, ms: number): Promise<number | undefined> {
  const get = url.startsWith('https:') ? getSecure : getPlain
  return new Promise((resolve) => {
    const options = {
      timeout: ms,
      headers: { accept: 'text/html,*/*' },
      rejectUnauthorized: false,
      agent: false as const,
    }
    const request = get(url, options, (response) => {
      response.destroy()
      resolve(response.statusCode)
    })
    // The option only counts silence; a server that drips would hold us for ever.
    const timer = setTimeout(() => request.destroy(), ms)
    request.on('timeout', () => request.destroy())
    request.on('error', () => resolve(undefined))
    request.on('close', () => {
      clearTimeout(timer)
      resolve(undefined)
    })
  })
}

/** Whether a status means that a server is up and routes requests: what Playwright's webServer takes for ready, and 404. */
export const isReady = (status: number | undefined): boolean =>
  status !== undefined && ((status >= 200 && status < 400) || (status >= 400 && status <= 404))

/** A port that is free on loopback now. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}

/** Whether nobody listens on this port now. */
export function isFree(port: number): boolean | Promise<boolean> {
  const known = unheard(port)
  if (known !== undefined) return known
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
