import process from 'node:process'
import { Transform } from 'node:stream'

export interface Progress {
  add(bytes: number): void
  end(): void
}

const WIDTH = 30

/** On stderr: a bar where a person watches, else a line at each quarter. `total` in bytes; undefined where that is not known. */
export function createProgress(what: string, total: number | undefined): Progress {
  const shown = process.stderr.isTTY
  let done = 0
  let told = -1
  const draw = () => {
    const share = total ? Math.min(1, done / total) : 0
    const step = total ? Math.floor(share * (shown ? 100 : 4)) : Math.floor(done / 10e6)
    if (step === told) return
    told = step
    const amount = total ? `${Math.round(share * 100)} % of ${megabytes(total)}` : megabytes(done)
    const bar = '█'.repeat(Math.round(share * WIDTH)).padEnd(WIDTH, '░')
    process.stderr.write(shown ? `\r${what}  ${bar}  ${amount} ` : `footlight: ${what}: ${amount}\n`)
  }
  return {
    add(bytes) {
      done += bytes
      draw()
    },
    end: () => void (shown && process.stderr.write('\n')),
  }
}

/** Passes bytes on and counts them. */
export const counting = (progress: Progress): Transform =>
  new Transform({
    transform(chunk: Buffer, _, next) {
      progress.add(chunk.length)
      next(null, chunk)
    },
  })

export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`
