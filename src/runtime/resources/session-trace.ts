// Sessions that record what they do.

import type { OwnedPage } from '../ports/browsers.ts'
import type { Folder } from '../ports/files.ts'
import type { Outcome } from '../../core/failure.ts'

/** A page that records from its beginning. */
export async function startTracing(opening: Promise<Outcome<OwnedPage>>): Promise<Outcome<OwnedPage>> {
  const opened = await opening
  if (!opened.ok) return opened
  const started = await opened.value.startTrace()
  if (started.ok) return opened
  await opened.value.release()
  return started
}

/** Ends the recording into a file; answers a sentence that names it. */
export async function saveTrace(page: OwnedPage, folder: Folder): Promise<string> {
  const path = await folder.place('trace.zip')
  if (!path.ok) return ''
  const saved = await page.stopTrace(path.value, 'end')
  if (saved.ok) return `Its trace is ${(await folder.done(path.value)).path}.`
  await folder.drop(path.value)
  return ''
}
