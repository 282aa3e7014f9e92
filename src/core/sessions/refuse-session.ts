// Sessions that there cannot be, with what this server has.

import { type Failure, invalidParameter } from '../base/failure.ts'
import type { SessionRequest } from './types/open-session.ts'
import type { SessionPorts } from './types/owned-session.ts'

export function refuseSession(request: SessionRequest, ports: SessionPorts): Failure | undefined {
  const [refusal] = (ports.features ?? []).flatMap((parts) => parts.refuseSession?.(request, ports) ?? [])
  return refusal ?? (request.allowedHosts && ports.proxies.refusal) ?? refuseState(request, ports)
}

// --- internal ---

function refuseState(
  { storageState, restore, profile }: SessionRequest,
  { states }: SessionPorts,
): Failure | undefined {
  const fields = states ? {} : { storageState, restore, profile }
  const [field] = Object.entries(fields).find(([, value]) => value !== undefined) ?? []
  return field === undefined
    ? undefined
    : invalidParameter(field, 'none: this build loads no states', 'a state', 'Omit it.')
}
