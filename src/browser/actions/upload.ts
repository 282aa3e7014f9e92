// Files, or a folder, for a page: set in a field, given to a chooser, dropped on an element.

import { basename, join, sep } from 'node:path'
import type { ElementHandle, Page } from 'playwright'
import { attempt, browserError, messageOf } from '../playwright/errors.ts'
import { engineOfPage } from '../playwright/engine.ts'
import { findField } from '../forms/field-kind.ts'
import { explainRefusal } from './explain-refusal.ts'
import { settleWithin } from '../../runtime/calls/settle-within.ts'
import { describeTarget, type ResolvedTarget } from '../playwright/locator.ts'
import { invalidParameter, type Failure, type Outcome } from '../../core/failure.ts'
import { acceptSeveralFiles } from '../in-page/actions/directory-upload.ts'
import { err, map, ok } from '../../core/result.ts'
import type { Call, Target, Upload, Uploaded } from '../../runtime/ports/page.ts'

const TAKES_FILES = 'a file input, an element that opens a file chooser, or a drop zone'
// Milliseconds that a click may take to open a chooser, before the files are dropped on the element.
const CHOOSER_MS = 500

/** Gives files, or a folder, to a file field or to the chooser that a click on the element opens; without either, files are dropped on
 * it. */
export async function upload(
  page: Page,
  target: Target,
  given: Upload,
  call: Call,
): Promise<Outcome<Uploaded>> {
  const found = await findField(page, target, call)
  if (!found.ok) return found
  const { locator, kind, rest } = found.value
  const element = { locator, target, call }
  const failed = (error: Error) => notUploaded(element, error)
  if (kind === 'file') {
    const field = await attempt(locator.evaluateHandle(controlOf, undefined, { ...rest() }), failed)
    return field.ok ? give(page, field.value as FileField, given, rest(), failed) : field
  }
  const opening = page.waitForEvent('filechooser', { timeout: rest().timeout }).catch((error: Error) => error)
  const clicked = await attempt(locator.click(rest()), (error) =>
    explainRefusal(element, error, 'click', 'the click'),
  )
  if (!clicked.ok) return clicked
  const soonest = await settleWithin(CHOOSER_MS, opening)
  if (soonest === undefined && !given.below) {
    const dropped = await attempt(locator.drop({ files: [...given.paths] }, rest()), (error) => error)
    if (dropped.ok) return ok('dropped')
  }
  const chooser = soonest ?? (await opening)
  if (chooser instanceof Error) return err(invalidParameter('selector', TAKES_FILES, describeTarget(target)))
  return give(page, chooser.element() as FileField, given, rest(), failed)
}

// --- internal ---

// A label stands for its field.
const controlOf = (element: Element): Element =>
  (element instanceof HTMLLabelElement && element.control) || element

type FileField = ElementHandle<HTMLInputElement>

async function give(
  page: Page,
  field: FileField,
  { paths, below }: Upload,
  { timeout }: Call,
  failed: (error: Error) => Promise<Failure>,
): Promise<Outcome<Uploaded>> {
  const asked = await attempt(
    field.evaluate((input) => input.webkitdirectory),
    browserError,
  )
  if (!asked.ok) return asked
  if (below && !asked.value)
    return err(invalidParameter('paths', 'files: this field does not accept a folder', 'a folder'))
  if (!below && asked.value)
    return err(invalidParameter('paths', 'one folder: this field accepts only a folder', 'files'))
  const [folder = ''] = paths
  const isFirefox = engineOfPage(page) === 'firefox'
  const work =
    below && isFirefox
      ? giveOneByOne(field, folder, below, timeout)
      : field.setInputFiles([...paths], { timeout })
  return map(await attempt(work, failed), () => 'chosen' as const)
}

// Stock Firefox is given files alone. So the field takes several for a moment, and before the page learns of them they get the paths that
// those of a folder have.
async function giveOneByOne(
  field: FileField,
  folder: string,
  below: readonly string[],
  timeout: number,
): Promise<void> {
  const shown = below.map((path) => [basename(folder), ...path.split(sep)].join('/'))
  const done = await field.evaluateHandle(acceptSeveralFiles, shown)
  try {
    await field.setInputFiles(
      below.map((path) => join(folder, path)),
      { timeout },
    )
  } finally {
    await done.evaluate((restore) => restore()).catch(() => {})
  }
}

async function notUploaded(element: ResolvedTarget, error: Error): Promise<Failure> {
  if (/Non-multiple file input/.test(messageOf(error)))
    return invalidParameter('paths', 'one file for this field', 'several')
  if (/ENOENT/.test(error.message)) return browserError(error)
  return explainRefusal(element, error, 'click', 'the upload')
}
