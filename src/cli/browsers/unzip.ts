import { createWriteStream, mkdirSync, realpathSync, symlinkSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { text } from 'node:stream/consumers'
import { openPromise, type Entry } from 'yauzl'
import { isLinkInside } from './kit-manifest.ts'

const FILE_TYPE_MASK = 0o170000
const SYMLINK_TYPE = 0o120000

/** Unpacks a zip into a new folder, with its modes and the links that stay within. Rejects where an entry would leave the folder. */
export async function unzip(file: string, folder: string): Promise<void> {
  mkdirSync(folder)
  const root = realpathSync(folder)
  const zip = await openPromise(file, { autoClose: false })
  const links: [string, string][] = []
  try {
    for await (const entry of zip.eachEntry()) {
      const name = entry.fileName
      const path = join(root, posix.normalize(name))
      if (name.endsWith('/')) mkdirSync(path, { recursive: true })
      if (name.endsWith('/')) continue
      mkdirSync(dirname(path), { recursive: true })
      const stream = await zip.openReadStreamPromise(entry)
      if (isLink(entry)) links.push([name, await text(stream)])
      else await pipeline(stream, createWriteStream(path, { flags: 'wx', mode: modeOf(entry) }))
    }
  } finally {
    zip.close()
  }
  // Last, so that no file is written through one.
  for (const [name, target] of links) {
    if (!isLinkInside(name, target))
      throw new Error(`the link ${name} points out of the folder, to ${target}`)
    symlinkSync(target, join(root, name))
  }
}

const isLink = (entry: Entry): boolean =>
  ((entry.externalFileAttributes >>> 16) & FILE_TYPE_MASK) === SYMLINK_TYPE

const modeOf = (entry: Entry): number =>
  ((entry.externalFileAttributes >>> 16) & 0o111) === 0 ? 0o644 : 0o755
