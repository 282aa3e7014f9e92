// A loopback web server made of routes; each route is a page or a handler.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Route = string | ((request: IncomingMessage, response: ServerResponse) => void)

export interface Site {
  readonly url: string
  /** Requests seen, by path. */
  readonly hits: readonly string[]
  close(): void
}

/** `others` answers what no route does; without it that is a 404. */
export async function serveSite(routes: Readonly<Record<string, Route>>, others?: Route): Promise<Site> {
  const hits: string[] = []
  const server = createServer((request, response) => {
    const path = (request.url ?? '/').split('?')[0] ?? '/'
    hits.push(path)
    const route = routes[path] ?? others
    if (typeof route === 'function') return route(request, response)
    response.writeHead(route === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' })
    response.end(route ?? '<title>Nothing here</title>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hits,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

export const page = (body: string, title = 'Fixture'): string =>
  `<!doctype html><title>${title}</title>${body}`
