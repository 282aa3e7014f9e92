import process from 'node:process'
import { Transform } from 'node:stream'

export interface Progress {
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
export const countBytes = (progress: Progress): Transform =>
  new Transform({
    transform(chunk: Buffer, _, next) {
      progress.add(chunk.length)
      next(null, chunk)
    },
  })

export const formatMegabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`
