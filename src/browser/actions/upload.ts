// Uploads of files or a folder: set in a field or a file chooser, or dropped on an element.

import { basename, join, sep } from 'node:path'
import type { ElementHandle, Page } from 'playwright'
import { attempt, browserError, isFileMissing, isSingleFileField } from '../playwright/errors.ts'
import { engineOfPage } from '../playwright/engine.ts'
import { dropFiles } from './drop-files.ts'
import { findField } from '../forms/field-kind.ts'
import { explainRefusal } from './explain-refusal.ts'
import type { Tab } from '../tab/tab.ts'
import { waitForTarget } from './wait-for-target.ts'
import { settleWithin } from '../../runtime/calls/settle-within.ts'
import { playwrightOptions } from '../playwright/playwright-options.ts'
import { describeTarget, type ResolvedTarget } from '../playwright/locator.ts'
import { invalidParameter, type Failure, type Outcome } from '../../core/failure.ts'
import { acceptSeveralFiles } from '../in-page/actions/directory-upload.ts'
import { err, map, ok } from '../../core/result.ts'
import type { Deadline } from '../../runtime/ports/deadline.ts'
import type { Target } from '../../runtime/ports/page/target.ts'
import type { Upload, UploadMethod } from '../../runtime/ports/page/upload.ts'

const UPLOAD_TARGETS = 'a file input, an element that opens a file chooser, or a drop zone'
const FOLDER_DROP_HINT =
  'To drop a folder on an element, use a Chromium that Footlight starts, and a page that is no data: URL or sandboxed frame; or pass the files of the folder.'
// If a click opens no chooser within this time, the files are dropped on the element.
const CHOOSER_TIMEOUT_MS = 500

/** Sets files, or a folder, in a file field or in the chooser that a click on the element opens; without either, files are dropped on
 * it. */
export async function upload(
  tab: Tab,
  target: Target,
  files: Upload,
  deadline: Deadline,
): Promise<Outcome<UploadMethod>> {
  const { page } = tab
  const formField = await findField(page, target, deadline)
  if (!formField.ok) return formField
  const { locator, kind } = formField.value
  const element = { locator, target, deadline }
  const toFailure = (error: Error) => explainUploadError(element, error)
  if (kind === 'file') {
    const field = await attempt(
      locator.evaluateHandle(controlOf, undefined, playwrightOptions(deadline)),
      toFailure,
    )
    return field.ok ? setFiles(page, field.value as FileField, files, deadline, toFailure) : field
  }
  const chooserEvent = page
    .waitForEvent('filechooser', { timeout: deadline.remaining() })
    .catch((error: Error) => error)
  const clicking = waitForTarget(element, 'clickable', (limit) => locator.click(playwrightOptions(limit)))
  const clickResult = await attempt(clicking, (error) => explainRefusal(element, error, 'click', 'the click'))
  if (!clickResult.ok) return clickResult
  const earlyChooser = await settleWithin(CHOOSER_TIMEOUT_MS, chooserEvent)
  const drop =
    earlyChooser === undefined ? await attempt(dropFiles(tab, element, files), toFailure) : undefined
  if (drop?.ok && drop.value === 'dropped') return ok('dropped')
  const chooser = earlyChooser ?? (await chooserEvent)
  if (chooser instanceof Error) {
    const hint = drop?.ok && drop.value === 'unsupported' ? FOLDER_DROP_HINT : undefined
    return err(invalidParameter('selector', UPLOAD_TARGETS, describeTarget(target), hint))
  }
  return setFiles(page, chooser.element() as FileField, files, deadline, toFailure)
}

// --- internal ---

// A label represents its field.
const controlOf = (element: Element): Element =>
  (element instanceof HTMLLabelElement && element.control) || element

type FileField = ElementHandle<HTMLInputElement>

async function setFiles(
  page: Page,
  field: FileField,
  { paths, relativePaths }: Upload,
  deadline: Deadline,
  toFailure: (error: Error) => Promise<Failure>,
): Promise<Outcome<UploadMethod>> {
  const directory = await attempt(
    field.evaluate((input) => input.webkitdirectory),
    browserError,
  )
  if (!directory.ok) return directory
  if (relativePaths && !directory.value)
    return err(invalidParameter('paths', 'files: this field does not accept a folder', 'a folder'))
  if (!relativePaths && directory.value)
    return err(invalidParameter('paths', 'one folder: this field accepts only a folder', 'files'))
  const [folder = ''] = paths
  const isFirefox = engineOfPage(page) === 'firefox'
  const work =
    relativePaths && isFirefox
      ? setFilesOfFolder(field, folder, relativePaths, deadline)
      : field.setInputFiles([...paths], playwrightOptions(deadline))
  return map(await attempt(work, toFailure), () => 'chosen' as const)
}

// Stock Firefox accepts only files from automation, no folders. So the field accepts several files for a moment, and before the page is
// notified they get the relative paths of a folder's files.
async function setFilesOfFolder(
  field: FileField,
  folder: string,
  below: readonly string[],
  deadline: Deadline,
): Promise<void> {
  const relativePaths = below.map((path) => [basename(folder), ...path.split(sep)].join('/'))
  const restoreHandle = await field.evaluateHandle(acceptSeveralFiles, relativePaths)
  try {
    await field.setInputFiles(
      below.map((path) => join(folder, path)),
      playwrightOptions(deadline),
    )
  } finally {
    await restoreHandle.evaluate((restore) => restore()).catch(() => {})
  }
}

async function explainUploadError(element: ResolvedTarget, error: Error): Promise<Failure> {
  if (isSingleFileField(error)) return invalidParameter('paths', 'one file for this field', 'several')
  if (isFileMissing(error)) return browserError(error)
  return explainRefusal(element, error, 'click', 'the upload')
}
