// Reading the log files that a server named at its start, and no others: a path is remembered with its links resolved, and is
// refused when it leads elsewhere later.

import { closeSync, fstatSync, readSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { openLog, tailFile } from './logs.ts'
import type { LogLines, LogQuery } from '../runtime/ports/servers.ts'
import type { Outcome } from '../core/failure.ts'
import { err, ok } from '../core/result.ts'
import { plainLine, type LogPaths } from '../core/server.ts'

/** The paths with their links resolved, as they were at the start. */
export const rememberLogs = ({ stdout, stderr, combined }: LogPaths): LogPaths => ({
  stdout: resolved(stdout),
  stderr: resolved(stderr),
  combined: resolved(combined),
})

export function readLogs(
  paths: LogPaths,
  { type, lines, pattern, since, cursor }: LogQuery,
): Outcome<LogLines> {
  const path = paths[type]
  if (resolved(path) !== path)
    return err({ code: 'LOG_READ_FAILED', path, reason: 'it leads elsewhere than when the server started' })
  const passes = (line: string) =>
    (!pattern || pattern.test(plainLine(line))) && (since === undefined || timeOf(line) >= since)
  try {
    const tail = tailFile(path, lines, passes, cursor)
    const text = tail.lines.map(plainLine)
    return ok({ lines: text, ...(tail.more && { cursor: tail.offset }) })
  } catch (error) {
    return err({
      code: 'LOG_READ_FAILED',
      path,
      reason: error instanceof Error ? error.message : String(error),
    })
  }
}

export interface Follower {
  /** Tells the lines that were written since the last time; a large jump is skipped. */
  sync(): void
}

const MOST = 256 * 1024

/** Follows stdout and stderr from where they end now, whenever it is asked to. */
export function createFollower(
  paths: LogPaths,
  line: (stream: 'stdout' | 'stderr', text: string) => void,
): Follower {
  const offsets = { stdout: sizeOf(paths.stdout), stderr: sizeOf(paths.stderr) }
  return {
    sync() {
      for (const stream of ['stdout', 'stderr'] as const) {
        const size = sizeOf(paths[stream])
        const from = Math.max(offsets[stream] > size ? 0 : offsets[stream], size - MOST)
        const text = readPart(paths[stream], from, size)
        // A line that is still being written is told next time, unless it is very long.
        const whole = text.length === MOST ? text.length : text.lastIndexOf('\n') + 1
        offsets[stream] = from + Buffer.byteLength(text.slice(0, whole))
        for (const one of text.slice(0, whole).split('\n').filter(Boolean)) line(stream, plainLine(one))
      }
    },
  }
}

// --- internal ---

function resolved(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    try {
      return join(realpathSync(dirname(path)), basename(path))
    } catch {
      return path
    }
  }
}

// The time that a combined log puts before a line; lines without one pass no `since`.
function timeOf(line: string): number {
  const stamp = /^\S*\d{4}-\d\d-\d\d[T ]\S+/.exec(line)?.[0]
  const time = stamp ? Date.parse(stamp.replace(/^\[|\]$/g, '')) : Number.NaN
  return Number.isNaN(time) ? 0 : time
}

function withFile<T>(path: string, none: T, use: (file: number) => T): T {
  try {
    const file = openLog(path)
    try {
      return use(file)
    } finally {
      closeSync(file)
    }
  } catch {
    return none
  }
}

const sizeOf = (path: string): number => withFile(path, 0, (file) => fstatSync(file).size)

function readPart(path: string, from: number, to: number): string {
  if (to <= from) return ''
  return withFile(path, '', (file) => {
    const bytes = Buffer.alloc(to - from)
    return bytes.toString('utf8', 0, readSync(file, bytes, 0, bytes.length, from))
  })
}
