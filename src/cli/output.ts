import process from 'node:process'

/** Writes a line to stdout. */
export const printLine = (text: string): void => void process.stdout.write(`${text}\n`)

/** Writes a message to stderr. */
export const printMessage = (message: string): void => void process.stderr.write(`footlight: ${message}\n`)

/** Writes the message to stderr and exits with 2, the code for a wrong command line. */
export function exitWithUsageError(message: string): never {
  printMessage(message)
  process.exit(2)
}
