// Programs as Windows starts them. A name is found on PATH with the extensions of PATHEXT. A batch file, as npm is one, is run by cmd.exe,
// which reads its arguments as text.

import { win32 } from 'node:path'

export interface CommandLine {
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

// --- internal ---

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
