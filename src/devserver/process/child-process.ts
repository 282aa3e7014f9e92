// One child process with its group, its logs and its end.

import { spawn, type ChildProcess } from 'node:child_process'
import process from 'node:process'
import type { Program } from './allowed-programs.ts'
import { createLogWriter, type LogFolder } from '../logs/log-writer.ts'
import { isPortFree } from '../start/http-probe.ts'
import { isAnyAlive, signalAll } from './process-tree.ts'
import type { ServerContext } from '../start/server-place.ts'
import type { LogPaths } from '../../core/dev-server.ts'

export interface ServerProcess {
  readonly pid: number
  readonly logs: LogPaths
  /** Brings the combined log, and what is told of it, up to now. */
  sync(): void
  /** The last lines of each stream. */
  readonly last: { readonly stdout: readonly string[]; readonly stderr: readonly string[] }
  ended(): ProcessExit | undefined
  /** TERM to the group, after `grace` milliseconds KILL; settles when all of it is gone and the port, if given, is free again. */
  stop(grace: number, port?: number): Promise<'stopped' | 'forced'>
}

export type ProcessExit = {
  readonly code: number | null
  readonly signal: string | null
  readonly error?: NodeJS.ErrnoException
}

export interface SpawnOptions {
  readonly command: string | readonly string[]
  readonly program: Program | undefined
  readonly cwd: string | undefined
  readonly env: Readonly<Record<string, string>>
  readonly logs: LogFolder
}

const LAST_LINE_LIMIT = 100
const DRAIN_MS = 300

/** Starts the command: a text through the shell, a list without one. `wake` is called at every line and at the end. */
export function startServerProcess(
  wanted: SpawnOptions,
  place: ServerContext,
  line: (stream: 'stdout' | 'stderr', text: string) => void,
  wake: () => void,
): ServerProcess {
  const last = { stdout: [] as string[], stderr: [] as string[] }
  const tell = (stream: 'stdout' | 'stderr', text: string) => {
    const lines = last[stream]
    lines.push(text)
    if (lines.length > LAST_LINE_LIMIT) lines.shift()
    line(stream, text)
    wake()
  }
  const writer = createLogWriter(wanted.logs, tell)
  const child = spawnCommand(wanted)
  let end: ProcessExit | undefined
  let drained = false
  const finish = (how: ProcessExit) => {
    writer.sync()
    end ??= how
    wake()
  }
  child.stdout?.on('data', (chunk: Buffer) => writer.write('stdout', chunk))
  child.stderr?.on('data', (chunk: Buffer) => writer.write('stderr', chunk))
  child.once('error', (error) => finish({ code: null, signal: null, error }))
  // `close` comes after its last output; but what it started may keep the pipes open, so its exit counts a little later.
  child.once('close', (code, signal) => {
    drained = true
    finish({ code, signal })
  })
  child.once('exit', (code, signal) => setTimeout(() => finish({ code, signal }), 200))
  const pid = child.pid ?? Number.NaN
  if (child.pid) place.watchdog.guard(-child.pid)

  const anyone = () => isAnyAlive(place.tag, pid)
  return {
    pid,
    logs: writer.paths,
    sync: writer.sync,
    last,
    ended: () => end,
    async stop(grace, port) {
      signalAll(place.tag, pid, 'SIGTERM')
      const gone = await pollUntil(() => !anyone(), grace)
      if (!gone) {
        signalAll(place.tag, pid, 'SIGKILL')
        await pollUntil(() => !anyone(), 2000)
      }
      if (port !== undefined) await pollUntil(() => isPortFree(port), 1000)
      // Its last words may still be on their way.
      await pollUntil(() => drained || end?.error !== undefined, DRAIN_MS)
      place.watchdog.release(-pid)
      child.stdout?.destroy()
      child.stderr?.destroy()
      writer.close()
      return gone ? 'stopped' : 'forced'
    },
  }
}

/** Polls: the end of a group, or a port that is free again, sends no signal. */
export async function pollUntil(done: () => boolean | Promise<boolean>, ms: number): Promise<boolean> {
  const end = performance.now() + ms
  for (;;) {
    if (await done()) return true
    if (performance.now() >= end) return false
    await new Promise((resolve) => setTimeout(resolve, 15))
  }
}

function spawnCommand({ command, program, cwd, env }: SpawnOptions): ChildProcess {
  const options = {
    cwd,
    env,
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'pipe', 'pipe'] as ['ignore', 'pipe', 'pipe'],
  }
  if (typeof command === 'string') return spawn(command, { ...options, shell: true })
  const [given = '', ...args] = command
  return spawn(program?.path ?? given, args, { ...options, ...(program && { argv0: program.name }) })
}
