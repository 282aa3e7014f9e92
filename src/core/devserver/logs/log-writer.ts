// Writes the output of a child process: stdout and stderr unchanged, combined with a time before each line.

import { StringDecoder } from 'node:string_decoder'
import type { LogPaths } from '../../base/failure-records.ts'
import { clipMiddle } from '../../base/text/clip.ts'
import { lastStateOf } from '../../base/text/terminal-codes.ts'
import { type LogFolder, openLogFiles } from './log-folder.ts'

export type OutputStream = 'stdout' | 'stderr'

interface LogWriter {
  /** The files that an answer may name. */
  readonly paths: LogPaths
  write(stream: OutputStream, chunk: Buffer): void
  /** Also writes the end of skipped output to the combined log. */
  sync(): void
  close(): void
}

/** If a chunk has more lines, only the first and the last ones are reported; the files have all. */
const REPORTED_LINE_LIMIT = 200

/** `onLine` gets each complete line, decoded. The existing logs of the folder are continued. */
export function createLogWriter(
  folder: LogFolder,
  onLine: (stream: OutputStream, line: string) => void,
): LogWriter {
  const files = openLogFiles(folder)
  const createStream = (stream: OutputStream) =>
    createStreamLines(
      (lines) => report(stream, lines),
      (part) => onLine(stream, part),
    )
  const streams = { stdout: createStream('stdout'), stderr: createStream('stderr') }
  let isClosed = false

  function report(stream: OutputStream, printed: readonly string[]): void {
    if (printed.length === 0) return
    const lines = printed.map(lastStateOf)
    const head = `${new Date().toISOString()} ${stream} `
    files.append('combined', Buffer.from(lines.map((line) => `${head}${line}\n`).join('')))
    folder.copies?.add(stream, lines)
    for (const line of selectReported(lines)) onLine(stream, line)
  }

  files.endLine('stdout')
  files.endLine('stderr')
  const sync = () => {
    streams.stdout.flush()
    streams.stderr.flush()
  }
  return {
    paths: folder.copies?.paths ?? files.paths,
    sync,
    write(stream, chunk) {
      if (isClosed) return
      files.append(stream, chunk)
      streams[stream].read(chunk)
    },
    close() {
      if (isClosed) return
      sync()
      isClosed = true
      streams.stdout.close()
      streams.stderr.close()
      files.close()
    },
  }
}

// --- internal ---

const selectReported = (lines: readonly string[]): readonly string[] =>
  lines.length > REPORTED_LINE_LIMIT
    ? [...lines.slice(0, REPORTED_LINE_LIMIT / 2), ...lines.slice(-REPORTED_LINE_LIMIT / 2)]
    : lines

// Splits one output stream of a server into lines. Output above the limit per second is skipped except for its end, which may name the cause.
interface StreamLines {
  read(chunk: Buffer): void
  /** Reports the end of the skipped output. */
  flush(): void
  /** Also reports an incomplete last line. */
  close(): void
}

const READ_LIMIT_BYTES_PER_SECOND = 2 * 1024 * 1024
const SKIPPED_END_BYTES = 8192
// Less than what a reader of the log takes of a line with its time.
const LINE_LIMIT_CHARS = 15_000

interface Second {
  readonly startedAt: number
  readBytes: number
  skippedBytes: number
  /** The end of the skipped output. */
  end: Buffer
}

/** `report` gets the complete lines of each chunk, decoded, long ones without their middle; `onPart` the parts of a long one as they come. */
function createStreamLines(
  report: (lines: readonly string[]) => void,
  onPart: (text: string) => void,
): StreamLines {
  const partialLine = createPartialLine(onPart)
  let decoder = new StringDecoder('utf8')
  let second = createSecond(0)

  function flush(): void {
    if (second.skippedBytes === 0) return
    const lines = second.end.toString('utf8').split('\n')
    const lastLine = lines.pop() ?? ''
    const omittedBytes = second.skippedBytes - second.end.length
    if (omittedBytes > 0) report([`… ${omittedBytes} bytes omitted; the log of the stream has them`])
    report(lines)
    partialLine.add(lastLine.slice(-SKIPPED_END_BYTES))
    second.skippedBytes = 0
    second.end = Buffer.alloc(0)
  }

  function isSkipped(chunk: Buffer): boolean {
    const now = performance.now()
    if (now - second.startedAt > 1000) {
      flush()
      second = createSecond(now)
    }
    const isFirst = second.skippedBytes === 0
    if (second.readBytes + chunk.length > READ_LIMIT_BYTES_PER_SECOND) second.skippedBytes += chunk.length
    else second.readBytes += chunk.length
    if (second.skippedBytes === 0) return false
    // An incomplete line continues in the skipped output.
    if (isFirst) {
      second.end = Buffer.from(partialLine.take())
      decoder = new StringDecoder('utf8')
    }
    second.end = endOf(second.end, chunk)
    return true
  }

  return {
    flush,
    read(chunk) {
      if (isSkipped(chunk)) return
      const lines = decoder.write(chunk).split('\n')
      const rest = lines.pop() ?? ''
      report(lines.map((line) => partialLine.take(line)))
      partialLine.add(rest)
    },
    close() {
      flush()
      const lastLine = partialLine.take()
      if (lastLine) report([lastLine])
    },
  }
}

/** A line that has no end yet. It does not grow without limit: a long one loses its middle. */
function createPartialLine(onPart: (text: string) => void) {
  let start = ''
  let text = ''
  return {
    add(more: string): void {
      text += more
      if (text.length <= LINE_LIMIT_CHARS) return
      onPart(text.slice(0, LINE_LIMIT_CHARS))
      start = clipMiddle(start + text, LINE_LIMIT_CHARS)
      text = ''
    },
    take(end = ''): string {
      const line = clipMiddle(start + text + end, LINE_LIMIT_CHARS)
      start = ''
      text = ''
      return line
    },
  }
}

const createSecond = (startedAt: number): Second => ({
  startedAt,
  readBytes: 0,
  skippedBytes: 0,
  end: Buffer.alloc(0),
})

// A copy, so that the chunk can be released.
const endOf = (before: Buffer, chunk: Buffer): Buffer =>
  chunk.length >= SKIPPED_END_BYTES
    ? Buffer.from(chunk.subarray(-SKIPPED_END_BYTES))
    : Buffer.concat([before.subarray(chunk.length - SKIPPED_END_BYTES), chunk])
