// The state of a session that is saved under a name when the session ends.

import type { NamedState } from '../../core/base/files/files.ts'
import { settleWithin } from '../../core/base/system/settle-within.ts'
import type { OwnedPage } from '../../core/sessions/types/browsers.ts'

// A page that hangs does not report its storage.
const CAPTURE_TIMEOUT_MS = 3000

/** Saves the state of the page. A state that cannot be read leaves the last one. Returns a sentence for the answer, or an empty string. */
export async function saveNamedState(
  { name, isSaved, profileFolder, save }: NamedState,
  page: OwnedPage,
): Promise<string> {
  if (!isSaved) return ''
  const capturing = page.captureState?.()
  const state = capturing && (await settleWithin(CAPTURE_TIMEOUT_MS, capturing))
  const subject = profileFolder === undefined ? `State ${name}` : `The state of profile ${name}`
  if (state === undefined || state instanceof Error || !state.ok)
    return `${subject} was not saved, because the browser did not report it; the last one remains.`
  const result = await save(state.value)
  return result.ok ? `${subject} is saved.` : `${subject} could not be written; the last one remains.`
}
