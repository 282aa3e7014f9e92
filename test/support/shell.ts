// The shell of a person or an agent: a folder of its own, and commands that are run in it.

import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { binary, patience } from './client.ts'
import { type Trace, trace } from './leftovers.ts'

interface CommandResult {
  readonly out: string
  readonly err: string
  readonly code: number | null
}

export interface Shell {
  readonly folder: string
  readonly trace: Trace
  readonly env: Readonly<Record<string, string>>
  /** Runs `footlight` with these words. */
  run(...words: readonly string[]): Promise<CommandResult>
  /** The same with something on stdin, in another folder, or as another agent. */
  runWith(changes: CommandChanges, ...words: readonly string[]): Promise<CommandResult>
  /** The sockets of all servers. */
  sockets(): readonly string[]
  /** Ends all servers, and fails if anything is left. */
  close(): Promise<void>
}

interface CommandChanges {
  readonly stdin?: string
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
}

/** A work tree with an agent, which is this process. */
export function openShell(): Shell {
  const left = trace()
  const folder = join(left.folder, 'tree')
  mkdirSync(join(folder, '.git'), { recursive: true })
  const env = { ...(process.env as Record<string, string>), ...patience, FOOTLIGHT_WARM: '0', ...left.env }
  const socketFolder = join(left.env['XDG_RUNTIME_DIR'] ?? '', 'footlight')
  const runWith: Shell['runWith'] = (changes, ...words) =>
    runCommand(words, { cwd: folder, ...changes, env: { ...env, ...changes.env } })
  return {
    folder,
    trace: left,
    env,
    runWith,
    run: (...words) => runWith({}, ...words),
    sockets: () => readdirSync(socketFolder).filter((name) => name.endsWith('.sock')),
    async close() {
      await runWith({}, 'daemon', 'stop', '--all')
      await left.expectNothing(undefined, ['tree'])
    },
  }
}

function runCommand(words: readonly string[], { stdin, cwd, env }: CommandChanges): Promise<CommandResult> {
  const child = spawn(binary, words, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] })
  child.stdin.on('error', () => {})
  child.stdin.end(stdin ?? '')
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk) => (out += String(chunk)))
  child.stderr.on('data', (chunk) => (err += String(chunk)))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ out, err, code }))
  })
}
