// What a session was created with, in the words of create_session, for the failure of a call after its end.

import type { SessionRequest } from '../ports/session-request.ts'
import type { SessionCreation } from '../../core/failures/failure-records.ts'

/** Without what may be a secret or long: that is only named. `isKept`: its state is saved when it ends. */
export function creationOf(
  { name, actionTimeout, server, restore, allowedHosts, ...request }: SessionRequest,
  isKept: boolean,
): SessionCreation {
  const { storageState, httpCredentials, initScript, sharedServer: _, proxy: __, ...page } = request
  const { env, ...start } = server ?? {}
  const input = {
    ...(name !== undefined && { name }),
    ...page,
    ...(restore !== undefined && { restore }),
    ...(actionTimeout !== undefined && { timeout: actionTimeout }),
    ...start,
  }
  const omitted = { storageState, httpCredentials, initScript, env, allowedDomains: allowedHosts }
  const omittedNames = Object.entries(omitted).flatMap(([field, value]) => (value === undefined ? [] : field))
  return { input, omitted: omittedNames, ...(isKept && restore !== undefined && { keptAs: restore }) }
}
