// Giving files, or a folder, to a file field or to the chooser that an element opens.

import { basename, join, sep } from 'node:path'
import type { ElementHandle, Locator, Page } from 'playwright'
import { attempt, browserError, plain } from './failures.ts'
import { findField } from './field.ts'
import { refused } from './refused.ts'
import { nameOf } from './target.ts'
import type { Failure, Outcome } from '../core/failure.ts'
import { err } from '../core/result.ts'
import type { Call, Target, Upload } from '../runtime/ports/page.ts'

export async function upload(page: Page, target: Target, given: Upload, call: Call): Promise<Outcome<void>> {
  const found = await findField(page, target, call)
  if (!found.ok) return found
  const { locator, kind, rest } = found.value
  const failed = (error: Error) => notUploaded(locator, target, call, error)
  if (kind === 'file') {
    const field = await attempt(locator.evaluateHandle(controlOf, undefined, { ...rest() }), failed)
    return field.ok ? give(page, field.value as FileField, given, rest(), failed) : field
  }
  const opening = page.waitForEvent('filechooser', { timeout: rest().timeout }).catch((error: Error) => error)
  const clicked = await attempt(locator.click(rest()), (error) =>
    refused(locator, target, call, error, 'click', 'the click'),
  )
  if (!clicked.ok) return clicked
  const chooser = await opening
  if (chooser instanceof Error)
    return err(invalid('selector', 'a file field, or what opens a file chooser when clicked', nameOf(target)))
  return give(page, chooser.element() as FileField, given, rest(), failed)
}

// --- internal ---

// Runs inside the page. A label stands for its field.
const controlOf = (element: Element): Element =>
  (element instanceof HTMLLabelElement && element.control) || element

type FileField = ElementHandle<HTMLInputElement>

async function give(
  page: Page,
  field: FileField,
  { paths, below }: Upload,
  { timeout }: Call,
  failed: (error: Error) => Promise<Failure>,
): Promise<Outcome<void>> {
  const asked = await attempt(
    field.evaluate((input) => input.webkitdirectory),
    browserError,
  )
  if (!asked.ok) return asked
  if (below && !asked.value) return err(invalid('paths', 'files: this field takes no folder', 'a folder'))
  if (!below && asked.value)
    return err(invalid('paths', 'one folder: this field takes nothing else', 'files'))
  const [folder = ''] = paths
  const isFirefox = page.context().browser()?.browserType().name() === 'firefox'
  return attempt(
    below && isFirefox
      ? giveOneByOne(field, folder, below, timeout)
      : field.setInputFiles([...paths], { timeout }),
    failed,
  )
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
  const done = await field.evaluateHandle(takeSeveral, shown)
  try {
    await field.setInputFiles(
      below.map((path) => join(folder, path)),
      { timeout },
    )
  } finally {
    await done.evaluate((restore) => restore()).catch(() => {})
  }
}

// Runs inside the page.
function takeSeveral(input: HTMLInputElement, paths: string[]): () => void {
  const { multiple } = input
  const restore = () => {
    for (const type of ['input', 'change']) window.removeEventListener(type, restore, true)
    input.webkitdirectory = true
    input.multiple = multiple
    const files = [...(input.files ?? [])]
    files.forEach((file, index) =>
      Object.defineProperty(file, 'webkitRelativePath', { value: paths[index] ?? file.name }),
    )
  }
  for (const type of ['input', 'change']) window.addEventListener(type, restore, true)
  input.webkitdirectory = false
  input.multiple = true
  return restore
}

async function notUploaded(locator: Locator, target: Target, call: Call, error: Error): Promise<Failure> {
  if (/Non-multiple file input/.test(plain(error)))
    return invalid('paths', 'one file for this field', 'several')
  if (/ENOENT/.test(error.message)) return browserError(error)
  return refused(locator, target, call, error, 'click', 'the upload')
}

const invalid = (field: string, expected: string, received: string): Failure => ({
  code: 'INVALID_PARAMETERS',
  field,
  expected,
  received,
})
