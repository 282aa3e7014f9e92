// The one reader of git, which changes nothing and runs nothing that a repository names: no filter, hook or monitor, no program that shows
// differences or signs, no pager, no question, no remote, no lock and no refresh of the index. It has the tag of the run of a server, so that it
// ends with it.

import { execFile } from 'node:child_process'
import type { Failure, Outcome } from '../../base/failure.ts'
import { err, ok } from '../../base/result.ts'
import { findOnPath } from './spawn-command.ts'
import { createChildEnvironment, type ServerContext } from './start-context.ts'

/** What may be asked, with the options that are always given. Nothing else is: it would read the settings for people. */
const QUESTIONS = {
  'cat-file': [],
  'check-ignore': [],
  config: ['--includes'],
  // Git itself would ask the repositories inside, each with its own configuration.
  'diff-index': [
    '--no-ext-diff',
    '--no-textconv',
    '--ignore-submodules=dirty',
    '--no-color',
    '--no-relative',
  ],
  'for-each-ref': [],
  'hash-object': [],
  'ls-files': [],
  'merge-base': [],
  reflog: ['show', '--no-show-signature', '--no-patch'],
  'rev-list': [],
  'rev-parse': [],
  'symbolic-ref': [],
  // Those that write, into folders that Footlight has made.
  add: [],
  commit: ['--no-verify', '--no-gpg-sign'],
  init: ['--template='],
  worktree: [],
} as const

export type GitQuestion = readonly [keyof typeof QUESTIONS, ...(readonly string[])]

interface GitOptions {
  readonly signal?: AbortSignal | undefined
  readonly input?: string
  /** Of the answer; latin1 keeps each byte. */
  readonly encoding?: 'utf8' | 'latin1'
}

/** Fails with GIT_FAILED where there is no whole answer, also for what git answers with "no", or with CANCELLED. */
export type RunGit = (folder: string, question: GitQuestion, options?: GitOptions) => Promise<Outcome<string>>

export function createRunGit({
  run,
  tag,
  parentEnv,
}: Pick<ServerContext, 'parentEnv'> & Partial<Pick<ServerContext, 'run' | 'tag'>>): RunGit {
  const tags = run !== undefined && tag !== undefined ? { run, tag } : undefined
  const inherited = Object.entries(parentEnv).filter(([name]) => !/^GIT_/i.test(name) || USERS.test(name))
  const env = createChildEnvironment(tags, VARIABLES, Object.fromEntries(inherited))
  return async (folder, question, options = {}) => {
    const program = findOnPath('git', env)
    if (program === undefined)
      return err({
        code: 'GIT_FAILED',
        question: question[0],
        words: 'git is not installed',
        isMissing: true,
      })
    const start = (settings = env) => startGit({ program, folder, question, env: settings, ...options })
    if (!RUNS_COMMANDS.has(question[0])) return start()
    const named = await findCommands(folder, program, env)
    return named.ok ? start(withoutCommands(env, named.value)) : named
  }
}

/** The answer to a question that git may also answer with "no": then undefined. */
export function orNo(answer: Outcome<string>): Outcome<string | undefined> {
  if (answer.ok) return answer
  const { error } = answer
  return error.code === 'GIT_FAILED' && error.status === 1 && error.words === '' ? ok(undefined) : answer
}

/** The names of the filters that the configuration of a repository itself has. */
export async function findOwnFilters(git: RunGit, folder: string): Promise<Outcome<readonly string[]>> {
  const listed = orNo(await git(folder, COMMANDS_QUESTION))
  if (!listed.ok) return listed
  const keys = ownKeysOf(listed.value).filter((key) => key.startsWith('filter.'))
  return ok([...new Set(keys.map((key) => key.slice('filter.'.length, key.lastIndexOf('.'))))])
}

// --- internal ---

const OUTPUT_LIMIT_BYTES = 50_000_000
const TIMEOUT_MS = 120_000
const WORDS_LIMIT_CHARS = 500

/** The variables of the user that say where the configuration is. All others may name another repository than that of the folder, or a
 * program. */
