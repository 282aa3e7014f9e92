import process from 'node:process'
import { wrapLines } from './wrap-lines.ts'
import { clip } from '../core/text/clip.ts'

/** Writes a line to stdout. */
export const printLine = (text: string): void => void process.stdout.write(`${text}\n`)

/** Writes a message to stderr, in lines that fit a terminal. */
export const printMessage = (message: string): void =>
  void process.stderr.write(`${wrapLines(`footlight: ${message}`, process.stderr.columns ?? Infinity)}\n`)

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
