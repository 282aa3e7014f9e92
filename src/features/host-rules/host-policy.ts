// Combines the rules of the process and of a session, and the addresses of this machine, into one policy.

import { networkInterfaces } from 'node:os'
import type { Grant, HostPolicy } from '../../core/base/network/host-rules.ts'

/** The constant parts of a policy. */
export interface PolicyBase extends Pick<HostPolicy, 'lists' | 'blocksPrivate' | 'promptableKinds'> {
  /** The ports that this process and its browsers listen on. */
  readonly ownPorts: ReadonlySet<number>
}

export interface OwnPorts {
  readonly ports: ReadonlySet<number>
  /** Adds a port; the returned function releases it. Two listeners on different addresses may share a port. */
  reserve(port: number): () => void
}

export function createOwnPorts(): OwnPorts {
  const counts = new Map<number, number>()
  const ports = new Set<number>()
  return {
    ports,
    reserve(port) {
      counts.set(port, (counts.get(port) ?? 0) + 1)
      ports.add(port)
      let isReserved = true
      return () => {
        if (!isReserved) return
        isReserved = false
        const remaining = (counts.get(port) ?? 1) - 1
        counts.set(port, remaining)
        if (remaining === 0) ports.delete(port)
      }
    },
  }
}

/** The current policy. The network interfaces are read each time, because they change. */
export const createPolicy = (
  { lists, blocksPrivate, promptableKinds, ownPorts }: PolicyBase,
  grants: readonly Grant[],
): HostPolicy => ({
  lists,
  blocksPrivate,
  promptableKinds,
  grants,
  ownPorts: [...ownPorts],
  machineAddresses: Object.values(networkInterfaces()).flatMap((addresses = []) =>
    addresses.map(({ address }) => address),
  ),
})
