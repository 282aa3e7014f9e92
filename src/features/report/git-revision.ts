// The commit and branch of a work tree, read from the files of git: no process is started for them.

import { dirname, join, resolve } from 'node:path'
import { readRegularFile } from '../../core/base/files/read-regular-file.ts'

/** `1a2b3c4d5e6f main`; undefined where nothing is found. */
export function readRevision(folder: string): string | undefined {
  const git = findGitFolder(resolve(folder))
  const head = git === undefined ? undefined : readText(join(git, 'HEAD'))
  if (git === undefined || head === undefined) return undefined
  const [, ref] = /^ref: (refs\/[^\s:]+)$/.exec(head) ?? []
  if (ref === undefined) return shorten(head)
  const common = resolve(git, readText(join(git, 'commondir')) ?? '.')
  const packed = () => {
    const lines = readText(join(common, 'packed-refs'))?.split('\n')
    return lines?.find((line) => line.endsWith(` ${ref}`))
  }
  const commit = shorten(readText(join(common, ref)) ?? packed() ?? '')
  return commit && `${commit} ${ref.replace(/^refs\/heads\//, '')}`
}

// --- internal ---

const shorten = (text: string): string | undefined => /^[0-9a-f]{12}/.exec(text)?.[0]

const FILE_LIMIT_BYTES = 20_000_000

const readText = (path: string): string | undefined =>
  readRegularFile(path, FILE_LIMIT_BYTES)?.toString('utf8').trim()

// A work tree beside the main one has a file that names its folder.
function findGitFolder(folder: string): string | undefined {
  const path = join(folder, '.git')
  if (readText(join(path, 'HEAD')) !== undefined) return path
  const [, target] = /^gitdir: (.+)$/.exec(readText(path) ?? '') ?? []
  if (target !== undefined) return resolve(folder, target)
  const parent = dirname(folder)
  return parent === folder ? undefined : findGitFolder(parent)
}
