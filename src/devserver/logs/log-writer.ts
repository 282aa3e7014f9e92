// Writes the output of a server that is our child: stdout and stderr as they came, combined with a time before each line.

import { openLogFiles, type LogFolder } from './log-folder.ts'
import { createStreamLines } from './stream-lines.ts'
import type { LogPaths } from '../../core/dev-server.ts'

export type OutputStream = 'stdout' | 'stderr'

export interface LogWriter {
  readonly paths: LogPaths
  write(stream: OutputStream, chunk: Buffer): void
  /** Writes to the combined log also the end of output that was skipped. */
  sync(): void
  close(): void
}

/** Of more lines than this in one chunk only the first and the last are reported; the files have all. */
const REPORTED_LINE_LIMIT = 200

/** `onLine` gets each whole line, decoded. The folder's earlier logs are continued. */
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
    for (const line of selectReported(lines)) onLine(stream, line)
  }

  files.endLine('stdout')
  files.endLine('stderr')
  const sync = () => {
    streams.stdout.flush()
    streams.stderr.flush()
  }
  return {
    paths: files.paths,
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
