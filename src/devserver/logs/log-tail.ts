// Reads the end of a log file backwards in blocks, at most 4 MB.

import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import type { Outcome } from '../../core/failure.ts'
import { ok } from '../../core/result.ts'

/** Opens a file for reading. Throws for a pipe or a device, which could block, and for a path that became a link after it was resolved. */
export function openLog(path: string): number {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | (constants.O_NOFOLLOW ?? 0))
  if (fstatSync(file).isFile()) return file
  closeSync(file)
  throw new Error('it is not a regular file')
}

export interface LogTail {
  readonly lines: readonly string[]
  /** The position of the first of these lines in the file; earlier ones are before it. */
  readonly offset: number
  /** Whether there are earlier lines. */
  readonly hasMore: boolean
  /** The end of the last complete line. */
  readonly end: number
}

/** A range of bytes of a file. */
export interface ByteRange {
  readonly from?: number
  readonly to?: number
  /** Omits an incomplete last line. */
  readonly wholeLines?: boolean
}

const BLOCK_BYTES = 64 * 1024
const READ_LIMIT_BYTES = 4 * 1024 * 1024
const LINE_LIMIT_BYTES = 16_000

interface LogLine {
  readonly line: string
  readonly offset: number
}

/** The last `count` lines in `range` that are accepted. */
export function tailFile(
  path: string,
  count: number,
  accept: (line: string) => boolean,
  range: ByteRange = {},
): LogTail {
  const file = openLog(path)
  try {
    const lines: LogLine[] = []
    const limits = resolveRange(file, range)
    const blocks = readBlocksBackwards(file, limits)
    let at = limits.from
    for (const block of blocks) {
      at = block.at
      lines.unshift(...block.lines.filter(({ line }) => accept(line)))
      if (lines.length > count) break
    }
    return tailOf(lines, count, at, limits)
  } finally {
    closeSync(file)
  }
}

/** Like `tailFile`, with an asynchronous test for each block of lines. */
export async function searchFile(
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

// --- internal ---

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

// Yields blocks of lines from the end backwards; `at` is the position that was reached.
function* readBlocksBackwards(
  file: number,
  { from, to }: ResolvedRange,
): Generator<{ lines: readonly LogLine[]; at: number }> {
  let at = to
  const start = Math.max(from, at - READ_LIMIT_BYTES)
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
    lines.push({
      line: bytes.toString('utf8', from, Math.min(to, from + LINE_LIMIT_BYTES)),
      offset: start + from,
    })
    from = to + 1
  }
  return lines
}
