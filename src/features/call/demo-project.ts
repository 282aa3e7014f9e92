// The project of the demo: one script in a git repository of its own, which is edited on the way.

import { mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { removeFolder } from '../../core/base/files/remove-folder.ts'
import { createRunGit, type GitQuestion } from '../../core/devserver/process/run-git.ts'
import { SEND_SCRIPT, SEND_SCRIPT_NAME } from './demo-app.ts'

export interface DemoProject {
  readonly folder: string
  /** Whether git is there to tell what was edited. */
  readonly hasGit: boolean
  edit(): void
  remove(): void
}

const EDITED_SCRIPT = SEND_SCRIPT.replace(
  `  state.textContent = 'Sent ' + list.children.length + ' items'`,
  `  const count = list.children.length
  state.textContent = 'Sent ' + count + (count === 1 ? ' item' : ' items')`,
)

export async function createDemoProject(): Promise<DemoProject> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'footlight-demo-')))
  const path = join(folder, SEND_SCRIPT_NAME)
  writeFileSync(path, SEND_SCRIPT)
  const git = createRunGit({ run: 'demo', tag: 'demo', parentEnv: process.env })
  const questions: readonly GitQuestion[] = [
    ['init', '--quiet'],
    ['config', '--local', 'user.name', 'demo'],
    ['config', '--local', 'user.email', 'demo@localhost'],
    ['add', '.'],
    ['commit', '--quiet', '-m', 'The list'],
  ]
  const results = []
  for (const question of questions) results.push(await git(folder, question))
  return {
    folder,
    hasGit: results.every(({ ok }) => ok),
    edit: () => writeFileSync(path, EDITED_SCRIPT),
    remove: () => removeFolder(folder),
  }
}
