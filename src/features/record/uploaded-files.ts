// The files that a person chose for a page. The page knows their contents but not where they are, so a test gets copies beside it.

import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import type { Outcome } from '../../core/base/failure.ts'
import type { Files } from '../../core/base/files/files.ts'
import { ok } from '../../core/base/result.ts'
import { sanitizeFileName } from '../../core/base/text/clip.ts'
import type { RecordedStep } from '../../core/sessions/types/recorded-step.ts'
import type { StoreFiles } from '../lib/recording/notice-actions.ts'

/** Stores files in a temporary folder while the recording goes on. */
export const createTemporaryStore =
  (folder: string): StoreFiles =>
  async (files) => {
    const target = join(folder, crypto.randomUUID())
    await mkdir(target)
    return Promise.all(
      files.map(async ({ name, content }) => {
        const path = join(target, sanitizeFileName(name))
        await writeFile(path, content)
        return path
      }),
    )
  }

/** The steps with copies in this folder in place of the temporary files. A file with the same name and contents is used as it is. */
export async function storeUploads(
  steps: readonly RecordedStep[],
  folder: string,
  files: Files,
): Promise<Outcome<readonly RecordedStep[]>> {
  const storedSteps: RecordedStep[] = []
  for (const step of steps) {
    if (step.action.kind !== 'upload') {
      storedSteps.push(step)
      continue
    }
    const paths: string[] = []
    for (const path of step.action.paths) {
      const copy = await storeCopy(await readFile(path), basename(path), folder, files)
      if (!copy.ok) return copy
      paths.push(copy.value)
    }
    storedSteps.push({ ...step, action: { ...step.action, paths } })
  }
  return ok(storedSteps)
}

// --- internal ---

async function storeCopy(
  content: Buffer,
  name: string,
  folder: string,
  files: Files,
): Promise<Outcome<string>> {
  for (let number = 1; ; number += 1) {
    const ending = extname(name)
    const stem = name.slice(0, name.length - ending.length)
    const path = join(folder, number === 1 ? name : `${stem}-${number}${ending}`)
    const existing = await files.readIfExists(path)
    if (!existing.ok) return existing
    if (existing.value === undefined)
      return files.create(path, content, { createsFolders: true, isShared: true })
    if (content.equals(existing.value)) return ok(files.resolve(path))
  }
}
