// A server that is a child process: its process group, its logs and its exit.

import type { ChildProcess } from 'node:child_process'
import type { Socket } from 'node:net'
import process from 'node:process'
import type { LogPaths } from '../../base/failure-records.ts'
import { readSocketInodes } from '../../base/system/proc-files.ts'
import type { LogFolder } from '../logs/log-folder.ts'
import { createLogWriter, type OutputStream } from '../logs/log-writer.ts'
import { isPortFree } from './free-port.ts'
import { markCommand } from './inherited-mark.ts'
import { identify, type ProcessIdentity } from './process-table.ts'
import { createProcessTree, type ProcessTree, readOutputs } from './process-tree.ts'
import { type Command, spawnCommand } from './spawn-command.ts'
import type { ServerContext } from './start-context.ts'
import { createSupervisedTree, spawnSupervised } from './supervisor.ts'

export interface ServerProcess {
  readonly pid: number
  readonly tree: ProcessTree
  readonly logs: LogPaths
  /** Writes and reports all output received so far. */
  sync(): void
  readonly lastLines: { readonly stdout: readonly string[]; readonly stderr: readonly string[] }
  /** Undefined while it runs. */
  exit(): ProcessExit | undefined
  /** Writes to the input. */
  write(text: string): void
  /** SIGTERM to the group, then SIGKILL; settles when all processes are gone and the port, if any, is free again. */
  stop(graceMs: number, port?: number): Promise<'stopped' | 'forced'>
}

export type ProcessExit = {
  readonly code: number | null
  readonly signal: string | null
  readonly error?: NodeJS.ErrnoException
}

interface SpawnOptions extends Command {
  readonly logs: LogFolder
}

const LAST_LINE_LIMIT = 100
const DRAIN_TIMEOUT_MS = 300
const EXIT_DELAY_MS = 200
const KILL_TIMEOUT_MS = 2000
const PORT_TIMEOUT_MS = 5000
// Each look reads all processes of the machine, so it is taken less often the longer it lasts.
const FOLLOW_INTERVAL_MS = 2000
const FOLLOW_COST_FACTOR = 300
const POLL_INTERVAL_MS = { first: 10, last: 100 } as const

/** Starts the command. `onChange` is called at every line and at the exit. */
export function startServerProcess(
  { logs, ...command }: SpawnOptions,
  context: ServerContext,
  onLine: (stream: OutputStream, line: string) => void,
  onChange: () => void,
): ServerProcess {
  const lastLines = { stdout: [] as string[], stderr: [] as string[] }
  const writer = createLogWriter(logs, (stream, line) => {
    const lines = lastLines[stream]
    lines.push(line)
    if (lines.length > LAST_LINE_LIMIT) lines.shift()
    onLine(stream, line)
    onChange()
  })
  const ownSockets = readSocketInodes(process.pid)
  const child = spawnServer(command, context)
  const outputs = findOutputs(child, ownSockets)
  let exit: ProcessExit | undefined
  let isClosed = false
  const finish = (result: ProcessExit) => {
    writer.sync()
    exit ??= result
    onChange()
  }
  child.stdout?.on('data', (chunk: Buffer) => writer.write('stdout', chunk))
  child.stderr?.on('data', (chunk: Buffer) => writer.write('stderr', chunk))
  child.once('error', (error) => finish({ code: null, signal: null, error }))
  // `close` follows the last output, but descendants may keep the pipes open, so `exit` counts after a delay.
  child.once('close', (code, signal) => {
    isClosed = true
    finish({ code, signal })
  })
  child.once('exit', (code, signal) => setTimeout(() => finish({ code, signal }), EXIT_DELAY_MS))
  const { tree, releaseAll } = guardTree(child, outputs, context)
  const isGone = () => !tree.isAlive()
  return {
    pid: child.pid ?? Number.NaN,
    tree,
    logs: writer.paths,
    sync: writer.sync,
    lastLines,
    exit: () => exit,
    write: (text) => writeTo(child, text),
    async stop(graceMs, port) {
      tree.signal('SIGTERM')
      const hasStopped = await pollUntil(isGone, graceMs)
      if (!hasStopped) {
        tree.signal('SIGKILL')
        await pollUntil(isGone, KILL_TIMEOUT_MS)
      }
      if (port !== undefined) await pollUntil(() => isPortFree(port), PORT_TIMEOUT_MS)
      // Its last output may not have been read yet.
      await pollUntil(() => isClosed || exit?.error !== undefined, DRAIN_TIMEOUT_MS)
      releaseAll()
      for (const stream of [inputOf(child), child.stdout, child.stderr]) stream?.destroy()
      writer.close()
      return hasStopped ? 'stopped' : 'forced'
    },
  }
}

