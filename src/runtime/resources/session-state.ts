// The named state of a session: loaded when it opens, saved when it closes.

import { settleWithin } from '../calls/settle-within.ts'
import type { OwnedPage } from '../ports/browsers.ts'
import type { NamedState } from '../ports/named-states.ts'
import type { SessionRequest } from '../ports/session-request.ts'
import type { Outcome } from '../../core/failure.ts'

export const withNamedState = (
  request: SessionRequest,
  namedState: NamedState | undefined,
): SessionRequest => (namedState?.state ? { ...request, storageState: namedState.state } : request)

// A page that hangs does not report its storage.
const CAPTURE_TIMEOUT_MS = 3000

/** Saves the state of the page and lets others save it from now on; returns a sentence about it. A state that cannot be read leaves the last
 * one. */
export async function saveNamedState(
  { name, isSaved, save, release }: NamedState,
  page: Outcome<OwnedPage>,
): Promise<string> {
  try {
    if (!isSaved || !page.ok) return ''
    const state = await settleWithin(CAPTURE_TIMEOUT_MS, page.value.captureState())
    if (state === undefined || state instanceof Error || !state.ok)
      return `State ${name} was not saved, because the browser did not report it; the last one remains.`
    const result = await save(state.value)
    return result.ok ? `State ${name} is saved.` : `State ${name} could not be written; the last one remains.`
  } finally {
    await release()
  }
}
