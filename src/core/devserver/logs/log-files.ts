// Reads the log files that a server reported at its start, and no others: their links are resolved then, and a path that resolves to
// another file later is refused.

import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { LogPaths } from '../../base/failure-records.ts'
import type { Failure, Outcome } from '../../base/failure.ts'
import { err, map, ok } from '../../base/result.ts'
import { lastStateOf, stripTerminalCodes } from '../../base/text/terminal-codes.ts'
import type { LogLines, LogQuery, LogSearch, LogStarts } from '../../sessions/types/servers.ts'

const ZERO_STARTS: LogStarts = { stdout: 0, stderr: 0, combined: 0 }

/** The paths with their links resolved. */
export const resolveLogPaths = ({ stdout, stderr, combined }: LogPaths): LogPaths => ({
  stdout: resolvePath(stdout),
  stderr: resolvePath(stderr),
  combined: resolvePath(combined),
})

/** The last lines that match the query and, if there is a search, that it returns. */
export async function readLogs(
  paths: LogPaths,
  { type, lines, since, ...query }: LogQuery,
  starts: LogStarts = ZERO_STARTS,
  search?: LogSearch,
): Promise<Outcome<LogLines>> {
  const [path, start] = [paths[type], starts[type]]
  if (resolvePath(path) !== path) return err(movedFailureOf(path))
  const accept = async (rawLines: readonly string[]) => {
    const plainLines = rawLines.map(plainLineOf)
    const matches = search ? await search(plainLines) : undefined
    if (matches && !matches.ok) return matches
    const isMatch = (line: string) => !matches || matches.value.has(line)
    return ok(rawLines.map((line, index) => isMatch(plainLines[index] ?? '') && isSince(line, since)))
  }
  try {
    const result = await tailFile(path, lines, accept, rangeOf(query, start))
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

const READ_LIMIT_BYTES = 256 * 1024

/** Follows the logs from their current ends. The returned function reports the lines since its last call, of a large amount only
 * the end. A path that resolves to another file than at the start is skipped. */
export function createLogFollower(
  paths: LogPaths,
  onLine: (stream: keyof LogPaths, text: string) => void,
): () => void {
  const offsets = {
    stdout: sizeOf(paths.stdout),
    stderr: sizeOf(paths.stderr),
    combined: sizeOf(paths.combined),
  }
  return () => {
    for (const stream of ['stdout', 'stderr', 'combined'] as const) {
      if (resolvePath(paths[stream]) !== paths[stream]) continue
      const size = sizeOf(paths[stream])
      const from = Math.max(offsets[stream] > size ? 0 : offsets[stream], size - READ_LIMIT_BYTES)
      const bytes = readPart(paths[stream], from, size)
      // An incomplete line is reported by the next call, unless it is very long.
      const wholeLength = bytes.length === READ_LIMIT_BYTES ? bytes.length : bytes.lastIndexOf('\n') + 1
      offsets[stream] = from + wholeLength
      for (const line of bytes.toString('utf8', 0, wholeLength).split('\n').filter(Boolean))
        onLine(stream, plainLineOf(line))
    }
  }
}

const plainLineOf = (line: string): string => stripTerminalCodes(lastStateOf(line))

const logLinesOf = ({ lines, hasMore, offset, end }: LogTail, start: number): LogLines => ({
  lines: lines.map(plainLineOf),
  ...(hasMore && { cursor: start + offset }),
  seq: start + end,
})

// From a position only complete lines are read; an incomplete one would be returned twice.
const rangeOf = ({ after, cursor }: Pick<LogQuery, 'after' | 'cursor'>, start: number): ByteRange => ({
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

/** Opens a file for reading. Throws for a pipe or a device, which could block, and for a path that became a link after it was resolved. */
function openLog(path: string): number {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | (constants.O_NOFOLLOW ?? 0))
  if (fstatSync(file).isFile()) return file
  closeSync(file)
  throw new Error('it is not a regular file')
}

interface LogTail {
  readonly lines: readonly string[]
  /** The position of the first of these lines in the file; earlier ones are before it. */
  readonly offset: number
  /** Whether there are earlier lines. */
  readonly hasMore: boolean
  /** The end of the last complete line. */
  readonly end: number
}

interface ByteRange {
  readonly from?: number
  readonly to?: number
  /** Omits an incomplete last line. */
  readonly wholeLines?: boolean
}

const BLOCK_BYTES = 64 * 1024
const TAIL_LIMIT_BYTES = 4 * 1024 * 1024
const LINE_LIMIT_BYTES = 16_000

interface LogLine {
  readonly line: string
  readonly offset: number
}

/** The last `count` lines in `range` that are accepted, block by block. */
export async function tailFile(
  path: string,
  count: number,
  accept: (lines: readonly string[]) => Promise<Outcome<readonly boolean[]>>,
  range: ByteRange = {},
): Promise<Outcome<LogTail>> {
  const file = openLog(path)
  try {
    const lines: LogLine[] = []
    const limits = resolveRange(file, range)
    let at = limits.from
    for (const block of readBlocksBackwards(file, limits)) {
      at = block.at
      const acceptResult = await accept(block.lines.map(({ line }) => line))
      if (!acceptResult.ok) return acceptResult
      lines.unshift(...block.lines.filter((_, index) => acceptResult.value[index]))
      if (lines.length > count) break
    }
    return ok(tailOf(lines, count, at, limits))
  } finally {
    closeSync(file)
  }
}

interface ResolvedRange {
  readonly from: number
  readonly to: number
  readonly end: number
}

// A file that ends before `from` was replaced or truncated.
function resolveRange(
  file: number,
  { from = 0, to = Number.MAX_SAFE_INTEGER, wholeLines = false }: ByteRange,
): ResolvedRange {
  const { size } = fstatSync(file)
  const end = findLastLineEnd(file, size)
  return { from: from > size ? 0 : from, to: Math.min(to, wholeLines ? end : size), end }
}

// The position after the last newline; the size of the file if there is none in the last block.
function findLastLineEnd(file: number, size: number): number {
  const start = Math.max(0, size - BLOCK_BYTES)
  const block = Buffer.alloc(size - start)
  readSync(file, block, 0, block.length, start)
  const newline = block.lastIndexOf(10)
  if (newline >= 0) return start + newline + 1
  return start === 0 ? 0 : size
}

function tailOf(lines: readonly LogLine[], count: number, at: number, { from, end }: ResolvedRange): LogTail {
  const lastLines = lines.slice(-count)
  const offset = lastLines[0]?.offset ?? at
  return {
    lines: lastLines.map(({ line }) => line),
    offset,
    hasMore: lines.length > lastLines.length || at > from,
    end,
  }
}

// Yields blocks of lines from the end backwards, at most 4 MB; `at` is the position that was reached.
function* readBlocksBackwards(
  file: number,
  { from, to }: ResolvedRange,
): Generator<{ lines: readonly LogLine[]; at: number }> {
  let at = to
  const start = Math.max(from, at - TAIL_LIMIT_BYTES)
  let incomplete: Buffer[] = []
  while (at > start) {
    const size = Math.min(BLOCK_BYTES, at - start)
    at -= size
    const block = Buffer.alloc(size)
    readSync(file, block, 0, size, at)
    const first = at === from ? 0 : block.indexOf(10) + 1
    if (first === 0 && at > from) {
      incomplete.unshift(block)
      continue
    }
    yield { lines: splitLines(Buffer.concat([block.subarray(first), ...incomplete]), at + first), at }
    incomplete = [block.subarray(0, first)]
  }
}

function splitLines(bytes: Buffer, start: number): { line: string; offset: number }[] {
  const lines: { line: string; offset: number }[] = []
  for (let from = 0; from < bytes.length;) {
    const newline = bytes.indexOf(10, from)
    const to = newline < 0 ? bytes.length : newline
    const half = LINE_LIMIT_BYTES / 2
    const line =
      to - from > LINE_LIMIT_BYTES
        ? `${bytes.toString('utf8', from, from + half)} … ${bytes.toString('utf8', to - half, to)}`
        : bytes.toString('utf8', from, to)
    lines.push({ line, offset: start + from })
    from = to + 1
  }
  return lines
}
