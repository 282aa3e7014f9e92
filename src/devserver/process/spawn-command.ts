// Starts a command: a string with the shell, an array without it. It leads a process group, where the system has them.

import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process'
import { statSync } from 'node:fs'
import process from 'node:process'
import type { Program } from './allowed-programs.ts'
import { toWindowsCommandLine } from './batch-file.ts'

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
  if (!isWindows) return spawn(path, args, { ...options, ...(program && { argv0: program.name }) })
  const line = toWindowsCommandLine(path, args, { cwd: cwd ?? process.cwd(), env, isFile })
  return spawn(line.path, line.args, { ...options, windowsVerbatimArguments: line.isVerbatim })
}

// --- internal ---

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true
