// Writes the output of a child process: stdout and stderr unchanged, combined with a time before each line.

import { openLogFiles, type LogFolder } from './log-folder.ts'
import { createStreamLines } from './stream-lines.ts'
import type { LogPaths } from '../../core/dev-server.ts'

export type OutputStream = 'stdout' | 'stderr'

export interface LogWriter {
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
  const createStream = (stream: OutputStream) => createStreamLines((lines) => report(stream, lines))
  const streams = { stdout: createStream('stdout'), stderr: createStream('stderr') }
  let isClosed = false

  function report(stream: OutputStream, lines: readonly string[]): void {
    if (lines.length === 0) return
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
