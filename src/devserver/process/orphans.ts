// Processes of a footlight that is gone. Dev servers carry the tag of their run, browsers have their files in its folder; a watchdog
// that still lives is about to end them itself. Only Linux tells the environment of a process without another program.

import { readdirSync, readFileSync } from 'node:fs'
import process from 'node:process'
import { pollUntil } from './child-process.ts'
import { isAlive, readStartTicks, sendSignal } from './process-tree.ts'
import { RUN_TAG_VARIABLE } from './watchdog.ts'

export interface ProcessInfo {
  readonly pid: number
  readonly parent: number
  readonly argv: readonly string[]
  readonly environment: readonly string[]
}

export interface Orphan {
  readonly pid: number
  readonly command: string
}

/** Those of the processes that belong to a run whose footlight is gone; `lives` says whether a pid does. */
export function selectOrphans(all: readonly ProcessInfo[], lives: (pid: number) => boolean): Orphan[] {
  const byPid = new Map(all.map((one) => [one.pid, one]))
  const watched = new Set(all.filter(isWatchdog).flatMap(({ argv }) => argv))
  const owned = (one: ProcessInfo | undefined): boolean =>
    one !== undefined && (isFootlight(one) || (one.parent !== one.pid && owned(byPid.get(one.parent))))
  return all
    .filter((one) => {
      const run = one.environment
        .find((pair) => pair.startsWith(`${RUN_TAG_VARIABLE}=`))
        ?.slice(RUN_TAG_VARIABLE.length + 1)
      const folder = temporaryFolderOf(one)
      const left = folder !== undefined && !watched.has(folder.path) && !lives(folder.pid)
      const unwatched = run !== undefined && !watched.has(run)
      return (left || unwatched) && !isWatchdog(one) && !owned(one)
    })
    .map(({ pid, argv }) => ({ pid, command: argv.join(' ').slice(0, 120) }))
}

export const findOrphans = (): Orphan[] =>
  process.platform === 'linux' ? selectOrphans(readProcesses(), isAlive) : []

/** TERM, and after a while KILL; answers those that are gone. */
export async function endOrphans(all: readonly Orphan[], grace = 2000): Promise<Orphan[]> {
  // A number may be given to another process meanwhile.
  const born = new Map(all.map(({ pid }) => [pid, readStartTicks(pid)]))
  const living = () => all.filter(({ pid }) => isAlive(pid) && readStartTicks(pid) === born.get(pid))
  for (const { pid } of all) sendSignal(pid, 'SIGTERM')
  await pollUntil(() => living().length === 0, grace)
  for (const { pid } of living()) sendSignal(pid, 'SIGKILL')
  await pollUntil(() => living().length === 0, grace)
  const left = living()
  return all.filter((one) => !left.includes(one))
}

// --- internal ---

const isWatchdog = ({ argv }: ProcessInfo): boolean =>
  argv.some((word) => word.includes("trap '' HUP INT TERM"))

const isFootlight = ({ argv }: ProcessInfo): boolean =>
  argv.slice(0, 3).some((word) => /(^|\/)(footlight(\.cjs|\.exe)?|src\/main\.ts)$/.test(word))

// Its own folder, as mkdtemp names it, with a browser's profile in it; a folder of anybody else's may begin alike.
function temporaryFolderOf({ argv }: ProcessInfo): { path: string; pid: number } | undefined {
  for (const word of argv) {
    const [, path, pid] =
      /^(?:--user-data-dir=)?(\/.*?\/footlight-(\d+)-[A-Za-z0-9]{6})\/playwright_/.exec(word) ?? []
    if (path !== undefined) return { path, pid: Number(pid) }
  }
  return undefined
}

const readProcesses = (): ProcessInfo[] =>
  readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    const [, state, parent] = /\) (\w) (\d+)/.exec(readProcFile(name, 'stat')) ?? []
    if (parent === undefined || state === 'Z') return []
    const words = (file: string) => readProcFile(name, file).split('\0').filter(Boolean)
    return [
      { pid: Number(name), parent: Number(parent), argv: words('cmdline'), environment: words('environ') },
    ]
  })

function readProcFile(pid: string, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1')
  } catch {
    return ''
  }
}