const USERS = /^GIT_(CONFIG_|CEILING_DIRECTORIES$|DISCOVERY_ACROSS_FILESYSTEM$|EXEC_PATH$)/i
const VARIABLES = {
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  // A clone without all objects would fetch them, with the commands of its configuration.
  GIT_ALLOW_PROTOCOL: '',
  GIT_NO_LAZY_FETCH: '1',
  LC_ALL: 'C',
}
const SAFE_WORDS = [
  '--no-pager',
  ...[
    'core.hooksPath=/dev/null',
    'core.fsmonitor=false',
    'core.quotePath=false',
    'core.sshCommand=false',
    'gc.auto=0',
    'maintenance.auto=false',
    'submodule.recurse=false',
  ].flatMap((setting) => ['-c', setting]),
]
/** Those that read or write files of a work tree, or have hooks. */
const RUNS_COMMANDS: ReadonlySet<string> = new Set(['diff-index', 'hash-object', 'add', 'commit', 'worktree'])
const COMMANDS_QUESTION: GitQuestion = ['config', '-z', '--show-scope', '--get-regexp', '^(filter|hook)\\.']

const wordsOf = ([command, ...words]: GitQuestion): readonly string[] => [
  // A name may begin like a pattern.
  ...(command === 'diff-index' ? ['--literal-pathspecs'] : []),
  command,
  ...QUESTIONS[command],
  ...words,
]

/** The settings of a repository itself that name commands, or belong to such. Those of the user are left. */
async function findCommands(
  folder: string,
  program: string,
  env: Readonly<Record<string, string>>,
): Promise<Outcome<readonly string[]>> {
  const listed = orNo(await startGit({ program, folder, question: COMMANDS_QUESTION, env }))
  return listed.ok ? ok(ownKeysOf(listed.value)) : listed
}

function ownKeysOf(listed = ''): readonly string[] {
  const fields = listed.split('\0')
  return fields.flatMap((scope, index) =>
    index % 2 === 0 && /^(local|worktree)$/.test(scope) ? (fields[index + 1] ?? '').split('\n', 1) : [],
  )
}

/** The variables with each of the settings emptied, after those that the user has there. */
function withoutCommands(
  env: Readonly<Record<string, string>>,
  keys: readonly string[],
): Readonly<Record<string, string>> {
  const first = Number(env['GIT_CONFIG_COUNT'] ?? 0)
  const emptied = [...new Set(keys)].flatMap((key, index) => [
    [`GIT_CONFIG_KEY_${first + index}`, key],
    [`GIT_CONFIG_VALUE_${first + index}`, ''],
  ])
  const count = String(first + emptied.length / 2)
  return { ...env, ...Object.fromEntries(emptied), GIT_CONFIG_COUNT: count }
}

interface Start extends GitOptions {
  readonly program: string
  readonly folder: string
  readonly question: GitQuestion
  readonly env: Readonly<Record<string, string>>
}

function startGit({ program, folder, question, env, signal, input, encoding = 'utf8' }: Start) {
  return new Promise<Outcome<string>>((resolve) => {
    const limits = { timeout: TIMEOUT_MS, maxBuffer: OUTPUT_LIMIT_BYTES, encoding, windowsHide: true }
    const words = [...SAFE_WORDS, ...wordsOf(question)]
    const child = execFile(
      program,
      words,
      { cwd: folder, env, signal, ...limits },
      (error, stdout, stderr) => {
        if (error === null) resolve(ok(stdout))
        else resolve(err(failureOf(question[0], error, stderr, signal)))
      },
    )
    // Git may end before it has read all.
    child.stdin?.on('error', () => {})
    child.stdin?.end(input ?? '')
  })
}

function failureOf(
  question: string,
  error: { readonly code?: string | number | null; readonly message: string; readonly killed?: boolean },
  stderr: string,
  signal: AbortSignal | undefined,
): Failure {
  if (signal?.aborted && signal.reason?.name !== 'TimeoutError') return { code: 'CANCELLED' }
  const failure = { code: 'GIT_FAILED', question } as const
  if (error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER')
    return { ...failure, words: `its answer is larger than ${OUTPUT_LIMIT_BYTES / 1_000_000} MB` }
  if (error.killed || signal?.aborted) return { ...failure, words: 'it did not answer in time' }
  const words = stderr.trim().slice(0, WORDS_LIMIT_CHARS)
  return typeof error.code === 'number'
    ? { ...failure, words, status: error.code }
    : { ...failure, words: words || error.message }
}
