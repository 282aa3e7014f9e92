import process from 'node:process'
import { Transform } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'

interface Progress {
  add(bytes: number): void
  end(): void
}

const BAR_WIDTH_CHARS = 30

/** On stderr: a bar where a person watches, else a line at each quarter. `total` in bytes; undefined where that is not known. */
export function createProgress(label: string, totalBytes: number | undefined): Progress {
  const isInteractive = process.stderr.isTTY
  let doneBytes = 0
  let lastStep = -1
  const draw = () => {
    const fraction = totalBytes ? Math.min(1, doneBytes / totalBytes) : 0
    const step = totalBytes ? Math.floor(fraction * (isInteractive ? 100 : 4)) : Math.floor(doneBytes / 10e6)
    if (step === lastStep) return
    lastStep = step
    const amount = totalBytes
      ? `${Math.round(fraction * 100)} % of ${formatMegabytes(totalBytes)}`
      : formatMegabytes(doneBytes)
    const bar = '█'.repeat(Math.round(fraction * BAR_WIDTH_CHARS)).padEnd(BAR_WIDTH_CHARS, '░')
    process.stderr.write(
      isInteractive ? `\r${label}  ${bar}  ${amount} ` : `footlight: ${label}: ${amount}\n`,
    )
  }
  return {
    add(bytes) {
      doneBytes += bytes
      draw()
    },
    end: () => void (isInteractive && process.stderr.write('\n')),
  }
}

/** Passes bytes on and counts them. */
export const countBytes = (progress: Pick<Progress, 'add'>): Transform =>
  new Transform({
    transform(chunk: Buffer, _, next) {
      progress.add(chunk.length)
      next(null, chunk)
    },
  })

export const formatMegabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

const INTERVAL_MS = 10_000
const DEFAULT_WIDTH_CHARS = 80

interface ProgressLine {
  show(text: string): void
  /** Before other output. */
  clear(): void
}

/** What a call does meanwhile: on a terminal one line that is written anew, elsewhere a line every ten seconds. */
export function createProgressLine(
  stream: Pick<NodeJS.WriteStream, 'isTTY' | 'columns' | 'write'>,
  now: () => number,
): ProgressLine {
  let shownAt = now()
  let isShown = false
  return {
    show(text) {
      const line = `footlight: … ${stripVTControlCharacters(text)}`
      if (stream.isTTY) {
        // A line that is longer than the terminal cannot be written anew.
        stream.write(`\r\u001b[K${line.slice(0, (stream.columns || DEFAULT_WIDTH_CHARS) - 1)}`)
        isShown = true
        return
      }
      if (now() - shownAt < INTERVAL_MS) return
      shownAt = now()
      stream.write(`${line}\n`)
    },
    clear() {
      if (isShown) stream.write('\r\u001b[K')
      isShown = false
    },
  }
}
