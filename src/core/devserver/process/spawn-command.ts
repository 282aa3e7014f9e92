// Starts a command: a string with the shell, an array without it. It leads a process group, where the system has them.

import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { posix, win32 } from 'node:path'
import process from 'node:process'
import type { Program } from './allowed-programs.ts'

export interface Command {
  readonly command: string | readonly string[]
  readonly program: Program | undefined
  readonly cwd: string | undefined
  readonly env: Readonly<Record<string, string>>
}

export function spawnCommand({ command, program, cwd, env }: Command, stdio: StdioOptions): ChildProcess {
  const isWindows = process.platform === 'win32'
  const options = { cwd, env, stdio, detached: !isWindows, windowsHide: true }
  if (typeof command === 'string') return spawn(command, { ...options, shell: true })
  const [name = '', ...args] = command
  const path = program?.path ?? name
  if (!isWindows) return spawn(path, args, { ...options, argv0: program?.name })
  const line = toWindowsCommandLine(path, args, { cwd: cwd ?? process.cwd(), env, isFile })
  return spawn(line.path, line.args, { ...options, windowsVerbatimArguments: line.isVerbatim })
}

export function isFile(path: string): boolean {
  try {
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/** The program of that name on PATH alone: never in the current folder, where Windows looks first. */
export function findOnPath(
  name: string,
  env: Readonly<Record<string, string | undefined>>,
  platform = process.platform,
): string | undefined {
  const { delimiter, isAbsolute, join } = platform === 'win32' ? win32 : posix
  const folders = (variableOf(env, 'PATH') ?? '').split(delimiter).map((folder) => folder.replaceAll('"', ''))
  const file = platform === 'win32' ? `${name}.exe` : name
  return folders
    .filter((folder) => isAbsolute(folder))
    .map((folder) => join(folder, file))
    .find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

// Programs as Windows starts them. A name is found on PATH with the extensions of PATHEXT. A batch file, as npm is one, is run by cmd.exe,
// which reads its arguments as text.
interface CommandLine {
  readonly path: string
  readonly args: readonly string[]
  /** Whether the arguments have their quotes already. */
  readonly isVerbatim: boolean
}

interface ProgramSearch {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly isFile: (path: string) => boolean
}

/** The command line that starts `name` on Windows. A program that is not found keeps its name, so that its start fails with it. */
export function toWindowsCommandLine(
  name: string,
  args: readonly string[],
  search: ProgramSearch,
): CommandLine {
  const path = findProgram(name, search)
  if (path === undefined || !BATCH_FILE.test(path)) return { path: path ?? name, args, isVerbatim: false }
  const isShim = PACKAGE_SHIM.test(path)
  const words = [escapeForCmd(path), ...args.map((arg) => quoteForCmd(arg, isShim))]
  const shell = variableOf(search.env, 'ComSpec') ?? 'cmd.exe'
  return { path: shell, args: ['/d', '/s', '/c', `"${words.join(' ')}"`], isVerbatim: true }
}

const BATCH_FILE = /\.(cmd|bat)$/i
/** A batch file that passes its arguments to another command, so that cmd.exe reads them twice. */
const PACKAGE_SHIM = /node_modules[\\/]\.bin[\\/][^\\/]+\.cmd$/i
const DEFAULT_EXTENSIONS = '.COM;.EXE;.BAT;.CMD'
const CMD_CHARACTERS = /([()\][%!^"`<>&|;, *?])/g

function findProgram(name: string, { cwd, env, isFile }: ProgramSearch): string | undefined {
  const extensions = (variableOf(env, 'PATHEXT') ?? DEFAULT_EXTENSIONS).split(';').filter(Boolean)
  const endings = win32.extname(name) === '' ? extensions.map((text) => text.toLowerCase()) : ['']
  const folders = /[\\/]/.test(name) ? [cwd] : (variableOf(env, 'PATH') ?? '').split(';').filter(Boolean)
  return folders
    .flatMap((folder) => endings.map((ending) => win32.resolve(cwd, folder, name + ending)))
    .find(isFile)
}

// The names of variables have no case on Windows, but a copy of them has.
function variableOf(env: ProgramSearch['env'], name: string): string | undefined {
  return Object.entries(env).find(([key]) => key.toUpperCase() === name.toUpperCase())?.[1]
}

const escapeForCmd = (text: string): string => text.replaceAll(CMD_CHARACTERS, '^$1')

// Quoted first as a program reads its command line, then as cmd.exe reads it.
function quoteForCmd(arg: string, isReadTwice: boolean): string {
  const quoted = `"${arg.replaceAll(/(\\*)"/g, '$1$1\\"').replace(/(\\*)$/, '$1$1')}"`
  const escaped = escapeForCmd(quoted)
  return isReadTwice ? escapeForCmd(escaped) : escaped
}
