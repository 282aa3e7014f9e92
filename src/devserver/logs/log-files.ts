// Reads the log files that a server reported at its start, and no others: their links are resolved then, and a path that resolves to
// another file later is refused.

import { closeSync, fstatSync, readSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { openLog, searchFile, tailFile, type ByteRange, type LogTail } from './log-tail.ts'
import type { LogLines, LogQuery, LogSearch, LogStarts } from '../../runtime/ports/servers.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import { err, map, ok } from '../../core/result.ts'
import type { LogPaths } from '../../core/dev-server.ts'
import { stripTerminalCodes } from '../../core/text/terminal-codes.ts'

const ZERO_STARTS: LogStarts = { stdout: 0, stderr: 0, combined: 0 }

/** The paths with their links resolved. */
export const resolveLogPaths = ({ stdout, stderr, combined }: LogPaths): LogPaths => ({
  stdout: resolvePath(stdout),
  stderr: resolvePath(stderr),
  combined: resolvePath(combined),
})

export function readLogs(
  paths: LogPaths,
  query: LogQuery,
  starts: LogStarts = ZERO_STARTS,
): Outcome<LogLines> {
  const { type, lines, since } = query
  const [path, start] = [paths[type], starts[type]]
  if (resolvePath(path) !== path) return err(movedFailureOf(path))
  try {
    const tail = tailFile(path, lines, (line) => isSince(line, since), rangeOf(query, start))
    return ok(logLinesOf(tail, start))
  } catch (error) {
    return err(readFailureOf(path, error))
  }
}

/** Like `readLogs`, but only the lines that `search` finds. */
export async function searchLogs(
  paths: LogPaths,
  query: LogQuery,
  search: LogSearch,
  starts: LogStarts = ZERO_STARTS,
): Promise<Outcome<LogLines>> {
  const { type, lines, since } = query
  const [path, start] = [paths[type], starts[type]]
  if (resolvePath(path) !== path) return err(movedFailureOf(path))
  const accept = async (rawLines: readonly string[]) => {
    const plainLines = rawLines.map(stripTerminalCodes)
    const result = await search(plainLines)
    return map(result, (texts) =>
      rawLines.map((line, index) => texts.has(plainLines[index] ?? '') && isSince(line, since)),
    )
  }
  try {
    const result = await searchFile(path, lines, accept, rangeOf(query, start))
    return map(result, (tail) => logLinesOf(tail, start))
  } catch (error) {
    return err(readFailureOf(path, error))
  }
}

/** A failure names the file that answers name. */
export const nameLog = (
  outcome: Outcome<LogLines>,
  named: LogPaths,
  { type }: LogQuery,
): Outcome<LogLines> =>
  !outcome.ok && outcome.error.code === 'LOG_READ_FAILED'
    ? err({ ...outcome.error, path: named[type] })
    : outcome

export interface LogFollower {
  /** Reports the lines since the last call; of a large amount only the end. */
  reportLines(): void
}

const READ_LIMIT_BYTES = 256 * 1024

/** Follows stdout and stderr from their current ends. A path that resolves to another file than at the start is skipped. */
export function createLogFollower(
  paths: LogPaths,
  onLine: (stream: 'stdout' | 'stderr', text: string) => void,
): LogFollower {
  const offsets = { stdout: sizeOf(paths.stdout), stderr: sizeOf(paths.stderr) }
  return {
    reportLines() {
      for (const stream of ['stdout', 'stderr'] as const) {
        if (resolvePath(paths[stream]) !== paths[stream]) continue
        const size = sizeOf(paths[stream])
        const from = Math.max(offsets[stream] > size ? 0 : offsets[stream], size - READ_LIMIT_BYTES)
        const bytes = readPart(paths[stream], from, size)
        // An incomplete line is reported by the next call, unless it is very long.
        const wholeLength = bytes.length === READ_LIMIT_BYTES ? bytes.length : bytes.lastIndexOf('\n') + 1
        offsets[stream] = from + wholeLength
        for (const line of bytes.toString('utf8', 0, wholeLength).split('\n').filter(Boolean))
          onLine(stream, stripTerminalCodes(line))
      }
    },
  }
}

// --- internal ---

const logLinesOf = ({ lines, hasMore, offset, end }: LogTail, start: number): LogLines => ({
  lines: lines.map(stripTerminalCodes),
  ...(hasMore && { cursor: start + offset }),
  seq: start + end,
})

// From a position only complete lines are read; an incomplete one would be returned twice.
const rangeOf = ({ after, cursor }: LogQuery, start: number): ByteRange => ({
  ...(after !== undefined && { from: Math.max(0, after - start), wholeLines: true }),
  ...(cursor !== undefined && { to: Math.max(0, cursor - start) }),
})

const movedFailureOf = (path: string): Failure => ({
  code: 'LOG_READ_FAILED',
  path,
  reason: 'it resolves to another file than when the server started',
})

const readFailureOf = (path: string, error: unknown): Failure => ({
  code: 'LOG_READ_FAILED',
  path,
  reason: error instanceof Error ? error.message : String(error),
})

const isSince = (line: string, since: number | undefined): boolean =>
  since === undefined || parseLineTime(line) >= since

function resolvePath(path: string): string {
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

// The time before each line of a combined log; lines without one do not match `since`.
function parseLineTime(line: string): number {
  const stamp = /^\[?\d{4}-\d\d-\d\d[T ]\S{1,40}/.exec(line)?.[0]
  const time = stamp ? Date.parse(stamp.replace(/^\[|\]$/g, '')) : Number.NaN
  return Number.isNaN(time) ? 0 : time
}

function withFile<T>(path: string, fallback: T, read: (file: number) => T): T {
  try {
    const file = openLog(path)
    try {
      return read(file)
    } finally {
      closeSync(file)
    }
  } catch {
    return fallback
  }
}

const sizeOf = (path: string): number => withFile(path, 0, (file) => fstatSync(file).size)

function readPart(path: string, from: number, to: number): Buffer {
  const bytes = Buffer.alloc(Math.max(0, to - from))
  return withFile(path, bytes.subarray(0, 0), (file) =>
    bytes.subarray(0, readSync(file, bytes, 0, bytes.length, from)),
  )
}
