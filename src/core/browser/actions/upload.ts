// Uploads of files or a folder: set in a field or a file chooser, or dropped on an element.

import { basename, join, sep } from 'node:path'
import type { ElementHandle, Page, JSHandle } from 'playwright'
import {
  attempt,
  browserError,
  isFileMissing,
  isFileTooLarge,
  isSingleFileField,
} from '../playwright/errors.ts'
import { engineOfPage, playwrightOptions } from '../playwright/engine.ts'
import { findField } from './editable-fields.ts'
import { act, explainRefusal } from './explain-refusal.ts'
import type { Tab } from '../tab/tab.ts'
import { settleWithin } from '../../base/system/settle-within.ts'
import { describeTarget, type ResolvedTarget } from '../playwright/locator.ts'
import { invalidParameter, type Failure, type Outcome } from '../../base/failure.ts'
import { acceptSeveralFiles, watchDrop } from '../in-page/generated.ts'
import type { DropWatch } from '../in-page/actions/drag-watch.ts'
import { err, map, ok } from '../../base/result.ts'
import type { Deadline } from '../../base/system/deadline.ts'
import type { Target, Upload, UploadMethod } from '../../base/action.ts'
import type { CdpSession } from '../playwright/cdp-session.ts'
import { isApart } from '../playwright/internals.ts'
import { browserPidOf } from '../playwright/browser-processes.ts'
import { untracedCdpSession } from '../tab/tracing.ts'
import type { Point, Size } from '../../base/geometry.ts'

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
  const { element, kind } = formField.value
  const { locator } = element
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
  const clickResult = await act(element, 'clickable', 'the click', (options) => locator.click(options))
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
  const browser = page.context().browser()
  const acceptsFolders = engineOfPage(page) !== 'firefox' && !(browser && isApart(browser))
  const work =
    relativePaths && !acceptsFolders
      ? setFilesOfFolder(field, folder, relativePaths, deadline)
      : field.setInputFiles([...paths], playwrightOptions(deadline))
  return map(await attempt(work, toFailure), () => 'chosen' as const)
}

// Stock Firefox and a browser that is reached over CDP accept only files from automation, no folders. So the field accepts several files for a moment, and before the page is
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
  if (isFileTooLarge(error))
    return {
      code: 'BROWSER_ERROR',
      text: 'the files are larger than 50 MB in all, which is the most that CDP sends to a browser elsewhere',
      next: 'Pass smaller files, or use a local browser or --connect.',
    }
  return explainRefusal(element, error, 'click', 'the upload')
}

// Files or a folder from outside of the browser, dropped on an element. Chromium does it itself, so the page gets trusted events, and
// entries and folders as from a file manager; elsewhere Playwright dispatches the events with the files.
/** `unsupported`: a folder, and the browser is none that can drop it. */
type DropResult = 'dropped' | 'refused' | 'unsupported'

/** Drops files, or a folder, on an element that is in view. */
async function dropFiles(tab: Tab, element: ResolvedTarget, files: Upload): Promise<DropResult> {
  const { locator, deadline } = element
  // A trace contains what Playwright does, which can drop files but no folder.
  const findCdp = () => (files.relativePaths ? tab.recovery.cdp : untracedCdpSession(tab))
  // The files of a browser on another machine are not those of this one.
  const browser = tab.page.context().browser()
  const isOwnBrowser = browser !== null && browserPidOf(browser) !== undefined
  const cdp = isOwnBrowser ? await findCdp() : undefined
  const options = playwrightOptions(deadline)
  const watch = cdp && (await locator.evaluateHandle(watchDrop, undefined, options))
  const isWatching = await watch?.evaluate((value) => value !== undefined)
  if (cdp && watch && isWatching)
    return dropInChromium(tab.page, cdp, element, files, watch as JSHandle<DropWatch>)
  if (files.relativePaths) return 'unsupported'
  const result = await attempt(locator.drop({ files: [...files.paths] }, options), (error) => error)
  return result.ok ? 'dropped' : 'refused'
}

async function dropInChromium(
  page: Page,
  cdp: CdpSession,
  { locator, deadline }: ResolvedTarget,
  { paths }: Upload,
  watch: JSHandle<DropWatch>,
): Promise<DropResult> {
  const dispatch = async (type: 'dragEnter' | 'dragOver' | 'drop' | 'dragCancel', point: Point) =>
    void (await cdp.send('Input.dispatchDragEvent', {
      type,
      ...point,
      data: { items: [], files: [...paths], dragOperationsMask: COPY_OPERATION },
    }))
  try {
    const box = await locator.boundingBox(playwrightOptions(deadline))
    const viewport = await page.mainFrame().evaluate(() => ({ width: innerWidth, height: innerHeight }))
    if (!box) return 'refused'
    const point = middleOfVisiblePart(box, viewport)
    await dispatch('dragEnter', point)
    await dispatch('dragOver', point)
    // What accepts no drag gets no drop, and the browser must not do with the files what it does by itself.
    if (!(await watch.evaluate((drop) => drop.read('dragover')))) {
      await dispatch('dragCancel', point)
      return 'refused'
    }
    await dispatch('drop', point)
    return (await watch.evaluate((drop) => drop.read('drop')).catch(() => true)) ? 'dropped' : 'refused'
  } finally {
    await watch.evaluate((drop) => drop.dispose()).catch(() => {})
  }
}

const COPY_OPERATION = 1

function middleOfVisiblePart(box: Point & Size, viewport: Size): Point {
  const middle = (start: number, size: number, limit: number) =>
    (Math.max(0, start) + Math.min(limit, start + size)) / 2
  return {
    x: middle(box.x, box.width, viewport.width),
    y: middle(box.y, box.height, viewport.height),
  }
}
