// The processes of a browser and what they have done so far. Their times are known on Linux only, and of a local browser only.

import process from 'node:process'
import type { Browser, CDPSession } from 'playwright'
import { internalsOf } from './internals.ts'
import { listFolder, readProcFile, readStatFields } from '../../base/system/proc-files.ts'

/** Milliseconds in which a process ran, and in which it could have run but waited for a processor. */
export interface ProcessActivity {
  readonly runMs: number
  readonly waitMs: number
}

/** `type` is such as `browser` or `renderer`; the time is in seconds. */
export interface ChromiumProcess {
  readonly type: string
  readonly id: number
  readonly cpuTime: number
}

export async function readChromiumProcesses(
  session: Pick<CDPSession, 'send'>,
): Promise<readonly ChromiumProcess[]> {
  return (await session.send('SystemInfo.getProcessInfo')).processInfo
}

interface ServerBrowser {
  readonly options?: { readonly browserProcess?: { readonly process?: { readonly pid?: number } } }
}

/** The process of a browser that Playwright has started on this machine. */
export const browserPidOf = (browser: Browser): number | undefined =>
  internalsOf<ServerBrowser>(browser)?.options?.browserProcess?.process?.pid

/** Whether somebody has stopped the process of a browser, as a debugger does: nothing answers until it goes on. */
export function isBrowserStopped(browser: Browser): boolean {
  const pid = browserPidOf(browser)
  const [state] = pid === undefined ? [] : readStatFields(pid)
  return state === 'T' || state === 't'
}

/** The processes in which a Firefox runs the scripts of pages. */
export function findFirefoxContentProcesses(browser: Browser): readonly number[] {
  const pid = browserPidOf(browser)
  return pid === undefined
    ? []
    : findDescendants(pid).filter((id) => readProcFile(id, 'cmdline').includes('-contentproc'))
}

/** Whether this process has started the other one and it is still there. True where the system does not report parents. */
export function isOwnChild(pid: number): boolean {
  const parent = readParent(pid)
  return parent === undefined ? readParent(process.pid) === undefined : parent === process.pid
}

/** The process that started another one; undefined if it has ended or the system does not report it. */
export function readParent(pid: number): number | undefined {
  const [, parent] = readStatFields(pid)
  return parent === undefined ? undefined : Number(parent)
}

/** The sum of all threads of a process; undefined where the system does not report it. */
export function readActivity(pid: number): ProcessActivity | undefined {
  const threads = list(pid).map((id) => readThreadActivity(pid, id))
  const sum = (time: keyof ProcessActivity) => threads.reduce((total, thread) => total + thread[time], 0)
  const activity = { runMs: sum('runMs'), waitMs: sum('waitMs') }
  return activity.runMs > 0 ? activity : undefined
}

/** The thread of a process that runs scripts and has the id of the process. One that has ended has none. */
export const readMainThreadActivity = (pid: number): ProcessActivity => readThreadActivity(pid, pid)

/** Ends these processes or groups of processes at once. */
export function killAll(ids: readonly number[]): void {
  for (const id of ids) {
    try {
      process.kill(id, 'SIGKILL')
    } catch {
      // It has exited already.
    }
  }
}

function readThreadActivity(pid: number, thread: number): ProcessActivity {
  const [run = 0, wait = 0] = readProcFile(pid, `task/${thread}/schedstat`).split(' ').map(Number)
  return { runMs: run / 1e6, waitMs: wait / 1e6 }
}

/** The processes that grew from this one. */
export function findDescendants(pid: number): readonly number[] {
  const children = list(pid).flatMap((thread) =>
    readProcFile(pid, `task/${thread}/children`).split(' ').filter(Boolean).map(Number),
  )
  return children.flatMap((child) => [child, ...findDescendants(child)])
}

const list = (pid: number): readonly number[] => listFolder(`/proc/${pid}/task`).map(Number)
