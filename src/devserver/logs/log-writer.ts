// The log files of a server that is our child: stdout and stderr as they came, combined with a time before each line.

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
import { StringDecoder } from 'node:string_decoder'
import type { LogPaths } from '../../core/dev-server.ts'
import type { LogStarts } from '../../runtime/ports/servers.ts'

/** Where the logs of one server are. They go on over its restarts, so that who follows them misses nothing. */
export interface LogFolder {
  readonly path: string
  /** How much of each log had been written before its file began. */
  starts: LogStarts
}

export const createLogFolder = (parent: string): LogFolder => ({
  path: mkdtempSync(join(parent, 'server-')),
  starts: { stdout: 0, stderr: 0, combined: 0 },
})

export interface LogWriter {
  readonly paths: LogPaths
  write(stream: 'stdout' | 'stderr', chunk: Buffer): void
  /** Brings the combined log up to the end of a flood. */
  sync(): void
  close(): void
}

// A server may print without end: a file that has reached this size begins anew, because the newest lines matter most.
const LARGEST_LOG = 256 * 1024 * 1024
// More than this in a second is not read line by line; it is in the file of its stream.
const FLOOD = 2 * 1024 * 1024
// Bytes of the end of such a flood that are read all the same.
const END = 8192
const LONGEST_LINE = 16_000
const TOLD = 200
const NEWLINE = 10

const OPEN = constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0)

/** `line` gets each whole line, decoded. What the folder has already is kept. */
export function createLogWriter(
  folder: LogFolder,
  line: (stream: 'stdout' | 'stderr', text: string) => void,
): LogWriter {
  const paths = {
    stdout: join(folder.path, 'stdout.log'),
    stderr: join(folder.path, 'stderr.log'),
    combined: join(folder.path, 'combined.log'),
  }
  const open = (path: string) => openSync(path, OPEN, 0o600)
  const files = { stdout: open(paths.stdout), stderr: open(paths.stderr), combined: open(paths.combined) }
  const sizeOf = (name: keyof LogPaths) => fstatSync(files[name]).size
  const sizes = { stdout: sizeOf('stdout'), stderr: sizeOf('stderr'), combined: sizeOf('combined') }
  const rests = { stdout: '', stderr: '' }
  const decoders = { stdout: new StringDecoder('utf8'), stderr: new StringDecoder('utf8') }
  const seconds = { stdout: dry(), stderr: dry() }
  let closed = false

  // The last line of the run before may have no end; what comes now begins a line of its own.
  function endLine(name: keyof LogPaths): void {
    const last = Buffer.alloc(1, '\n')
    if (sizes[name] > 0) readSync(files[name], last, 0, 1, sizes[name] - 1)
    if (last[0] !== NEWLINE) append(name, Buffer.of(NEWLINE))
  }

  function append(name: keyof LogPaths, bytes: Buffer): void {
    if (sizes[name] + bytes.length > LARGEST_LOG) {
      ftruncateSync(files[name], 0)
      folder.starts = { ...folder.starts, [name]: folder.starts[name] + sizes[name] }
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
    if (told > 0) tell(stream, [`… ${told} bytes omitted; the log of the stream has them`])
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

  endLine('stdout')
  endLine('stderr')
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
