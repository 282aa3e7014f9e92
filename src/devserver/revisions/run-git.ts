// Git of the user, which changes nothing: no lock and no refresh of the index, no hook, no monitor, no question. It has the tag of this run, so
// that it ends with it.

import { execFile } from 'node:child_process'
import { createChildEnvironment, type ServerContext } from '../process/start-context.ts'

const OUTPUT_LIMIT_BYTES = 50_000_000
const TIMEOUT_MS = 120_000
const SAFE_OPTIONS = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.quotePath=false',
  'gc.auto=0',
  // `git diff` writes the index anew in spite of GIT_OPTIONAL_LOCKS.
  'diff.autoRefreshIndex=false',
]
/** They would name another repository than the one of the folder. */
const REPOSITORY_VARIABLE =
  /^GIT_(DIR|WORK_TREE|INDEX_FILE|COMMON_DIR|OBJECT_DIRECTORY|PREFIX|NAMESPACE|EXTERNAL_DIFF)$/

export interface GitOutput {
  readonly isOk: boolean
  readonly stdout: string
  readonly stderr: string
}

export type RunGit = (
  folder: string,
  args: readonly string[],
  signal?: AbortSignal,
  input?: string,
) => Promise<GitOutput>

export function createRunGit({
  run,
  tag,
  parentEnv,
}: Pick<ServerContext, 'run' | 'tag' | 'parentEnv'>): RunGit {
  const inherited = Object.entries(parentEnv).filter(([name]) => !REPOSITORY_VARIABLE.test(name))
  const variables = { GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' }
  const env = createChildEnvironment({ run, tag }, variables, Object.fromEntries(inherited))
  const options = SAFE_OPTIONS.flatMap((option) => ['-c', option])
  return (cwd, args, signal, input) =>
    new Promise((resolve) => {
      const limits = { timeout: TIMEOUT_MS, maxBuffer: OUTPUT_LIMIT_BYTES, ...(signal && { signal }) }
      const child = execFile('git', [...options, ...args], { cwd, env, ...limits }, (error, stdout, stderr) =>
        resolve({ isOk: error === null, stdout, stderr: stderr || (error?.message ?? '') }),
      )
      // Git may end before it has read all.
      child.stdin?.on('error', () => {})
      if (input !== undefined) child.stdin?.end(input)
    })
}
