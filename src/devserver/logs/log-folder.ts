// The log files of a server that is our child. A file that has reached its limit is emptied, because the newest lines matter most.

import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  mkdtempSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import type { LogPaths } from '../../core/dev-server.ts'
import type { LogStarts } from '../../runtime/ports/servers.ts'

/** The folder with the logs of one server. They continue over its restarts, so that who follows them misses nothing. */
export interface LogFolder {
  readonly path: string
  /** How many bytes of each log had been written before its file began. */
  starts: LogStarts
}

export const createLogFolder = (parent: string): LogFolder => ({
  path: mkdtempSync(join(parent, 'server-')),
  starts: { stdout: 0, stderr: 0, combined: 0 },
})

export interface LogFiles {
  readonly paths: LogPaths
  append(name: keyof LogPaths, bytes: Buffer): void
  /** Ends a last line without a line end, so that what comes now begins a line of its own. */
  endLine(name: keyof LogPaths): void
  close(): void
}

const LOG_LIMIT_BYTES = 256 * 1024 * 1024
const NEWLINE_BYTE = 10
const OPEN_FLAGS = constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0)

/** Opens the files of a folder, with what they hold already. */
export function openLogFiles(folder: LogFolder): LogFiles {
  const paths = {
    stdout: join(folder.path, 'stdout.log'),
    stderr: join(folder.path, 'stderr.log'),
    combined: join(folder.path, 'combined.log'),
  }
  const open = (path: string) => openSync(path, OPEN_FLAGS, 0o600)
  const files = { stdout: open(paths.stdout), stderr: open(paths.stderr), combined: open(paths.combined) }
  const sizeOf = (name: keyof LogPaths) => fstatSync(files[name]).size
  const sizes = { stdout: sizeOf('stdout'), stderr: sizeOf('stderr'), combined: sizeOf('combined') }

  function append(name: keyof LogPaths, bytes: Buffer): void {
    if (sizes[name] + bytes.length > LOG_LIMIT_BYTES) {
      ftruncateSync(files[name], 0)
      folder.starts = { ...folder.starts, [name]: folder.starts[name] + sizes[name] }
      sizes[name] = 0
    }
    try {
      writeSync(files[name], bytes, 0, bytes.length, sizes[name])
      sizes[name] += bytes.length
    } catch {
      // The disk is full: the server goes on, and its lines are still reported.
    }
  }

  return {
    paths,
    append,
    endLine(name) {
      const lastByte = Buffer.alloc(1, '\n')
      if (sizes[name] > 0) readSync(files[name], lastByte, 0, 1, sizes[name] - 1)
      if (lastByte[0] !== NEWLINE_BYTE) append(name, Buffer.of(NEWLINE_BYTE))
    },
    close() {
      for (const file of Object.values(files)) closeSync(file)
    },
  }
}
