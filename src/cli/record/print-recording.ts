import process from 'node:process'
import type { SavedTest } from './save-recording.ts'
import { printLine } from '../output.ts'

/** What was written, and what its author should know. */
export function printSaved({
  path,
  actions,
  checks,
  replays,
  config,
  run,
  environment = [],
  notes = [],
}: SavedTest): void {
  const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`
  printLine(
    `${path}: ${count(actions, 'action')}, ${count(checks, 'check')}, replayed ${count(replays, 'time')}`,
  )
  if (config !== undefined) printLine(`${config}: a configuration, because the project had none`)
  printLine(`Playwright Test: ${run}`)
  if (environment.length > 0) printLine(`It needs these environment variables: ${environment.join(', ')}`)
  for (const note of notes) printLine(note)
}

/** What was noticed, as it happens. */
export const printSteps = (lines: readonly string[]): void => {
  for (const line of lines) process.stderr.write(`  ${line}\n`)
}
