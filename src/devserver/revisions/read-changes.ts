// What the work tree has changed since a commit.

import { readFileSync, realpathSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { RunGit } from './run-git.ts'
import { addedFile, parseDiff, type ChangedFile } from '../../core/comparison/changed-file.ts'

const FILE_LIMIT_BYTES = 500_000
const NEW_FILE_LIMIT = 100
/** Whose texts tell to what a changed line belongs. */
const STYLE_FILE = /\.(css|scss|sass|less|styl|vue|svelte|astro|html)$/

/** The changes below and beside `folder`, with paths relative to it. */
export async function readChanges(
  folder: string,
  commit: string,
  git: RunGit,
): Promise<readonly ChangedFile[]> {
  const root = await git(folder, ['rev-parse', '--show-toplevel'])
  if (!root.isOk) return []
  const top = root.stdout.trim()
  const options = ['--no-ext-diff', '--no-textconv', '--no-color', '--no-renames', '--unified=3']
  const changed = await git(top, ['diff', ...options, '--src-prefix=a/', '--dst-prefix=b/', commit, '--'])
  const listed = await git(top, ['ls-files', '--others', '--exclude-standard', '-z'])
  const paths = listed.stdout.split('\0').filter(Boolean).slice(0, NEW_FILE_LIMIT)
  const added = paths.flatMap((path) => {
    const content = readText(join(top, path))
    return content === undefined || content.includes('\0') ? [] : [addedFile(path, content)]
  })
  const base = realpathSync(folder)
  return [...parseDiff(changed.stdout), ...added].map((file) => {
    const content = STYLE_FILE.test(file.path) ? readText(join(top, file.path)) : undefined
    const path = relative(base, join(top, file.path)).replaceAll('\\', '/')
    return { ...file, path, ...(content !== undefined && { content }) }
  })
}

// --- internal ---

function readText(path: string): string | undefined {
  try {
    return statSync(path).size <= FILE_LIMIT_BYTES ? readFileSync(path, 'utf8') : undefined
  } catch {
    return undefined
  }
}
