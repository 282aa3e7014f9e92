// The proxy of one session: checks each request of its pages against the host rules, the grants and the resolved addresses.

import { createServer, type AddressInfo, type Socket } from 'node:net'
import { serveConnection } from './proxy-connection.ts'
import { dial, resolveBySystem, type ResolveHost } from './dial.ts'
import { inspectOrigin } from './inspect-origin.ts'
import { createPolicy, type OwnPorts, type PolicyBase } from './host-policy.ts'
import type { EgressProxy, EgressProxyHooks } from '../ports/egress-proxy.ts'
import { checkOrigin, originOf, type Denial, type Grant, type Origin } from '../../core/network/host-rules.ts'

const CONNECTION_LIMIT = 256
const CONNECT_ERROR_LIMIT = 100

export async function openEgressProxy(
  base: PolicyBase,
  { reserve }: Pick<OwnPorts, 'reserve'>,
  resolve: ResolveHost = resolveBySystem,
  hooks: EgressProxyHooks,
): Promise<EgressProxy> {
  const grants: (Grant & { readonly expiresAt: number; readonly isValid: () => boolean })[] = []
  const denials: Denial[] = []
  const sockets = new Set<Socket>()
  const connectErrors: (Origin & { text: string })[] = []
  // Only the grants for this port: whether one is valid may be slow to tell.
  const isCurrent = (grant: (typeof grants)[number], port: number) =>
    grant.port === port && grant.expiresAt > performance.now() && grant.isValid()
  const createCurrentPolicy = ({ port }: Origin) =>
    createPolicy(
      base,
      grants.filter((grant) => isCurrent(grant, port)),
    )
  const recordDenial = (url: string, denial: Denial) => {
    denials.push(denial)
    hooks.onDenied(url, denial)
  }
  const server = createServer({ noDelay: true }, (client) => {
    if (sockets.size >= CONNECTION_LIMIT) return void client.destroy()
    sockets.add(client)
    client.once('close', () => sockets.delete(client))
    const serve = serveConnection(client, {
      dial: (origin) => dial(origin, createCurrentPolicy(origin), resolve),
      onDenied: recordDenial,
      onConnectError(origin, text) {
        connectErrors.unshift({ ...origin, text })
        connectErrors.splice(CONNECT_ERROR_LIMIT)
      },
    })
    serve.catch(() => client.destroy())
  })
  await new Promise<void>((onListening) => server.listen(0, '127.0.0.1', onListening))
  const { port } = server.address() as AddressInfo
  const release = reserve(port)
  return {
    address: `http://127.0.0.1:${port}`,
    check: (url) => checkOrigin(originOf(new URL(url)), createCurrentPolicy(originOf(new URL(url)))),
    findDenial: (origin, since) =>
      denials.slice(since).findLast((entry) => entry.host === origin.host && entry.port === origin.port),
    findConnectError: (origin) =>
      connectErrors.find((entry) => entry.host === origin.host && entry.port === origin.port)?.text,
    denialCount: () => denials.length,
    inspect(url) {
      const origin = originOf(new URL(url))
      return inspectOrigin(origin, () => createCurrentPolicy(origin), resolve)
    },
    grant: (grant, ms = Infinity, isValid = () => true) =>
      void grants.push({ ...grant, expiresAt: performance.now() + ms, isValid }),
    close() {
      release()
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
