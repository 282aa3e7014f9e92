// The log files of a server that is a child process. A file that reaches its limit is emptied, because the newest lines matter most.

import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import type { LogPaths } from '../../base/failure-records.ts'
import type { LogStarts } from '../../sessions/types/servers.ts'
import { createRedactedLogs, logPathsIn, type RedactedLogs } from './redacted-logs.ts'

/** The folder with the logs of one server. They continue after restarts, so that a reader misses nothing. */
export interface LogFolder {
  readonly path: string
  /** The folder of the files as the server wrote them: `path`, unless there are redacted copies. */
  readonly filesPath: string
  /** What answers name in place of these files. */
  readonly copies?: RedactedLogs
  /** How many bytes of each log were written before the start of the current file. */
  starts: LogStarts
}

/** `redact`: also writes redacted copies. */
export function createLogFolder(parent: string, redact?: (text: string) => string): LogFolder {
  const path = mkdtempSync(join(parent, 'server-'))
  const starts = { stdout: 0, stderr: 0, combined: 0 }
  if (!redact) return { path, filesPath: path, starts }
  const filesPath = join(path, 'unredacted')
  mkdirSync(filesPath, { mode: 0o700 })
  return { path, filesPath, starts, copies: createRedactedLogs(path, redact) }
}

interface LogFiles {
  readonly paths: LogPaths
  append(name: keyof LogPaths, bytes: Buffer): void
  /** Ends an incomplete last line, so that new output starts a new line. */
  endLine(name: keyof LogPaths): void
  close(): void
}

const LOG_LIMIT_BYTES = 256 * 1024 * 1024
const NEWLINE_BYTE = 10
const OPEN_FLAGS = constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0)

/** Opens the files of a folder and keeps their content. */
export function openLogFiles(folder: LogFolder): LogFiles {
  const paths = logPathsIn(folder.filesPath)
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
      // If the disk is full, the server continues, and its lines are still reported.
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
