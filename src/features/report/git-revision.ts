// The commit and branch of a work tree, read from the files of git: no process is started for them.

import { join, resolve } from 'node:path'
import { findGitFolder, readGitFile } from '../lib/pull-request/git-folder.ts'

interface Revision {
  /** Undefined before the first one. */
  readonly commit: string | undefined
  /** Undefined where none is checked out. */
  readonly branch?: string
}

/** Undefined where nothing is found. */
export function readRevision(folder: string): Revision | undefined {
  const git = findGitFolder(resolve(folder))
  const head = git === undefined ? undefined : readGitFile(join(git, 'HEAD'))
  if (git === undefined || head === undefined) return undefined
  const [, ref] = /^ref: (refs\/[^\s:]+)$/.exec(head) ?? []
  if (ref === undefined) return { commit: shorten(head) }
  const common = resolve(git, readGitFile(join(git, 'commondir')) ?? '.')
  const packed = () => {
    const lines = readGitFile(join(common, 'packed-refs'))?.split('\n')
    return lines?.find((line) => line.endsWith(` ${ref}`))
  }
  const commit = shorten(readGitFile(join(common, ref)) ?? packed() ?? '')
  return { commit, branch: ref.replace(/^refs\/heads\//, '') }
}

// --- internal ---

const shorten = (text: string): string | undefined => /^[0-9a-f]{12}/.exec(text)?.[0]
