// The proxy of one session: what its pages ask for is judged by its rules, by what was granted since, and by where it leads.

import { createServer, type AddressInfo, type Socket } from 'node:net'
import { serveConnection } from './connection.ts'
import { dial, systemResolve, type Resolve } from './dial.ts'
import type { Gate, GateHooks } from '../ports/gates.ts'
import { judge, originOf, type Denial, type HostPolicy, type Origin, type Rule } from '../../core/hosts.ts'

interface Grant extends Origin {
  readonly until: number
}

const TUNNELS = 256

/** Opens the gate; `own` holds the ports of all gates, which no page may reach. */
export async function openGate(
  lists: readonly (readonly Rule[])[],
  guarded: boolean,
  own: Set<number>,
  resolve: Resolve | undefined,
  hooks: GateHooks,
): Promise<Gate> {
  const grants: Grant[] = []
  const denials: Denial[] = []
  const sockets = new Set<Socket>()
  const lost: (Origin & { text: string })[] = []
  const policy = (): HostPolicy => ({
    lists,
    guarded,
    granted: grants.filter(({ until }) => until > performance.now()),
    own: [...own],
  })
  const denied = (url: string, denial: Denial) => {
    denials.push(denial)
    hooks.denied(url, denial)
  }
  const server = createServer((client) => {
    if (sockets.size >= TUNNELS) return void client.destroy()
    sockets.add(client)
    client.once('close', () => sockets.delete(client))
    const serve = serveConnection(client, {
      dial: (origin) => dial(origin, policy(), resolve ?? systemResolve),
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
  own.add(port)
  return {
    address: `http://127.0.0.1:${port}`,
    check: (url) => judge(originOf(new URL(url)), policy()),
    denied: (origin, since) =>
      denials.slice(since).findLast((one) => one.host === origin.host && one.port === origin.port),
    unreachable: (origin) => lost.find((one) => one.host === origin.host && one.port === origin.port)?.text,
    count: () => denials.length,
    grant: (origin, ms = Infinity) => void grants.push({ ...origin, until: performance.now() + ms }),
    close() {
      own.delete(port)
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
