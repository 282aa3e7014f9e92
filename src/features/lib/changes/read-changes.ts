// What the work tree has changed since a commit.

import { lstatSync, readlinkSync, realpathSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import type { Outcome } from '../../../core/base/failure.ts'
import { readFileBelow } from '../../../core/base/files/read-regular-file.ts'
import { ok } from '../../../core/base/result.ts'
import type { RunGit } from '../../../core/devserver/process/run-git.ts'
import { addedFile, type ChangedFile, parseDiff } from './changed-file.ts'
import { findTop } from './find-base.ts'

const FILE_LIMIT_BYTES = 500_000
const SUM_LIMIT_BYTES = 5_000_000
const NEW_FILE_LIMIT = 100
/** Whose texts tell to what a changed line belongs. */
const STYLE_FILE = /\.(css|scss|sass|less|styl|vue|svelte|astro|html)$/

/** The changes below and beside `folder`, with paths relative to it. */
export async function readChanges(
  folder: string,
  commit: string,
  git: RunGit,
): Promise<Outcome<readonly ChangedFile[]>> {
  const root = await findTop(git, folder)
  if (!root.ok) return root
  const top = root.value
  const read = createReader(realpathSync(top), SUM_LIMIT_BYTES)
  const options = ['-p', '--no-renames', '--unified=3', '--src-prefix=a/', '--dst-prefix=b/']
  const changed = await git(top, ['diff-index', ...options, commit, '--'])
  if (!changed.ok) return changed
  const listed = await git(top, ['ls-files', '--others', '--exclude-standard', '-z'])
  if (!listed.ok) return listed
  const paths = listed.value.split('\0').filter(Boolean).slice(0, NEW_FILE_LIMIT)
  const added = paths.flatMap((path) => {
    const content = read(join(top, path))
    return content === undefined || content.includes('\0') ? [] : [addedFile(path, content)]
  })
  const base = realpathSync(folder)
  const files = [...parseDiff(changed.value), ...added].map((file) => {
    const content = STYLE_FILE.test(file.path) ? read(join(top, file.path)) : undefined
    const path = relative(base, join(top, file.path)).split(sep).join('/')
    return { ...file, path, ...(content !== undefined && { content }) }
  })
  return ok(files)
}

// --- internal ---

/** Reads files, up to a sum. A link is the text of its target, as it is for git, and what is no file has none: a pipe would never end. */
function createReader(root: string, limitBytes: number): (path: string) => string | undefined {
  let left = limitBytes
  return (path) => {
    try {
      const text = lstatSync(path).isSymbolicLink()
        ? readlinkSync(path)
        : readFileBelow(path, root, Math.min(left, FILE_LIMIT_BYTES))?.toString('utf8')
      left -= text?.length ?? 0
      return text
    } catch {
      return undefined
    }
  }
}
