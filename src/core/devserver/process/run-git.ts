// Git of the user, which changes nothing and runs nothing that a repository names: no lock and no refresh of the index, no hook, no monitor, no
// question, no remote. It has the tag of the run of a server, so that it ends with it.

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createChildEnvironment, type ServerContext } from './start-context.ts'

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
  /** Whether there is no git. */
  readonly isMissing?: boolean
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
}: Pick<ServerContext, 'parentEnv'> & Partial<Pick<ServerContext, 'run' | 'tag'>>): RunGit {
  const inherited = Object.entries(parentEnv).filter(([name]) => !REPOSITORY_VARIABLE.test(name))
  const variables = {
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    // A clone without all objects would fetch them, with the commands of its configuration.
    GIT_ALLOW_PROTOCOL: '',
    LC_ALL: 'C',
    [EMPTY_VARIABLE]: '',
  }
  const tags = run !== undefined && tag !== undefined ? { run, tag } : undefined
  const env = createChildEnvironment(tags, variables, Object.fromEntries(inherited))
  const options = SAFE_OPTIONS.flatMap((option) => ['-c', option])
  return (cwd, args, signal, input) =>
    new Promise((resolve) => {
      const limits = { timeout: TIMEOUT_MS, maxBuffer: OUTPUT_LIMIT_BYTES, signal }
      const child = execFile('git', [...options, ...args], { cwd, env, ...limits }, (error, stdout, stderr) =>
        resolve({
          isOk: error === null,
          stdout,
          stderr: stderr || (error?.message ?? ''),
          isMissing: error?.code === 'ENOENT' && existsSync(cwd),
        }),
      )
      // Git may end before it has read all.
      child.stdin?.on('error', () => {})
      if (input !== undefined) child.stdin?.end(input)
    })
}

export interface UnfilteredGit {
  readonly git: RunGit
  /** The names of the filters that do not run. */
  readonly filters: readonly string[]
}

/** Git without the filters that the configuration of the repository itself names: they are commands of whoever made it. Those of the user run. */
export async function withoutOwnFilters(git: RunGit, folder: string): Promise<UnfilteredGit> {
  const query = ['config', '-z', '--show-scope', '--includes', '--get-regexp', '^filter\\.']
  const { stdout } = await git(folder, query)
  const fields = stdout.split('\0')
  const keys = fields.flatMap((scope, index) =>
    index % 2 === 0 && /^(local|worktree)$/.test(scope) ? (fields[index + 1] ?? '').split('\n', 1) : [],
  )
  const filters = [...new Set(keys.map((key) => key.slice('filter.'.length, key.lastIndexOf('.'))))]
  const options = filters.flatMap((name) =>
    FILTER_FIELDS.map((field) => `--config-env=filter.${name}.${field}=${EMPTY_VARIABLE}`),
  )
  return { git: (cwd, args, ...rest) => git(cwd, [...options, ...args], ...rest), filters }
}

// --- internal ---

const EMPTY_VARIABLE = 'FOOTLIGHT_EMPTY'
const FILTER_FIELDS = ['clean', 'smudge', 'process', 'required']
