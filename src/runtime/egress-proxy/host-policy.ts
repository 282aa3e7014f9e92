// The rules of a process and of a session as one policy, with what is known of this machine at the moment.

import { networkInterfaces } from 'node:os'
import type { AddressKind } from '../../core/network/ip-address.ts'
import type { HostRule } from '../../core/network/host-rule.ts'
import type { Grant, HostPolicy } from '../../core/network/host-rules.ts'

/** What a policy is made of that does not change. */
export interface PolicyBase {
  readonly lists: readonly (readonly HostRule[])[]
  readonly guarded: boolean
  readonly promptable: readonly AddressKind[]
  /** The ports of this process and of its browsers, now. */
  readonly own: ReadonlySet<number>
}

export interface OwnPorts {
  readonly ports: ReadonlySet<number>
  /** Adds a port; the answer gives it up. Two listeners may share one, on different addresses. */
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
      let held = true
      return () => {
        if (!held) return
        held = false
        const left = (counts.get(port) ?? 1) - 1
        counts.set(port, left)
        if (left === 0) ports.delete(port)
      }
    },
  }
}

/** The policy of this moment. Interfaces come and go, so they are read anew. */
export const policyNow = (
  { lists, guarded, promptable, own }: PolicyBase,
  grants: readonly Grant[],
): HostPolicy => ({
  lists,
  blocksPrivate: guarded,
  promptableKinds: promptable,
  grants,
  ownPorts: [...own],
  machineAddresses: Object.values(networkInterfaces()).flatMap((all = []) =>
    all.map(({ address }) => address),
  ),
})
