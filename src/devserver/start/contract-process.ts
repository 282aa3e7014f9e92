// The process that a command of the contract named as its server, where that is provably its own.

import process from 'node:process'
import { findTaggedProcesses, isAlive, readStartTicks } from '../process/process-tree.ts'

/** With its start time a pid names one process only, because pids are given again. */
export interface ProcessIdentity {
  readonly pid: number
  readonly startTicks: number | undefined
}

/** The process is the command's own if it carries our tag or started after the command did; where neither can be read, the command's
 * word is taken. Never a process that could not be one. */
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
