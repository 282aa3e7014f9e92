// A mark that all descendants of a command have, whatever they do with their environment, their session and their output: Linux has a limit
// for file locks, which every child inherits, and which it does not enforce. The soft limit is the tree, the hard limit the run.

import { accessSync, constants } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import process from 'node:process'
import { readFile, readProcFile } from '../../base/system/proc-files.ts'
import type { Command } from './spawn-command.ts'

interface Tags {
  readonly run: string
  readonly tag: string
}

/** The command with the mark; as it is where the system has none, and for a program that is called by another name. */
export function markCommand(command: Command, { run, tag }: Tags): Command {
  const limits = limitsOf(run, tag)
  if (!limits || command.program?.path !== undefined) return command
  if (typeof command.command === 'string') return { ...command, ...markShellCommand(command.command, limits) }
  const prlimit = findPrlimit(command.env['PATH'])
  // A shell in its place would drop variables whose names are not its own.
  if (prlimit === undefined || !isOnPath(command)) return command
  const option = `--locks=${limits.soft}:${limits.hard ?? ''}`
  return { ...command, command: [prlimit, option, '--', ...command.command] }
}

export const hasMark = (pid: number, tag: string): boolean => readLocks(pid)?.[0] === String(treeMarkOf(tag))

/** The hard limit that all processes of a run have. */
export const runMarkOf = (run: string): number => LEAST_RUN_MARK + treeMarkOf(run)

// --- internal ---

/** Above all marks of trees, because a soft limit is at most the hard one. */
const LEAST_RUN_MARK = 2 ** 48

const treeMarkOf = (tag: string): number => Number.parseInt(tag.replaceAll('-', '').slice(0, 12), 16)

interface Limits {
  readonly soft: number
  /** Undefined if it cannot be set, because a hard limit can only be lowered. */
  readonly hard: number | undefined
}

function limitsOf(run: string, tag: string): Limits | undefined {
  const [, hard] = (process.platform === 'linux' && readLocks('self')) || []
  if (hard === undefined) return undefined
  const most = hard === 'unlimited' ? Number.POSITIVE_INFINITY : Number(hard)
  const [soft, runMark] = [treeMarkOf(tag), runMarkOf(run)]
  return soft > most ? undefined : { soft, hard: runMark > most ? undefined : runMark }
}

function readLocks(pid: number | 'self'): readonly string[] | undefined {
  const text = pid === 'self' ? readFile('/proc/self/limits') : readProcFile(pid, 'limits')
  return /^Max file locks +(\w+) +(\w+)/m.exec(text)?.slice(1)
}

// dash and busybox name the limit w, other shells x.
function markShellCommand(command: string, { soft, hard }: Limits): Pick<Command, 'command' | 'program'> {
  const set = (letter: string) =>
    [`ulimit -S -${letter} ${soft}`, ...(hard === undefined ? [] : [`ulimit -H -${letter} ${hard}`])].join(
      ' && ',
    )
  const script = `{ ${set('w')}; } 2>/dev/null || { ${set('x')}; } 2>/dev/null; exec /bin/sh -c "$0"`
  return { command: ['/bin/sh', '-c', script, command], program: undefined }
}

const findPrlimit = (path = ''): string | undefined =>
  [...path.split(delimiter), '/usr/bin', '/bin'].map((folder) => join(folder, 'prlimit')).find(isExecutable)

// A program that is missing fails as it does without the mark.
function isOnPath({ command: [name = ''], cwd = '.', env }: Command): boolean {
  const folders = name.includes('/') ? [''] : (env['PATH'] ?? '').split(delimiter)
  return folders.some((folder) => isExecutable(resolve(cwd, folder, name)))
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
