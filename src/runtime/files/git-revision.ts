// The commit and branch of a work tree, read from the files of git: no process is started for them.

import { readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'

/** `1a2b3c4d5e6f main`; undefined where nothing is found. */
export async function readRevision(folder: string): Promise<string | undefined> {
  const git = await findGitFolder(resolve(folder))
  const head = git === undefined ? undefined : await readLine(join(git, 'HEAD'))
  if (git === undefined || head === undefined) return undefined
  const [, ref] = /^ref: (refs\/[^\s:]+)$/.exec(head) ?? []
  if (ref === undefined) return shorten(head)
  const common = resolve(git, (await readLine(join(git, 'commondir'))) ?? '.')
  const packed = async () => {
    const lines = (await readFile(join(common, 'packed-refs'), 'utf8').catch(() => '')).split('\n')
    return lines.find((line) => line.endsWith(` ${ref}`))
  }
  const commit = shorten((await readLine(join(common, ref))) ?? (await packed()) ?? '')
  return commit && `${commit} ${ref.replace(/^refs\/heads\//, '')}`
}

// --- internal ---

const shorten = (text: string): string | undefined => /^[0-9a-f]{12}/.exec(text)?.[0]

const readLine = (path: string): Promise<string | undefined> =>
  readFile(path, 'utf8').then(
    (text) => text.trim(),
    () => undefined,
  )

// A work tree beside the main one has a file that names its folder.
async function findGitFolder(folder: string): Promise<string | undefined> {
  const path = join(folder, '.git')
  if ((await readLine(join(path, 'HEAD'))) !== undefined) return path
  const [, target] = /^gitdir: (.+)$/.exec((await readLine(path)) ?? '') ?? []
  if (target !== undefined) return resolve(folder, target)
  const parent = dirname(folder)
  return parent === folder ? undefined : findGitFolder(parent)
}
