// Copies of the logs of a server for those who read the files that an answer names: redacted as answers are. They are written in small
// parts and at a limited rate, so that a server that prints a lot stops nothing else.

import { closeSync, constants, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { LogPaths } from '../../base/failure-records.ts'

export interface RedactedLogs {
  readonly paths: LogPaths
  /** Writes complete lines soon, redacted together: a secret may have several lines. Lines of `combined` are of a log that has its own. */
  add(stream: keyof LogPaths, lines: readonly string[]): void
}

export const logPathsIn = (folder: string): LogPaths => ({
  stdout: join(folder, 'stdout.log'),
  stderr: join(folder, 'stderr.log'),
  combined: join(folder, 'combined.log'),
})

const LIMIT_CHARS_PER_SECOND = 128 * 1024
const PART_LIMIT_CHARS = 8 * 1024
const FILE_LIMIT_CHARS = 64 * 1024 * 1024
const OMISSION_NOTE = '… lines omitted: read_server_logs has them'
const OPEN_FLAGS = constants.O_WRONLY | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0)

type Redact = (text: string) => string

/** Creates the files in a folder, empty. `combines`: whether lines of stdout and stderr are in the combined log too. */
export function createRedactedLogs(
  folder: string,
  redact: Redact,
  combines: () => boolean = () => true,
): RedactedLogs {
  const paths = logPathsIn(folder)
  const sizes = { stdout: 0, stderr: 0, combined: 0 }
  let pending: PrintedLine[] = []
  let isScheduled = false
  let second = { startedAt: 0, chars: 0, isFull: false }
  for (const path of Object.values(paths)) truncate(path)

  function append(name: keyof LogPaths, text: string): void {
    if (sizes[name] + text.length > FILE_LIMIT_CHARS) {
      truncate(paths[name])
      sizes[name] = 0
    }
    sizes[name] += text.length
    write(paths[name], constants.O_APPEND, text)
  }

  function writePart(): void {
    isScheduled = false
    const [part, rest] = takePart(pending)
    pending = rest
    if (rest.length > 0) schedule()
    try {
      for (const { stream, time, text } of joinRuns(part)) {
        const lines = redact(text).split('\n')
        append(stream, lines.map((line) => `${line}\n`).join(''))
        if (combines()) append('combined', lines.map((line) => `${time} ${stream} ${line}\n`).join(''))
      }
    } catch {
      // The disk is full, or the session has ended.
    }
  }

  function schedule(): void {
    if (isScheduled) return
    isScheduled = true
    setImmediate(writePart)
  }

  return {
    paths,
    add(stream, lines) {
      const now = performance.now()
      if (now - second.startedAt > 1000) second = { startedAt: now, chars: 0, isFull: false }
      const time = new Date().toISOString()
      const before = pending.length
      for (const text of lines) {
        if (second.isFull) break
        second.chars += text.length + 1
        second.isFull = second.chars > LIMIT_CHARS_PER_SECOND
        pending.push({ stream, time, text: second.isFull ? OMISSION_NOTE : text })
      }
      if (pending.length > before) schedule()
    },
  }
}

// --- internal ---

interface PrintedLine {
  readonly stream: keyof LogPaths
  readonly time: string
  readonly text: string
}

const truncate = (path: string): void => write(path, constants.O_TRUNC, '')

function write(path: string, flags: number, text: string): void {
  const file = openSync(path, OPEN_FLAGS | flags, 0o600)
  try {
    writeSync(file, text)
  } finally {
    closeSync(file)
  }
}

// What is written at once, and the others.
function takePart(lines: PrintedLine[]): readonly [readonly PrintedLine[], PrintedLine[]] {
  let chars = 0
  const end = lines.findIndex(({ text }, index) => {
    chars += text.length
    return index > 0 && chars > PART_LIMIT_CHARS
  })
  return end < 0 ? [lines, []] : [lines.slice(0, end), lines.slice(end)]
}

/** Successive lines of one stream as one text. */
function joinRuns(lines: readonly PrintedLine[]): readonly PrintedLine[] {
  const runs: PrintedLine[] = []
  for (const line of lines) {
    const last = runs.at(-1)
    if (last?.stream !== line.stream) runs.push(line)
    else runs[runs.length - 1] = { ...last, text: `${last.text}\n${line.text}` }
  }
  return runs
}
