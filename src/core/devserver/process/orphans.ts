// Processes whose footlight has exited. Dev servers have the tag of their run, browsers have their files in its folder; those of a
// running watchdog are left to it. Only on Linux the environment of a process can be read without another program.

import process from 'node:process'
import { readLink, readProcFile } from '../../base/system/proc-files.ts'
import { pollUntil } from './child-process.ts'
import {
  isAlive,
  isSameProcess,
  listProcesses,
  type ProcessIdentity,
  signalProcess,
} from './process-table.ts'
import { RUN_TAG_VARIABLE } from './watchdog.ts'

export interface ProcessInfo extends ProcessIdentity {
  readonly parent: number
  readonly argv: readonly string[]
  readonly environment: readonly string[]
}

export interface Orphan extends ProcessIdentity {
  readonly command: string
}

/** The processes that belong to a run whose footlight has exited. */
export function selectOrphans(
  processes: readonly ProcessInfo[],
  isProcessAlive: (pid: number) => boolean,
): Orphan[] {
  const byPid = new Map(processes.map((processInfo) => [processInfo.pid, processInfo]))
  const watchedWords = new Set(processes.filter(isWatchdog).flatMap(({ argv }) => argv))
  const isInFootlightTree = (processInfo: ProcessInfo | undefined): boolean =>
    processInfo !== undefined &&
    (isFootlight(processInfo) ||
      (processInfo.parent !== processInfo.pid && isInFootlightTree(byPid.get(processInfo.parent))))
  return processes
    .filter((processInfo) => {
      const run = processInfo.environment
        .find((pair) => pair.startsWith(`${RUN_TAG_VARIABLE}=`))
        ?.slice(RUN_TAG_VARIABLE.length + 1)
      const folder = temporaryFolderOf(processInfo)
      const isFolderAbandoned =
        folder !== undefined && !watchedWords.has(folder.path) && !isProcessAlive(folder.pid)
      const isRunAbandoned = run !== undefined && !watchedWords.has(run)
      return (
        (isFolderAbandoned || isRunAbandoned) && !isWatchdog(processInfo) && !isInFootlightTree(processInfo)
      )
    })
    .map(({ pid, startTime, argv }) => ({ pid, startTime, command: argv.join(' ').slice(0, 120) }))
}

export const findOrphans = (): Orphan[] =>
  process.platform === 'linux' ? selectOrphans(readProcesses(), isAlive) : []

/** Sends SIGTERM, then SIGKILL; returns the orphans that have ended. */
export async function endOrphans(orphans: readonly Orphan[], graceMs = 2000): Promise<Orphan[]> {
  const findAlive = () => orphans.filter(isSameProcess)
  for (const orphan of orphans) signalProcess(orphan, 'SIGTERM')
  await pollUntil(() => findAlive().length === 0, graceMs)
  for (const orphan of findAlive()) signalProcess(orphan, 'SIGKILL')
  await pollUntil(() => findAlive().length === 0, graceMs)
  const survivors = findAlive()
  return orphans.filter((orphan) => !survivors.includes(orphan))
}

// --- internal ---

const isWatchdog = ({ argv }: ProcessInfo): boolean =>
  argv.some((word) => word.includes("trap '' HUP INT TERM"))

const isFootlight = ({ argv }: ProcessInfo): boolean =>
  argv.slice(0, 3).some((word) => /(^|\/)(footlight(\.mjs|\.exe)?|src\/main\.ts)$/.test(word))

// The folder of a run, as mkdtemp names it, with a browser profile in it; a folder with a similar name does not match.
function temporaryFolderOf({ argv }: ProcessInfo): { path: string; pid: number } | undefined {
  for (const word of argv) {
    const [, path, pid] =
      /^(?:--user-data-dir=)?(\/.*?\/footlight-(\d+)-[A-Za-z0-9]{6})\/playwright_/.exec(word) ?? []
    if (path !== undefined) return { path, pid: Number(pid) }
  }
  return undefined
}

// What runs in a container has other numbers and folders than this process sees.
function readProcesses(): ProcessInfo[] {
  const namespace = readNamespace('self')
  return listProcesses().flatMap((entry) => {
    const readWords = (file: string) => readProcFile(entry.pid, file).split('\0').filter(Boolean)
    const isForeign = readNamespace(entry.pid) !== namespace
    return isForeign ? [] : [{ ...entry, argv: readWords('cmdline'), environment: readWords('environ') }]
  })
}

const readNamespace = (pid: number | 'self'): string => readLink(`/proc/${pid}/ns/pid`)
