// One forward proxy in our process with a port of its own for each session: the port says whose page it is, and every connection a page
// can make passes here. Where no rule is set there is none.

import { createServer, type AddressInfo, type Socket } from 'node:net'
import { serveConnection } from './connection.ts'
import { dial, systemResolve, type Resolve } from './dial.ts'
import type { Gate, GateHooks, Gates } from '../ports/gates.ts'
import { judge, originOf, type Denial, type HostPolicy, type Origin, type Rule } from '../../core/hosts.ts'

export interface GatesOptions {
  /** The rules of the process, where it has some. */
  readonly list: readonly Rule[] | undefined
  /** Whether private places are refused even where no rule is set. */
  readonly guarded: boolean
  /** Whether private places are allowed although rules are set. */
  readonly open: boolean
  readonly resolve?: Resolve
}

interface Grant extends Origin {
  readonly until: number
}

const TUNNELS = 256

export function createGates({
  list,
  guarded,
  open: openPlaces,
  resolve = systemResolve,
}: GatesOptions): Gates {
  const own = new Set<number>()
  const always = list !== undefined || guarded

  return {
    always,
    async open(session, hooks) {
      if (!always && session === undefined) return undefined
      const lists = [list, session].filter((one) => one !== undefined)
      return openGate(lists, guarded || !openPlaces, own, resolve, hooks)
    },
  }
}

async function openGate(
  lists: readonly (readonly Rule[])[],
  guarded: boolean,
  own: Set<number>,
  resolve: Resolve,
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
