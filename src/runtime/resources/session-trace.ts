// Records and saves the trace of a session.

import type { OwnedPage } from '../ports/browsers.ts'
import type { Folder } from '../ports/files.ts'
import type { Outcome } from '../../core/failure.ts'

/** Starts a trace as soon as the page is open. Fails as the opening or the trace does. */
export async function startTracing(opening: Promise<Outcome<OwnedPage>>): Promise<Outcome<OwnedPage>> {
  const openResult = await opening
  if (!openResult.ok) return openResult
  const startResult = await openResult.value.startTrace()
  if (startResult.ok) return openResult
  await openResult.value.release()
  return startResult
}

/** Stops the trace and saves it; returns a sentence with its path, or an empty string. */
export async function saveTrace(page: OwnedPage, folder: Folder): Promise<string> {
  const path = await folder.reserve('trace.zip')
  if (!path.ok) return ''
  const saveResult = await page.stopTrace(path.value, 'end')
  if (saveResult.ok) return `Its trace is ${(await folder.finish(path.value)).path}.`
  await folder.remove(path.value)
  return ''
}
