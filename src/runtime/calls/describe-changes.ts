// What a page tool's result carries beside its own data: what went wrong because of it, where it led, what the page did by itself, the
// dialog that waits, and, once the agent has seen the page, what changed since.

import type { OpenSession } from '../ports/open-session.ts'
import type { Deadline, Page } from '../ports/page.ts'
import type { ToolResult } from '../ports/tool-call.ts'
import { describeEffects } from '../../core/evidence/action-effects.ts'
import { limitOutput } from '../../core/evidence/error-lines.ts'
import type { Outcome } from '../../core/failure.ts'
import { err } from '../../core/result.ts'
import type { JournalEntry } from '../../core/session/journal.ts'
import { stripTerminalCodes } from '../../core/text/terminal-codes.ts'

const CHANGES_LIMIT_CHARS = 1500
const SERVER_OUTPUT = { most: 20, characters: 2000, more: '… more: read_server_logs' } as const

const WITHHELD = 'Page events are not shown: the page did not report its secret fields. Call timeline later.'

/** Where a session was before a call: its page's address, and the newest entry of its journal. */
export interface Position {
  readonly url: string
  readonly seq: number
}

export const positionOf = ({ url, journal }: OpenSession): Position => ({ url, seq: journal.lastSeq() })

/** The page after a call, and how long it may be asked. */
export interface PageAfterCall {
  readonly page: Page
  readonly deadline: Deadline
  readonly session: OpenSession
}

type Data = Readonly<Record<string, unknown>>

/** The result of a call that changes the page, with its effects since `start`. */
export async function addEffects(
  result: ToolResult,
  start: Position,
  after: PageAfterCall,
): Promise<ToolResult> {
  const { page, deadline, session } = after
  const data: Data = { ...result.data }
  const unanswered = await page.settle(deadline)
  const changes = session.lastSnapshot.isRecorded ? await changesOf(after) : {}
  const incidents = await session.incidents()
  const url = session.url === start.url || 'url' in data ? {} : { url: session.url }
  const isServerError = Number(data['status']) >= 500 && (await page.isReported(deadline.timeout))
  const output = isServerError ? serverOutput(incidents, start, session) : {}
  const effects = describeEffects(incidents, unanswered, session.redact)
  const withNotes = await addNotes(result, after, effects)
  return { ...withNotes, data: { ...withNotes.data, ...url, ...output, ...changes } }
}

// What the dev server printed while it failed to serve the page.
function serverOutput(
  incidents: readonly JournalEntry[],
  { seq }: Position,
  { redact }: OpenSession,
): { serverOutput?: string[] } {
  const entries = incidents.filter((entry) => entry.kind === 'server' && entry.seq > seq)
  const lines = redact(entries.map(({ text }) => text).join('\n')).split('\n')
  const printed = lines.map((text) => ({ text: stripTerminalCodes(text), age: '' }))
  return entries.length > 0 ? { serverOutput: limitOutput(printed, SERVER_OUTPUT) } : {}
}

/** The result with what the page did by itself, and the dialog that is open. */
export async function addNotes(
  { data, ...rest }: ToolResult,
  { page, deadline, session }: PageAfterCall,
  effects: readonly string[] = [],
): Promise<ToolResult> {
  const events = [...effects, ...session.pageEvents()]
  const shown = events.length === 0 || (await page.isReported(deadline.timeout)) ? events : [WITHHELD]
  const notes = [...('notes' in data && Array.isArray(data.notes) ? data.notes : []), ...shown]
  const dialog = session.dialog()
  return { ...rest, data: { ...data, ...(notes.length > 0 && { notes }), ...(dialog && { dialog }) } }
}

async function changesOf({ page, deadline, session }: PageAfterCall): Promise<{ changes?: string }> {
  const first = await page.tree({}, deadline)
  if (!first.ok) return {}
  const isTurning = session.lastSnapshot.isLayerChanging(first.value)
  if (isTurning) await page.animated()
  const tree = isTurning ? await page.tree({}, deadline) : first
  return tree.ok ? { changes: session.lastSnapshot.describeChanges(tree.value, CHANGES_LIMIT_CHARS) } : {}
}

/** The failure of a ref that the page no longer has, with what it was. */
export function nameStaleRef<T>(outcome: Outcome<T>, { lastSnapshot }: OpenSession): Outcome<T> {
  if (outcome.ok || outcome.error.code !== 'ELEMENT_NOT_FOUND' || !outcome.error.stale) return outcome
  const was = lastSnapshot.describeRef(outcome.error.target.replace(/^ref /, ''))
  return err(was === undefined ? outcome.error : { ...outcome.error, was })
}
