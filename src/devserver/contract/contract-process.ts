// Verifies that the process named by a start document is the server of that command.

import process from 'node:process'
import { findTaggedProcesses, isAlive, readStartTicks } from '../process/process-tree.ts'

/** A pid with its start time identifies one process, because pids are reused. */
export interface ProcessIdentity {
  readonly pid: number
  readonly startTicks: number | undefined
}

/** The identity of the process if it has the tag or started after the command, or if neither can be read; else undefined. Never init,
 * this process or its parent. */
export function identifyServerProcess(
  pid: number | undefined,
  tag: string,
  commandStartTicks: number | undefined,
): ProcessIdentity | undefined {
  if (pid === undefined || [0, 1, process.pid, process.ppid].includes(pid)) return undefined
  const startTicks = readStartTicks(pid)
  const isUnknown = commandStartTicks === undefined || startTicks === undefined
  const isOwn = isUnknown || startTicks >= commandStartTicks || findTaggedProcesses(tag).includes(pid)
  return isOwn ? { pid, startTicks } : undefined
}

export const isSameProcess = ({ pid, startTicks }: ProcessIdentity): boolean =>
  isAlive(pid) && readStartTicks(pid) === startTicks
