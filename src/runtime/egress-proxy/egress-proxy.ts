// The proxy of one session: checks each request of its pages against the host rules, the grants and the resolved addresses.

import { createServer, type AddressInfo, type Socket } from 'node:net'
import { serveConnection } from './proxy-connection.ts'
import { dial, resolveBySystem, type ResolveHost } from './dial.ts'
import { inspectOrigin } from './inspect-origin.ts'
import { createPolicy, type OwnPorts, type PolicyBase } from './host-policy.ts'
import { createTransferLimits } from './transfer-limits.ts'
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
  const grants = createGrants()
  const denials: Denial[] = []
  const sockets = new Set<Socket>()
  const transferLimits = createTransferLimits()
  const connectErrors = createConnectErrors()
  const createCurrentPolicy = ({ port }: Origin) => createPolicy(base, grants.listFor(port))
  const recordDenial = (url: string, denial: Denial) => {
    denials.push(denial)
    hooks.onDenied(url, denial)
  }
  const server = createServer({ noDelay: true }, (client) => {
    if (sockets.size >= CONNECTION_LIMIT) return void client.destroy()
    sockets.add(client)
    client.once('close', () => sockets.delete(client))
    const serve = serveConnection(client, {
      async dial(origin, isTunnel) {
        const result = await dial(origin, createCurrentPolicy(origin), resolve)
        if ('socket' in result) transferLimits.add(origin, result.socket, isTunnel)
        return result
      },
      onDenied: recordDenial,
      onConnectError: connectErrors.add,
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
    findConnectError: connectErrors.find,
    denialCount: () => denials.length,
    inspect(url) {
      const origin = originOf(new URL(url))
      return inspectOrigin(origin, () => createCurrentPolicy(origin), resolve)
    },
    grant: grants.add,
    limitTransfer: transferLimits.limit,
    close() {
      release()
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

// --- internal ---

function createGrants() {
  const grants: (Grant & { readonly expiresAt: number; readonly isValid: () => boolean })[] = []
  return {
    add: (grant: Grant, ms = Infinity, isValid = () => true) =>
      void grants.push({ ...grant, expiresAt: performance.now() + ms, isValid }),
    // Only those of one port are checked: whether a grant is valid may be slow to tell.
    listFor: (port: number): readonly Grant[] =>
      grants.filter((grant) => grant.port === port && grant.expiresAt > performance.now() && grant.isValid()),
  }
}

function createConnectErrors() {
  const errors: (Origin & { text: string })[] = []
  return {
    add(origin: Origin, text: string): void {
      errors.unshift({ ...origin, text })
      errors.splice(CONNECT_ERROR_LIMIT)
    },
    find: ({ host, port }: Origin): string | undefined =>
      errors.find((entry) => entry.host === host && entry.port === port)?.text,
  }
}
