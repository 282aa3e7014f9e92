// Checks an origin and its current addresses against the rules: for a question to the user, and for requests of this process itself. Names
// that are denied for good are not resolved.

import {
  checkAddress,
  checkForbiddenAddress,
  checkOrigin,
  checkPromptableAddress,
  type Denial,
  hostKindOf,
  type HostPolicy,
  isGrantedByAddress,
  isMachineAddress,
  type Origin,
} from '../../core/base/network/host-rules.ts'
import type { OriginInspection, ServerAddressCheck } from '../../core/sessions/types/egress-proxy.ts'
import { resolveAddresses, type ResolveHost } from './dial.ts'

/** Whether an origin at its current addresses is allowed, denied, or for the user to decide. */
export async function inspectOrigin(
  origin: Origin,
  readPolicy: () => HostPolicy,
  resolve: ResolveHost,
): Promise<OriginInspection> {
  const initialPolicy = readPolicy()
  const originDenial = checkOrigin(origin, initialPolicy)
  if (originDenial ? !originDenial.promptable : !isGrantedByAddress(origin, initialPolicy))
    return originDenial ? { denial: originDenial } : { allowed: true }
  const addresses = await resolveAddresses(origin.host, resolve)
  if (!addresses) return { unreachable: `${origin.host} was not found` }
  const currentPolicy = readPolicy()
  const denial =
    checkOrigin(origin, currentPolicy) ??
    findFirstDenial(addresses, (address) => checkAddress(origin, address, currentPolicy))
  if (!denial) return { allowed: true }
  const finalDenial = findFirstDenial(addresses, (address) =>
    checkPromptableAddress(origin, address, currentPolicy),
  )
  return finalDenial ? { denial: finalDenial } : { denial, addresses }
}

/** The addresses at which this process itself may request an origin, and whether all are on this machine. Its own ports and metadata
 * services are always denied. */
export async function checkServerAddress(
  origin: Origin,
  policy: HostPolicy,
  resolve: ResolveHost,
): Promise<ServerAddressCheck> {
  const originDenial = checkOrigin(origin, policy)
  const hostKind = hostKindOf(origin.host)
  if (originDenial && (hostKind === undefined || hostKind === 'metadata')) return { denial: originDenial }
  const addresses = await resolveAddresses(origin.host, resolve)
  if (!addresses) return { unreachable: `${origin.host} was not found` }
  const finalDenial = findFirstDenial(addresses, (address) => checkForbiddenAddress(origin, address, policy))
  if (finalDenial) return { denial: finalDenial }
  const ofMachine = addresses.every((address) => isMachineAddress(address, policy))
  const denial =
    originDenial ?? findFirstDenial(addresses, (address) => checkAddress(origin, address, policy))
  return { addresses, ofMachine, denial }
}

// --- internal ---

const findFirstDenial = (
  addresses: readonly string[],
  check: (address: string) => Denial | undefined,
): Denial | undefined => addresses.map(check).find((denial) => denial !== undefined)
