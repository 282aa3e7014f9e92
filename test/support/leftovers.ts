// What a test may leave behind: nothing. Every process that a test starts inherits a tag in its environment, and every temporary
// file lies in the test's own folder, so both can be looked for.

import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

export interface Process {
  readonly pid: number
  readonly parent: number
  readonly command: string
}

export interface Trace {
  readonly env: Readonly<Record<string, string>>
  readonly folder: string
  /** Living processes that were started under this trace, by pid and command line. */
  processes(): Process[]
  /** Those of them that are browsers, without their helper processes. */
  browsers(): Process[]
  /** Fails unless all processes and temporary files of this trace are gone within `ms`, but for folders of the test. */
  expectNothing(ms?: number, own?: readonly string[]): Promise<void>
}

const TAG = 'FL_TEST_TAG'

export function trace(): Trace {
  const tag = randomUUID()
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 't-')))
  const processes = () => processesWith(`${TAG}=${tag}`)
  // Programs of the desktop write there too; of ours there are the private sockets.
  const runtimeFolder = `${folder}-run`
  const left = (own: readonly string[]) => [
    ...readdirSync(folder).filter((name) => !own.includes(name)),
    // Why sessions have ended is remembered for a day.
    ...(existsSync(join(runtimeFolder, 'footlight'))
      ? readdirSync(join(runtimeFolder, 'footlight'))
      : []
    ).filter((name) => !name.endsWith('.ended')),
  ]
  return {
    env: { [TAG]: tag, TMPDIR: folder, XDG_RUNTIME_DIR: runtimeFolder },
    folder,
    processes,
    browsers: () =>
      withoutChildren(
        processes().filter(
          ({ command }) =>
            /chrom|firefox/.test(command.split(' ')[0] ?? '') &&
            !/--type=|-contentproc|crashhelper|crashpad/.test(command),
        ),
      ),
    // A browser may write to its folder until it is gone; then the watchdog, which is no process of the trace, removes the folder.
    async expectNothing(ms = 90_000, own = []) {
      await until(() => left(own).length === 0 && processes().length === 0, ms, 50)
      const [alive, files] = [processes(), left(own)]
      for (const path of [folder, runtimeFolder]) rmSync(path, { recursive: true, force: true })
      if (alive.length > 0) throw new Error(`left running: ${JSON.stringify(alive)}`)
      if (files.length > 0) throw new Error(`left in the temporary folder: ${files.join(', ')}`)
    },
  }
}

/** A folder as a run leaves it that was killed: with the socket on which it listened. */
export function leaveFolder(path: string): void {
  mkdirSync(path)
  const listen = `require('net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))`
  spawnSync(process.execPath, ['-e', listen, join(path, 'in-use')])
}

// Firefox's glxtest lies in the browser's folder, and a forked child has the browser's command line until it starts its own program.
function withoutChildren(all: readonly Process[]): Process[] {
  const pids = new Set(all.map(({ pid }) => pid))
  return all.filter(({ parent }) => !pids.has(parent))
}

const LONGEST_PAUSE_MS = 250

/** Polls, because the end of a process that is not our child sends us no signal. What comes on a calm machine at once may take long on a
 * busy one: looking for it takes processor time from it, so the pauses grow with the wait. */
export async function until(
  done: () => boolean | Promise<boolean>,
  ms = 90_000,
  every = 25,
): Promise<boolean> {
  const start = performance.now()
  for (;;) {
    if (await done()) return true
    const waited = performance.now() - start
    if (waited > ms) return false
    await Bun.sleep(Math.max(every, Math.min(waited / 8, LONGEST_PAUSE_MS)))
  }
}

/** Living processes with this `NAME=value` in their environment. */
// Chromium's helpers overwrite their environment, so the children of what carries the mark count too.
export function processesWith(mark: string): Process[] {
  if (process.platform !== 'linux') throw new Error('processes are looked up in /proc')
  const all = new Map(readdirSync('/proc').flatMap((name) => entryOf(name, mark)))
  const ours = (pid: number): boolean => {
    const entry = all.get(pid)
    return entry !== undefined && (entry.marked || ours(entry.parent))
  }
  return [...all].flatMap(([pid, { parent, zombie }]) =>
    ours(pid) && !zombie ? [{ pid, parent, command: commandOf(pid) }] : [],
  )
}

// Empty if the process has just ended.
function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ').trim()
  } catch {
    return ''
  }
}

type Entry = { marked: boolean; zombie: boolean; parent: number }

function entryOf(pid: string, mark: string): [number, Entry][] {
  if (!/^\d+$/.test(pid)) return []
  try {
    const read = (name: string) => readFileSync(`/proc/${pid}/${name}`, 'latin1')
    const [, state, parent] = /\) (\w) (\d+)/.exec(read('stat')) ?? []
    const marked = read('environ').split('\0').includes(mark)
    return [[Number(pid), { marked, zombie: state === 'Z', parent: Number(parent) }]]
  } catch {
    return []
  }
}
