// The processes of this machine, from /proc on Linux and from `ps` elsewhere. The number of a process that has ended is given to another
// one, so a process is identified by its number and its start time.

import { execFileSync, spawnSync } from 'node:child_process'
import { win32 } from 'node:path'
import process from 'node:process'
import { isRunning } from '../../base/system/is-running.ts'
import { listFolder, readFile, readStatFields } from '../../base/system/proc-files.ts'

export interface ProcessIdentity {
  readonly pid: number
  /** As the system writes it, without spaces; undefined where it does not tell. */
  readonly startTime: string | undefined
}

export interface ProcessEntry extends ProcessIdentity {
  readonly parent: number
  readonly group: number
  /** The number of the process that began its session; undefined where the system does not tell. */
  readonly session: number | undefined
}

/** The variables with which `ps` writes a start time as the watchdog reads it. */
export const PS_ENVIRONMENT = { LC_ALL: 'C', TZ: 'UTC' } as const

/** The running processes, without those that have ended and are not reaped yet; none on Windows. */
export function listProcesses(): ProcessEntry[] {
  if (process.platform === 'linux')
    return listFolder('/proc').flatMap((name) => {
      const entry = /^\d+$/.test(name) ? readEntry(Number(name)) : undefined
      return entry === undefined || entry.state === 'Z' ? [] : [entry]
    })
  return runPs(['-A']).flatMap((line) => {
    const [, pid, parent, group, state = '', startTime = ''] =
      /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.+)$/.exec(line) ?? []
    if (pid === undefined || state.startsWith('Z')) return []
    return [
      {
        pid: Number(pid),
        parent: Number(parent),
        group: Number(group),
        session: undefined,
        startTime: joinWords(startTime),
      },
    ]
  })
}

/** The identity of the process that has this number now; undefined if none has. */
export function identify(pid: number): ProcessIdentity | undefined {
  if (process.platform === 'win32') return { pid, startTime: undefined }
  if (process.platform === 'linux') {
    const entry = readEntry(pid)
    return entry && { pid, startTime: entry.startTime }
  }
  const [line] = runPs(['-p', String(pid)])
  const startTime = /^\s*\d+\s+\d+\s+\d+\s+\S+\s+(.+)$/.exec(line ?? '')?.[1]
  return startTime === undefined ? undefined : { pid, startTime: joinWords(startTime) }
}

/** Whether this process is running, and not another one with its number. */
export const isSameProcess = ({ pid, startTime }: ProcessIdentity): boolean =>
  isAlive(pid) && identify(pid)?.startTime === startTime

/** Whether any process with this number is running. */
export const isAlive = (pid: number): boolean =>
  isRunning(pid) && (process.platform !== 'linux' || readEntry(pid)?.state !== 'Z')

/** Sends a signal to the process, or to the group that it leads, unless another process has its number. Windows has no groups: there all that
 * descend from it end. */
export function signalProcess(
  identity: ProcessIdentity,
  signal: NodeJS.Signals,
  target: 'process' | 'group' = 'process',
): void {
  if (identify(identity.pid)?.startTime !== identity.startTime) return
  const isWindows = process.platform === 'win32'
  if (isWindows && target === 'group') endDescendants(identity.pid)
  try {
    process.kill(target === 'group' && !isWindows ? -identity.pid : identity.pid, signal)
  } catch {
    // It has ended meanwhile, or belongs to another user.
  }
}

/** Clock ticks since the machine started; undefined if unknown. */
export function readUptimeTicks(): number | undefined {
  const uptime = Number.parseFloat(readFile('/proc/uptime'))
  return Number.isNaN(uptime) ? undefined : Math.floor(uptime * 100)
}

// --- internal ---

function endDescendants(pid: number): void {
  const program = win32.join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'taskkill.exe')
  spawnSync(program, ['/PID', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true })
}

function readEntry(pid: number): (ProcessEntry & { readonly state: string }) | undefined {
  const fields = readStatFields(pid)
  const [state, parent, group, session] = fields
  if (state === undefined) return undefined
  const startTime = fields[19]
  return { pid, state, parent: Number(parent), group: Number(group), session: Number(session), startTime }
}

function runPs(selection: readonly string[]): string[] {
  if (process.platform === 'win32') return []
  try {
    const columns = 'pid=,ppid=,pgid=,stat=,lstart='
    const env = { PATH: process.env['PATH'], ...PS_ENVIRONMENT }
    return execFileSync('ps', [...selection, '-o', columns], { encoding: 'utf8', env }).split('\n')
  } catch {
    return []
  }
}

const joinWords = (text: string): string => text.trim().replaceAll(/\s+/g, '_')
