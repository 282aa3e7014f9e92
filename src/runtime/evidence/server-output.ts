// The output of the dev server, as evidence.

import type { Evidence } from '../ports/session-manager.ts'
import type { OwnedServer } from '../ports/servers.ts'
import type { SessionResources } from '../resources/session-resources.ts'
import { ageOf } from './evidence-lines.ts'
import { findFailureOutput, limitOutput, type OutputLine } from '../../core/evidence/error-lines.ts'
import type { JournalEntry } from '../../core/session/journal.ts'
import { stripTerminalCodes } from '../../core/text/terminal-codes.ts'

const STDERR_LIMIT = { most: 100, characters: 4000, more: '… more: read_server_logs' } as const
const STDOUT_LIMIT = {
  most: 20,
  characters: 2000,
  more: '… more: read_server_logs with logType stdout',
} as const
const ENTRY_LIMIT = 1000
const LOGGED_LINE_LIMIT = 200

/** The redacted output of the server since the last successful action, or all of it if the server has exited. */
export function serverOutputOf(
  server: OwnedServer,
  resources: SessionResources,
  now: number,
): Pick<Evidence, 'stderr' | 'stdout'> {
  const hasEnded = server.exitReason() !== undefined
  const since = hasEnded ? 0 : resources.evidenceSeq
  const linesOf = (level: 'info' | 'warning') => {
    // What the server of a contract command wrote while that started it is in its logs only.
    if (hasEnded && server.info().mode === 'contract') return loggedLinesOf(server, level, resources)
    const accept = (entry: JournalEntry) => entry.level === level
    const { entries } = resources.journal.read({ kinds: ['server'], since, limit: ENTRY_LIMIT, accept })
    return outputLinesOf(entries, resources, now)
  }
  const stdout = limitOutput(findFailureOutput(linesOf('info')), STDOUT_LIMIT)
  return { stderr: limitOutput(linesOf('warning'), STDERR_LIMIT), ...(stdout.length > 0 && { stdout }) }
}

function loggedLinesOf(
  server: OwnedServer,
  level: 'info' | 'warning',
  { redactor }: SessionResources,
): readonly OutputLine[] {
  const log = server.logs({ type: level === 'info' ? 'stdout' : 'stderr', lines: LOGGED_LINE_LIMIT })
  const text = log.ok ? redactor.redactText(log.value.lines.join('\n')) : ''
  return text.split('\n').map((line) => ({ text: line, age: '' }))
}

// Redacted as one text, because a secret may span several lines.
function outputLinesOf(
  entries: readonly JournalEntry[],
  { redactor }: SessionResources,
  now: number,
): readonly OutputLine[] {
  const text = redactor.redactText(entries.map((entry) => entry.text).join('\n'))
  const lines = text.split('\n').map(stripTerminalCodes)
  const ages = entries.flatMap((entry) => entry.text.split('\n').map(() => ageOf(entry, now)))
  return lines.map((line, index) => ({
    text: line,
    age: ages.length === lines.length ? (ages[index] ?? '') : '',
  }))
}
