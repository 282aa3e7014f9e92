// Where the source of a script lies in the folder of the dev server. Only the existence of files is read, and for a script without a source
// map whether a file has the same text.

import { realpath, stat } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { readRegularFile } from '../../core/base/files/read-regular-file.ts'
import { isBelow } from '../../core/base/files/workspace-roots.ts'
import { candidatePaths, type SourcePath } from '../../core/base/text/source-path.ts'

/** The path to show for a source: relative to `folder`, the folder of the server that served its script. A source that is not there is shown
 * by the path of its URL, or not at all if it has none. A library, which lies above the folder in a workspace, is shown as if it were there.
 * Without a folder, paths of the machine are not shown. */
export async function placeSource(
  source: SourcePath,
  folder: string | undefined,
): Promise<string | undefined> {
  const { kind, path } = source
  if (folder === undefined) return kind === 'file' ? undefined : path
  for (const candidate of candidatePaths(source, folder))
    if ((await sizeOfFile(join(folder, candidate))) !== undefined) return candidate
  return kind === 'url' ? `/${path}` : LIBRARY.exec(path)?.[1]
}

/** Folders whose files servers serve at their root. */
const STATIC_FOLDERS = ['', 'public', 'static', 'src', 'app', 'dist', 'www']

/** The path of the file below `folder` that was served as this script without a change, or undefined. */
export async function findServedFile(
  source: SourcePath,
  script: string,
  folder: string,
): Promise<string | undefined> {
  const size = Buffer.byteLength(script)
  for (const candidate of candidatePaths(source, folder).flatMap(inStaticFolders)) {
    const file = join(folder, candidate)
    const more = ((await sizeOfFile(file)) ?? NaN) - size
    if (more !== 0 && more !== MARK_BYTES) continue
    // A browser takes the mark of byte order off.
    const text = readRegularFile(file, size + MARK_BYTES)?.toString('utf8')
    if (text === script || text === `\uFEFF${script}`) return candidate
  }
  return undefined
}

const MARK_BYTES = 3

/** The text of a file below `folder`, whose path is relative to it; undefined if it is outside, also by a link, missing or too large. */
export async function readSourceFile(folder: string, file: string): Promise<string | undefined> {
  if (file.startsWith('..') || file.startsWith('/')) return undefined
  const [root, path] = await Promise.all(
    [folder, posix.join(folder, file)].map((name) => realpath(name).catch(() => undefined)),
  )
  if (root === undefined || path === undefined || !isBelow(path, root)) return undefined
  return readRegularFile(path, SOURCE_LIMIT_BYTES)?.toString('utf8')
}

// --- internal ---

const SOURCE_LIMIT_BYTES = 500_000
const LIBRARY = /^(?:.*\/)?(node_modules\/.+)$/

const inStaticFolders = (path: string): readonly string[] =>
  STATIC_FOLDERS.map((name) => posix.join(name, path))

async function sizeOfFile(path: string): Promise<number | undefined> {
  const entry = await stat(path).catch(() => undefined)
  return entry?.isFile() ? entry.size : undefined
}