/** Whether the condition became true within the timeout. It is polled, because neither the end of a process group nor a free port sends a signal. */
export async function pollUntil(
  condition: () => boolean | Promise<boolean>,
  timeoutMs: number,
): Promise<boolean> {
  const end = performance.now() + timeoutMs
  let interval: number = POLL_INTERVAL_MS.first
  for (;;) {
    if (await condition()) return true
    if (performance.now() >= end) return false
    await new Promise((resolve) => setTimeout(resolve, interval))
    interval = Math.min(interval * 1.3, POLL_INTERVAL_MS.last)
  }
}

// The input of a server is open until the server is stopped: watchers end at its end. That of a process is closed at its exit, and a shell
// may leave a server in the background, so the input of a shell command is a pipe of its own.
function spawnServer(unmarked: Command, context: ServerContext): ChildProcess {
  if (context.supervisor) return spawnSupervised(context.supervisor, unmarked)
  const command = markCommand(unmarked, context)
  if (typeof unmarked.command !== 'string') return spawnCommand(command, 'pipe')
  const shell = typeof command.command === 'string' ? ['/bin/sh', '-c', command.command] : command.command
  const child = spawnCommand(
    { ...command, command: ['/bin/sh', '-c', 'exec "$0" "$@" <&3 3<&-', ...shell], program: undefined },
    ['ignore', 'pipe', 'pipe', 'pipe'],
  )
  inputOf(child)
    ?.on('error', () => {})
    .unref()
  return child
}

const inputOf = ({ stdio }: ChildProcess): Socket | undefined =>
  (stdio[3] ?? stdio[0] ?? undefined) as Socket | undefined

// A command that puts its server into the background may have ended before it is looked at. Its ends of the pipes were made right after
// ours, so they have the next numbers.
function findOutputs({ pid }: ChildProcess, ownSocketsBefore: readonly string[]): readonly string[] {
  if (pid === undefined) return []
  const outputs = readOutputs(pid)
  if (outputs.length > 0) return outputs
  const added = readSocketInodes(process.pid).filter((inode) => !ownSocketsBefore.includes(inode))
  return added.map((inode) => `socket:[${Number(inode) + 1}]`)
}

// A process that has ended just now gets nothing.
function writeTo(child: ChildProcess, text: string): void {
  const input = inputOf(child)?.on('error', () => {})
  input?.write(text)
}

// What the watchdog is to end: the group of the leader until that has ended, and what was found of the tree, which may leave it later.
function guardTree(
  child: ChildProcess,
  outputs: readonly string[],
  { tag, watchdog, supervisor }: ServerContext,
): { readonly tree: ProcessTree; releaseAll(): void } {
  const leader = child.pid === undefined ? undefined : identify(child.pid)
  let guarded: readonly ProcessIdentity[] = []
  const isOneOf = (processes: readonly ProcessIdentity[], { pid, startTime }: ProcessIdentity) =>
    processes.some((other) => other.pid === pid && other.startTime === startTime)
  const guard = (members: readonly ProcessIdentity[]) => {
    for (const member of members) if (!isOneOf(guarded, member)) watchdog.guard(member)
    for (const member of guarded) if (!isOneOf(members, member)) watchdog.release(member)
    guarded = members
  }
  if (leader) watchdog.guard(leader, 'group')
  const tree = supervisor ? createSupervisedTree(child) : createProcessTree(tag, child.pid, outputs, guard)
  child.once('exit', () => {
    tree.keepGroup()
    if (leader) watchdog.release(leader)
  })
  const follower = followTree(tree)
  return {
    tree,
    releaseAll() {
      follower.stop()
      guard([])
    },
  }
}

// The processes are looked at less often the more a look costs.
function followTree(tree: ProcessTree): { stop(): void } {
  let timer: ReturnType<typeof setTimeout>
  const look = () => {
    const startMs = performance.now()
    tree.members()
    const costMs = performance.now() - startMs
    timer = setTimeout(look, Math.max(FOLLOW_INTERVAL_MS, costMs * FOLLOW_COST_FACTOR))
    timer.unref()
  }
  timer = setTimeout(look, FOLLOW_INTERVAL_MS)
  timer.unref()
  return { stop: () => clearTimeout(timer) }
}
