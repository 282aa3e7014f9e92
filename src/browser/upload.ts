// Files for a page: set in a field, given to a chooser, dropped on an element.

import type { Locator, Page } from 'playwright'
import { attempt, browserError, invalid, plain } from './failures.ts'
import { findField } from './field.ts'
import { refused } from './refused.ts'
import { soon } from './soon.ts'
import type { Failure, Outcome } from '../core/failure.ts'
import { err, map, ok } from '../core/result.ts'
import type { Call, Target, Uploaded } from '../runtime/ports/page.ts'

const TAKES_FILES = 'a file field, what opens a file chooser when clicked, or where files can be dropped'
// Milliseconds that a click may take to open a chooser, before the files are dropped on the element.
const CHOOSER_MS = 500

/** Gives files to a file field or to the chooser that a click on the element opens; without either they are dropped on it. */
export async function upload(
  page: Page,
  target: Target,
  paths: readonly string[],
  call: Call,
): Promise<Outcome<Uploaded>> {
  const found = await findField(page, target, call)
  if (!found.ok) return found
  const { locator, kind, rest } = found.value
  const failed = (error: Error) => notUploaded(locator, target, call, error)
  if (kind === 'file')
    return map(await attempt(locator.setInputFiles([...paths], rest()), failed), () => 'chosen' as const)
  const opening = page.waitForEvent('filechooser', { timeout: rest().timeout }).catch((error: Error) => error)
  const clicked = await attempt(locator.click(rest()), (error) =>
    refused(locator, target, call, error, 'click', 'the click'),
  )
  if (!clicked.ok) return clicked
  const soonest = await soon(CHOOSER_MS, opening)
  if (soonest === undefined) {
    const dropped = await attempt(locator.drop({ files: [...paths] }, rest()), (error) => error)
    if (dropped.ok) return ok('dropped')
  }
  const chooser = soonest ?? (await opening)
  if (chooser instanceof Error) return err(invalid('selector', TAKES_FILES, 'none of these'))
  const given = await attempt(chooser.setFiles([...paths], { timeout: rest().timeout }), failed)
  return map(given, () => 'chosen' as const)
}

// --- internal ---

async function notUploaded(locator: Locator, target: Target, call: Call, error: Error): Promise<Failure> {
  if (/Non-multiple file input/.test(plain(error)))
    return invalid('paths', 'one file for this field', 'several')
  if (/ENOENT/.test(error.message)) return browserError(error)
  return refused(locator, target, call, error, 'click', 'the upload')
}
