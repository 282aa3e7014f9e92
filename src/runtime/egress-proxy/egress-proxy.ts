// The proxy of one session: what its pages ask for is judged by its rules, by what was granted since, and by where it leads.

import { createServer, type AddressInfo, type Socket } from 'node:net'
import { serveConnection } from './proxy-connection.ts'
import { dial, systemResolve, type Resolve } from './dial.ts'
import { inspect } from './inspect-origin.ts'
import { policyNow, type OwnPorts, type PolicyBase } from './host-policy.ts'
import type { EgressProxy, EgressProxyHooks } from '../ports/egress-proxy.ts'
import { checkOrigin, originOf, type Denial, type Grant, type Origin } from '../../core/network/host-rules.ts'

const TUNNELS = 256

export async function openEgressProxy(
  base: PolicyBase,
  { reserve }: Pick<OwnPorts, 'reserve'>,
  resolve: Resolve = systemResolve,
  hooks: EgressProxyHooks,
): Promise<EgressProxy> {
  const grants: (Grant & { readonly until: number })[] = []
  const denials: Denial[] = []
  const sockets = new Set<Socket>()
  const lost: (Origin & { text: string })[] = []
  const policy = () =>
    policyNow(
      base,
      grants.filter(({ until }) => until > performance.now()),
    )
  const denied = (url: string, denial: Denial) => {
    denials.push(denial)
    hooks.denied(url, denial)
  }
  const server = createServer((client) => {
    if (sockets.size >= TUNNELS) return void client.destroy()
    sockets.add(client)
    client.once('close', () => sockets.delete(client))
    const serve = serveConnection(client, {
      dial: (origin) => dial(origin, policy(), resolve),
      denied,
      unreachable(origin, text) {
        lost.unshift({ ...origin, text })
        lost.splice(100)
      },
    })
    serve.catch(() => client.destroy())
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  const release = reserve(port)
  return {
    address: `http://127.0.0.1:${port}`,
    check: (url) => checkOrigin(originOf(new URL(url)), policy()),
    denied: (origin, since) =>
      denials.slice(since).findLast((one) => one.host === origin.host && one.port === origin.port),
    unreachable: (origin) => lost.find((one) => one.host === origin.host && one.port === origin.port)?.text,
    count: () => denials.length,
    inspect: (url) => inspect(originOf(new URL(url)), policy, resolve),
    grant: (grant, ms = Infinity) => void grants.push({ ...grant, until: performance.now() + ms }),
    close() {
      release()
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
