// Windows has no process groups, and a process there may leave others behind. So each server has a process of its own, this program again,
// which starts it and ends it with all that it started: when it is told to, and when this process ends, however it does. The pipe between
// them says both. What `taskkill` does not find ends with the supervisor, in the job object of the executable.

import { type ChildProcess, spawn } from 'node:child_process'
import process from 'node:process'
import type { Readable } from 'node:stream'
import { formatJsonLine, type JsonLine, readJsonLines } from '../../base/system/json-lines.ts'
import { identify, signalProcess } from './process-table.ts'
import type { ProcessTree } from './process-tree.ts'
import { type Command, spawnCommand } from './spawn-command.ts'

/** How shells say that there is no such command. */
const NOT_FOUND_EXIT_CODE = 127
/** Systems allow less. */
const COMMAND_LIMIT_BYTES = 32_000_000

/** Starts a command below a supervisor; `supervisor` is the command line of this program as one. */
export function spawnSupervised(supervisor: readonly string[], command: Command): ChildProcess {
  const [name = '', ...args] = supervisor
  // Node ends children with itself, unless they are detached.
  const child = spawn(name, args, { stdio: 'pipe', detached: true, windowsHide: true })
  child.stdin.on('error', () => {})
  child.stdin.write(formatJsonLine(command))
  return child
}

/** The tree of a supervised server: its processes are known to the supervisor alone. */
export function createSupervisedTree(child: ChildProcess): ProcessTree {
  const isAlive = () => child.pid !== undefined && child.exitCode === null && child.signalCode === null
  return {
    members: () => [],
    isAlive,
    signal: (signal) => void (signal === 'SIGKILL' ? child.kill(signal) : child.stdin?.end()),
    keepGroup: () => {},
  }
}

/** Starts the command that `input` names, and ends it with the input. Returns its exit code. */
export function superviseServer(input: Readable): Promise<number> {
  return new Promise((resolve) => {
    let server: ChildProcess | undefined
    const start = (line: JsonLine) => {
      if ('problem' in line) return resolve(NOT_FOUND_EXIT_CODE)
      server = spawnCommand(line.value as Command, ['pipe', 'inherit', 'inherit'])
      server.once('error', (error) => {
        process.stderr.write(`${error.message}\n`)
        resolve(NOT_FOUND_EXIT_CODE)
      })
      server.once('exit', (code) => resolve(code ?? 1))
    }
    const end = () => {
      const identity = server?.pid === undefined ? undefined : identify(server.pid)
      if (identity) signalProcess(identity, 'SIGKILL', 'group')
      resolve(1)
    }
    readJsonLines(input, { bytes: COMMAND_LIMIT_BYTES }, start)
    input.once('end', end).once('error', end)
  })
}
