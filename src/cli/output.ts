import process from 'node:process'

/** Writes a line to stdout. */
export const printLine = (text: string): void => void process.stdout.write(`${text}\n`)

/** Writes a message to stderr. */
export const printMessage = (message: string): void => void process.stderr.write(`footlight: ${message}\n`)

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
