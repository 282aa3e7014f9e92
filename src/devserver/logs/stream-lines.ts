// One stream of a server's output as lines. What exceeds the limit of a second is skipped, but for its end: that may say why.

import { StringDecoder } from 'node:string_decoder'

export interface StreamLines {
  read(chunk: Buffer): void
  /** Reports the end of what was skipped. */
  flush(): void
  /** Reports also a last line without a line end. */
  close(): void
}

const READ_LIMIT_BYTES_PER_SECOND = 2 * 1024 * 1024
const SKIPPED_END_BYTES = 8192
const LINE_LIMIT_CHARS = 16_000

interface Second {
  readonly startedAt: number
  readBytes: number
  skippedBytes: number
  /** The end of what was skipped. */
  end: Buffer
}

/** `report` gets the whole lines of each chunk, decoded. */
export function createStreamLines(report: (lines: readonly string[]) => void): StreamLines {
  let rest = ''
  let decoder = new StringDecoder('utf8')
  let second = createSecond(0)

  function flush(): void {
    if (second.skippedBytes === 0) return
    const lines = second.end.toString('utf8').split('\n')
    const last = lines.pop() ?? ''
    const omitted = second.skippedBytes - second.end.length
    if (omitted > 0) report([`… ${omitted} bytes omitted; the log of the stream has them`])
    report(lines)
    rest = last.slice(-SKIPPED_END_BYTES)
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
    // A line that had begun continues in what is skipped.
    if (isFirst) {
      second.end = Buffer.from(rest)
      rest = ''
      decoder = new StringDecoder('utf8')
    }
    second.end = endOf(second.end, chunk)
    return true
  }

  return {
    flush,
    read(chunk) {
      if (isSkipped(chunk)) return
      const lines = (rest + decoder.write(chunk)).split('\n')
      rest = lines.pop() ?? ''
      report(lines.map((line) => line.slice(0, LINE_LIMIT_CHARS)))
      // A line without an end must not grow without a limit.
      if (rest.length <= LINE_LIMIT_CHARS) return
      report([rest.slice(0, LINE_LIMIT_CHARS)])
      rest = ''
    },
    close() {
      flush()
      if (rest) report([rest])
      rest = ''
    },
  }
}

// --- internal ---

const createSecond = (startedAt: number): Second => ({
  startedAt,
  readBytes: 0,
  skippedBytes: 0,
  end: Buffer.alloc(0),
})

// A copy, so that no whole chunk is kept for its end.
const endOf = (before: Buffer, chunk: Buffer): Buffer =>
  chunk.length >= SKIPPED_END_BYTES
    ? Buffer.from(chunk.subarray(-SKIPPED_END_BYTES))
    : Buffer.concat([before.subarray(chunk.length - SKIPPED_END_BYTES), chunk])
