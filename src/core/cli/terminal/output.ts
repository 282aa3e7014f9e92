import { once } from 'node:events'
import process from 'node:process'
import { stripVTControlCharacters } from 'node:util'
import { createDeferred } from '../../base/system/settle-within.ts'
import { clip } from '../../base/text/clip.ts'

/** Writes a line to stdout. */
export const printLine = (text: string): void => void process.stdout.write(`${text}\n`)

/** Writes sentences to stdout, in lines that fit a terminal. */
export const printSentences = (text: string): void =>
  printLine(wrapLines(text, process.stdout.columns || Infinity))

/** Writes a message to stderr, in lines that fit a terminal. */
export const printMessage = (message: string): void =>
  void process.stderr.write(`${wrapLines(`footlight: ${message}`, process.stderr.columns || Infinity)}\n`)

/** Writes what is wrong, and returns the exit code of the command. */
export function fail(message: string, exitCode: 1 | 2 = 1): number {
  printMessage(message)
  return exitCode
}

/** Ends the program quietly when the reader of its output has closed the pipe, as `head` does. */
export function exitWhenOutputCloses(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
      process.exit(0)
    })
}

/** Writes the message to stderr and exits with 2, the code for a wrong command line. */
export function exitWithUsageError(message: string): never {
  printMessage(message)
  process.exit(2)
}

/** Shows what is going on in place of what was shown before, where a person watches; an empty text clears it. */
export function showProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${clip(text, process.stderr.columns - 2)}`)
}

// What a person does in the terminal of a command: Enter goes on; Ctrl+C, a signal or closing the terminal ends it.
interface Interruption {
  /** Aborted by the first signal; a second signal exits at once. */
  readonly signal: AbortSignal
  /** Resolves at the first signal, with the exit code for it. */
  readonly exitCode: Promise<number>
}

export function watchInterruption(): Interruption {
  const controller = new AbortController()
  const { promise, resolve } = createDeferred<number>()
  for (const [name, code] of Object.entries(SIGNAL_EXIT_CODES))
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(code)
      controller.abort()
      resolve(code)
    })
  // A terminal that is closed takes no more text.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  return { signal: controller.signal, exitCode: promise }
}

/** The end of stdin is no Enter: a script may have closed it from the start. */
export async function waitForEnter(): Promise<void> {
  await once(process.stdin, 'data')
}

const SIGNAL_EXIT_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const

// Lines that fit a terminal: broken between words, and continued below the text of their last column.
const MINIMUM_TEXT_WIDTH_CHARS = 20
/** Also before the code that ends a color. */
const SPACES_AT_END = / +((?:\u001b\[\d+m)*)$/

/** The text with no line longer than `width`, where its words allow that. */
export const wrapLines = (text: string, width: number): string =>
  text
    .split('\n')
    .map((line) => line.replace(SPACES_AT_END, '$1'))
    .map((line) => (lengthOf(line) > width ? wrapLine(line, width) : line))
    .join('\n')

function wrapLine(line: string, width: number): string {
  const [columns = ''] = /^\s*(?:\S.*?\s{2,})*/.exec(stripVTControlCharacters(line)) ?? []
  const indent = columns.length > width - MINIMUM_TEXT_WIDTH_CHARS ? '    ' : ' '.repeat(columns.length)
  const lines: string[] = []
  let current = ''
  for (const word of line.split(/(?<=\S) (?=\S)/)) {
    const isFull = current !== '' && lengthOf(current) + 1 + lengthOf(word) > width
    if (isFull) lines.push(current)
    current = isFull ? indent + word : current === '' ? word : `${current} ${word}`
  }
  return [...lines, current].join('\n')
}

const lengthOf = (text: string): number => stripVTControlCharacters(text).length
