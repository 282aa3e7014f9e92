// What a session saves when it closes: its named state and its trace. The texts are sentences for the answer, or empty.

import { settleWithin } from '../system/settle-within.ts'
import type { OwnedPage } from '../ports/browsers.ts'
import type { Folder, NamedState } from '../ports/files.ts'
import type { Outcome } from '../../core/failure.ts'

// A page that hangs does not report its storage.
const CAPTURE_TIMEOUT_MS = 3000

/** Saves the state of the page and lets others save it from now on. A state that cannot be read leaves the last one. */
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

/** Stops the trace and saves it. */
export async function saveTrace(page: OwnedPage, folder: Folder): Promise<string> {
  const path = await folder.reserve('trace.zip')
  if (!path.ok) return ''
  const saveResult = await page.stopTrace(path.value, 'end')
  if (saveResult.ok) return `Its trace is ${(await folder.finish(path.value)).path}.`
  await folder.remove(path.value)
  return ''
}
