// Whose a listener is: its process, and the folder that it runs in. Known on Linux only.

import { listFolder, readLink, readProcFile, readSocketInodes } from '../../base/system/proc-files.ts'
import { readListeningSockets } from './process-activity.ts'

export interface PortHolder {
  readonly pid: number
  readonly command: string
  /** Empty if it cannot be read, as that of another user's process. */
  readonly cwd: string
}

/** The processes that listen on a port, as far as they can be seen. */
export function findPortHolders(port: number): readonly PortHolder[] {
  const inodes = readListeningSockets().flatMap((socket) => (socket.port === port ? [socket.inode] : []))
  if (inodes.length === 0) return []
  const pids = listFolder('/proc').map(Number).filter(Number.isInteger)
  return pids.filter((pid) => readSocketInodes(pid).some((inode) => inodes.includes(inode))).map(readHolder)
}

export const readHolder = (pid: number): PortHolder => ({
  pid,
  command: readProcFile(pid, 'cmdline').replaceAll('\0', ' ').trim(),
  cwd: readLink(`/proc/${pid}/cwd`),
})

const COMMAND_LIMIT_CHARS = 80

/** `pid 4711 ("node server.mjs" in /home/ada/other)`. */
export const describeHolder = ({ pid, command, cwd }: PortHolder): string =>
  `pid ${pid} (${JSON.stringify(command.slice(0, COMMAND_LIMIT_CHARS))}${cwd === '' ? '' : ` in ${cwd}`})`
