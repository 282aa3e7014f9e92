// The program that listens on a port which a server wanted. Known on Linux only, and only what this user may see.

import { basename } from 'node:path'
import { listFolder, readLink, readProcFile, readSocketInodes } from '../../base/system/proc-files.ts'
import { clip } from '../../base/text/clip.ts'
import { readListeningSockets } from './process-activity.ts'
import { RUN_TAG_VARIABLE } from './watchdog.ts'

export interface PortHolder {
  readonly port: number
  readonly pid?: number
  /** Its command line, short. */
  readonly command?: string
  readonly cwd?: string
  /** Whether a Footlight has started it. */
  readonly isOfFootlight?: boolean
}

const COMMAND_LIMIT_CHARS = 80

/** What listens on this port; undefined if nothing does, or if that is unknown. */
export function findPortHolder(port: number): PortHolder | undefined {
  const inodes = readListeningSockets()
    .filter((socket) => socket.port === port)
    .map(({ inode }) => inode)
  if (inodes.length === 0) return undefined
  const pids = listFolder('/proc')
    .map(Number)
    .filter(Number.isInteger)
    .sort((a, b) => b - a)
  const pid = pids.find((candidate) => readSocketInodes(candidate).some((inode) => inodes.includes(inode)))
  if (pid === undefined) return { port }
  return {
    port,
    pid,
    command: commandLineOf(pid),
    cwd: readLink(`/proc/${pid}/cwd`),
    isOfFootlight: readProcFile(pid, 'environ').includes(`${RUN_TAG_VARIABLE}=`),
  }
}

/** The command line of a process, without the folder of its program. */
export function commandLineOf(pid: number): string {
  const [program = '', ...args] = readProcFile(pid, 'cmdline').split('\0').filter(Boolean)
  return clip([basename(program), ...args].join(' '), COMMAND_LIMIT_CHARS)
}

/** Who has the port, in words. */
export function describePortHolder({ port, pid, command, cwd, isOfFootlight }: PortHolder): string {
  if (pid === undefined) return `port ${port} is held by a program of another user`
  const place = cwd ? ` in ${cwd}` : ''
  const origin = isOfFootlight ? ', started by Footlight for another session' : ''
  return `port ${port} is held by process ${pid} (${command})${place}${origin}`
}
