// Records and saves the trace of a session.

import type { OwnedPage } from '../ports/browsers.ts'
import type { Folder } from '../ports/files.ts'
import type { Outcome } from '../../core/failure.ts'

/** Starts a trace as soon as the page is open. Fails as the opening or the trace does. */
export async function startTracing(opening: Promise<Outcome<OwnedPage>>): Promise<Outcome<OwnedPage>> {
  const opened = await opening
  if (!opened.ok) return opened
  const started = await opened.value.startTrace()
  if (started.ok) return opened
  await opened.value.release()
  return started
}

/** Stops the trace and saves it; returns a sentence with its path, or an empty string. */
export async function saveTrace(page: OwnedPage, folder: Folder): Promise<string> {
  const path = await folder.reserve('trace.zip')
  if (!path.ok) return ''
  const saved = await page.stopTrace(path.value, 'end')
  if (saved.ok) return `Its trace is ${(await folder.finish(path.value)).path}.`
  await folder.remove(path.value)
  return ''
}
