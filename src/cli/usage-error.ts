import process from 'node:process'

/** Writes the message to stderr and exits with 2, the code for a wrong command line. */
export function exitWithUsageError(message: string): never {
  process.stderr.write(`footlight: ${message}\n`)
  process.exit(2)
}
