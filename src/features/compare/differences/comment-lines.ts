// The part of a change that can have an effect: comments and blank lines change nothing that a user sees.

import type { ChangedFile, Hunk } from '../../lib/changes/changed-file.ts'

/** A file without the hunks that change comments and blank lines only; undefined if none is left. It is always the same one for a file. */
export function codeChangesOf(file: ChangedFile): ChangedFile | undefined {
  if (!filesWithCode.has(file)) filesWithCode.set(file, findCode(file))
  return filesWithCode.get(file)
}

// --- internal ---

const filesWithCode = new WeakMap<ChangedFile, ChangedFile | undefined>()

function findCode(file: ChangedFile): ChangedFile | undefined {
  const hunks = file.hunks.filter((hunk) => hasCode(hunk, file.path))
  // A picture has no hunks.
  if (hunks.length === file.hunks.length) return file
  return hunks.length === 0 ? undefined : { ...file, hunks }
}

const hasCode = (hunk: Hunk, path: string): boolean =>
  codeOf(hunk, path, '-').join('\n') !== codeOf(hunk, path, '+').join('\n')

const SLASHES_FILE = /\.([cm]?[jt]sx?|vue|svelte|astro|scss|less|php|go|rs|java|kt|cs|swift|dart)$/
const HASH_FILE = /\.(py|rb|sh|ya?ml|toml|pl|exs?)$/
const hasStars = (path: string): boolean => SLASHES_FILE.test(path) || path.endsWith('.css')
const TAGS_FILE = /\.(html?|vue|svelte|astro|php|erb|ejs|hbs)$/

/** The lines of one version of a hunk that are changed, without comments. */
function codeOf({ text }: Hunk, path: string, mark: '-' | '+'): readonly string[] {
  const rows = text.split('\n').slice(1)
  const version = rows.filter((row) => row.startsWith(mark) || !/^[-+\\]/.test(row))
  // Only stars at the beginning of a hunk may be a comment or a product: a comment is one that ends in the hunk.
  let isInside =
    hasStars(path) && (version.find((row) => /\/\*|\*\//.test(row))?.search(/^[^/]*\*\//) ?? -1) >= 0
  return version.flatMap((row) => {
    const line = row.slice(1).trim()
    const begins = hasStars(path) && /^\{?\/\*/.test(line)
    const isComment = isInside ? /^[^*]*(\*(?!\/)[^*]*)*(\*\/)?$/.test(line) : isWhole(line, path)
    if (begins) isInside = !line.includes('*/')
    else if (isInside) isInside = !line.includes('*/')
    return isComment || (begins && isInside) || line === '' || !row.startsWith(mark) ? [] : [row.slice(1)]
  })
}

const isWhole = (line: string, path: string): boolean =>
  (SLASHES_FILE.test(path) && line.startsWith('//')) ||
  (hasStars(path) && /^(\/\*((?!\*\/).)*\*\/|\{\/\*((?!\*\/).)*\*\/\})$/.test(line)) ||
  (HASH_FILE.test(path) && line.startsWith('#')) ||
  (TAGS_FILE.test(path) && /^<!--((?!-->).)*-->$/.test(line))
