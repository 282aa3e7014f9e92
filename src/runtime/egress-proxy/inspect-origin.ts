// What the rules say of an origin together with where its name leads now: for a question to the user, and for what this process itself
// asks for. Names that may not be asked about are not resolved.

import { addressesOf, type Resolve } from './dial.ts'
import type { Inspected, Reached } from '../ports/egress-proxy.ts'
import {
  isGrantedByAddress,
  isMachineAddress,
  checkOrigin,
  checkAddress,
  checkForbiddenAddress,
  checkPromptableAddress,
  hostKindOf,
  type Denial,
  type HostPolicy,
  type Origin,
} from '../../core/network/host-rules.ts'

/** Whether an origin is allowed, refused for good, or up to the user, at the addresses that its name leads to. */
export async function inspect(
  origin: Origin,
  policy: () => HostPolicy,
  resolve: Resolve,
): Promise<Inspected> {
  const before = policy()
  const refused = checkOrigin(origin, before)
  if (refused ? !refused.promptable : !isGrantedByAddress(origin, before))
    return refused ? { denial: refused } : { allowed: true }
  const addresses = await addressesOf(origin.host, resolve)
  if (!addresses) return { unreachable: `${origin.host} was not found` }
  const now = policy()
  const denial =
    checkOrigin(origin, now) ?? firstOf(addresses, (address) => checkAddress(origin, address, now))
  if (!denial) return { allowed: true }
  const never = firstOf(addresses, (address) => checkPromptableAddress(origin, address, now))
  return never ? { denial: never } : { denial, addresses }
}

/** Where this process itself may ask an origin, and whether that is on this machine. Ports of ours and metadata are refused anyway. */
export async function reach(origin: Origin, policy: HostPolicy, resolve: Resolve): Promise<Reached> {
  const refused = checkOrigin(origin, policy)
  const place = hostKindOf(origin.host)
  if (refused && (place === undefined || place === 'metadata')) return { denial: refused }
  const addresses = await addressesOf(origin.host, resolve)
  if (!addresses) return { unreachable: `${origin.host} was not found` }
  const never = firstOf(addresses, (address) => checkForbiddenAddress(origin, address, policy))
  if (never) return { denial: never }
  const ofMachine = addresses.every((address) => isMachineAddress(address, policy))
  const denial = refused ?? firstOf(addresses, (address) => checkAddress(origin, address, policy))
  return { addresses, ofMachine, ...(denial && { denial }) }
}

// --- internal ---

const firstOf = (
  addresses: readonly string[],
  verdict: (address: string) => Denial | undefined,
): Denial | undefined => addresses.map(verdict).find((denial) => denial !== undefined)
