// A repository in a folder of its own, and the change that verify reads of it.

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { createRunGit } from '../../../../src/core/devserver/process/run-git.ts'
import { readChange } from '../../../../src/features/verify/change/read-change.ts'

export const gitEnvironment = {
  ...process.env,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_ALLOW_PROTOCOL: 'file',
}

const WHO = ['-c', 'user.name=a', '-c', 'user.email=a@example.org']

/** `prepare` are the words of git that make it; its files are committed then. */
export function openRepository(files: Readonly<Record<string, string>> = {}, branch = 'main') {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'fl-change-')))
  const top = join(home, 'tree')
  const gitIn = (folder: string, ...words: readonly string[]): string =>
    execFileSync('git', [...WHO, ...words], {
      cwd: folder,
      encoding: 'utf8',
      env: gitEnvironment,
      stdio: ['pipe', 'pipe', 'pipe'],
    })
  const git = (...words: readonly string[]) => gitIn(top, ...words)
  const write = (path: string, text: string | Uint8Array) => {
    mkdirSync(dirname(join(top, path)), { recursive: true })
    writeFileSync(join(top, path), text)
  }
  const begin = (folder: string) => {
    mkdirSync(folder, { recursive: true })
    gitIn(folder, 'init', '--quiet', '--initial-branch', branch)
  }
  const commit = (folder = top) => {
    gitIn(folder, 'add', '--all')
    gitIn(folder, 'commit', '--quiet', '--allow-empty', '--message=work')
    return gitIn(folder, 'rev-parse', 'HEAD').trim()
  }
  const readOutcome = (folder = top, base?: string, began?: string) =>
    readChange(createRunGit({ parentEnv: gitEnvironment }), folder, base, async () => began)
  begin(top)
  for (const [path, text] of Object.entries(files)) write(path, text)
  commit()
  return {
    ...{ home, top, git, gitIn, write, begin, commit, readOutcome },
    async read(folder?: string, base?: string, began?: string) {
      const change = await readOutcome(folder, base, began)
      if (!change.ok) throw new Error(JSON.stringify(change.error))
      return change.value
    },
    close: () => rmSync(home, { recursive: true, force: true }),
  }
}

export type Repository = ReturnType<typeof openRepository>
