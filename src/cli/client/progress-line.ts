import { stripVTControlCharacters } from 'node:util'

const INTERVAL_MS = 10_000
const DEFAULT_WIDTH_CHARS = 80

export interface ProgressLine {
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
