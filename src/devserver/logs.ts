// The log files of a server that is our child: stdout and stderr as they came, combined with a time before each line.

import { closeSync, constants, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import type { LogPaths } from '../core/server.ts'

export interface LogWriter {
  readonly paths: LogPaths
  write(stream: 'stdout' | 'stderr', chunk: Buffer): void
  /** Brings the combined log up to the end of a flood. */
  sync(): void
  close(): void
}

// A server may print without end: a file that has reached this size begins anew, because the newest lines matter most.
const LARGEST = 256 * 1024 * 1024
// More than this in a second is not read line by line; it is in the file of its stream.
const FLOOD = 2 * 1024 * 1024
// Bytes of the end of such a flood that are read all the same.
const END = 8192
const LONGEST_LINE = 16_000
const TOLD = 40

/** `line` is told each whole line, decoded. */
export function createLogWriter(
  folder: string,
  line: (stream: 'stdout' | 'stderr', text: string) => void,
): LogWriter {
  const paths = {
    stdout: join(folder, 'stdout.log'),
    stderr: join(folder, 'stderr.log'),
    combined: join(folder, 'combined.log'),
  }
  const open = (path: string) => openSync(path, 'wx', 0o600)
  const files = { stdout: open(paths.stdout), stderr: open(paths.stderr), combined: open(paths.combined) }
  const sizes = { stdout: 0, stderr: 0, combined: 0 }
  const rests = { stdout: '', stderr: '' }
  const decoders = { stdout: new StringDecoder('utf8'), stderr: new StringDecoder('utf8') }
  const seconds = { stdout: dry(), stderr: dry() }
  let closed = false

  function append(name: keyof LogPaths, bytes: Buffer): void {
    if (sizes[name] + bytes.length > LARGEST) {
      ftruncateSync(files[name], 0)
      sizes[name] = 0
    }
    try {
      writeSync(files[name], bytes, 0, bytes.length, sizes[name])
      sizes[name] += bytes.length
    } catch {
      // The disk is full: the server goes on, and its lines are still told.
    }
  }

  // Whether there is room in this second for one more chunk. Of what has none, the end is kept: it may say why.
  function isFlood(stream: 'stdout' | 'stderr', chunk: Buffer): boolean {
    const now = performance.now()
    if (now - seconds[stream].began > 1000) {
      drain(stream)
      seconds[stream] = { ...dry(), began: now }
    }
    const second = seconds[stream]
    const before = second.skipped
    second[second.read + chunk.length > FLOOD ? 'skipped' : 'read'] += chunk.length
    // A line that had begun goes on in what is skipped.
    if (before === 0 && second.skipped > 0) {
      second.end = Buffer.from(rests[stream])
      rests[stream] = ''
      decoders[stream] = new StringDecoder('utf8')
    }
    if (second.skipped > 0) second.end = endOf(second.end, chunk)
    return second.skipped > 0
  }

  function drain(stream: 'stdout' | 'stderr'): void {
    const second = seconds[stream]
    if (second.skipped === 0) return
    const lines = second.end.toString('utf8').split('\n')
    const rest = lines.pop() ?? ''
    const told = second.skipped - second.end.length
    if (told > 0) tell(stream, [`… ${told} bytes are only in the log of their stream`])
    tell(stream, lines)
    rests[stream] = rest.slice(-END)
    Object.assign(second, { skipped: 0, end: Buffer.alloc(0) })
  }

  function tell(stream: 'stdout' | 'stderr', texts: readonly string[]): void {
    if (texts.length === 0) return
    const head = `${new Date().toISOString()} ${stream} `
    append('combined', Buffer.from(texts.map((text) => `${head}${text}\n`).join('')))
    // Of a flood, only the banks are told: the files have it all.
    const shown = texts.length > TOLD ? [...texts.slice(0, TOLD / 2), ...texts.slice(-TOLD / 2)] : texts
    for (const text of shown) line(stream, text)
  }

  const sync = () => {
    drain('stdout')
    drain('stderr')
  }

  return {
    paths,
    write(stream, chunk) {
      if (closed) return
      append(stream, chunk)
      if (isFlood(stream, chunk)) return
      const lines = (rests[stream] + decoders[stream].write(chunk)).split('\n')
      const rest = lines.pop() ?? ''
      tell(
        stream,
        lines.map((text) => text.slice(0, LONGEST_LINE)),
      )
      // A line that never ends must not grow us.
      if (rest.length > LONGEST_LINE) tell(stream, [rest.slice(0, LONGEST_LINE)])
      rests[stream] = rest.length > LONGEST_LINE ? '' : rest
    },
    sync,
    close() {
      if (closed) return
      sync()
      closed = true
      for (const stream of ['stdout', 'stderr'] as const) if (rests[stream]) tell(stream, [rests[stream]])
      for (const file of Object.values(files)) closeSync(file)
    },
  }
}

// A copy, so that no chunk is held for its end.
const endOf = (before: Buffer, chunk: Buffer): Buffer =>
  chunk.length >= END
    ? Buffer.from(chunk.subarray(-END))
    : Buffer.concat([before.subarray(chunk.length - END), chunk])

const dry = () => ({ began: 0, read: 0, skipped: 0, end: Buffer.alloc(0) as Buffer })

/** Opens a file for reading. A pipe or a device could hold us up for ever, so it is refused. */
export function openLog(path: string): number {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  if (fstatSync(file).isFile()) return file
  closeSync(file)
  throw new Error('it is not a regular file')
}

export interface Tail {
  readonly lines: readonly string[]
  /** Where the first of these lines begins in the file; read on from here for earlier ones. */
  readonly offset: number
  /** Whether there is more before it. */
  readonly more: boolean
}

const BLOCK = 64 * 1024
const MOST = 4 * 1024 * 1024

/** The last `count` lines that pass, before byte `end`; reads backwards in blocks and never more than 4 MB. */
export function tailFile(path: string, count: number, accept: (line: string) => boolean, end?: number): Tail {
  const file = openLog(path)
  try {
    let at = Math.min(end ?? Number.MAX_SAFE_INTEGER, fstatSync(file).size)
    const least = Math.max(0, at - MOST)
    let held = Buffer.alloc(0)
    const found: { line: string; offset: number }[] = []
    while (at > least && found.length <= count) {
      const size = Math.min(BLOCK, at - least)
      at -= size
      const block = Buffer.alloc(size)
      readSync(file, block, 0, size, at)
      held = Buffer.concat([block, held])
      const first = at === 0 ? 0 : held.indexOf(10) + 1
      if (first === 0 && at > 0) continue
      found.unshift(...linesOf(held.subarray(first), at + first).filter(({ line }) => accept(line)))
      held = held.subarray(0, first)
    }
    const kept = found.slice(-count)
    const offset = kept[0]?.offset ?? at
    return { lines: kept.map(({ line }) => line), offset, more: found.length > kept.length || at > 0 }
  } finally {
    closeSync(file)
  }
}

function linesOf(bytes: Buffer, start: number): { line: string; offset: number }[] {
  const out: { line: string; offset: number }[] = []
  for (let from = 0; from < bytes.length;) {
    const newline = bytes.indexOf(10, from)
    const to = newline < 0 ? bytes.length : newline
    out.push({ line: bytes.toString('utf8', from, Math.min(to, from + LONGEST_LINE)), offset: start + from })
    from = to + 1
  }
  return out
}
