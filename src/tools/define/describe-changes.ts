// What every answer of an action carries beside its own: what went wrong because of it, where it led, what the page did by itself, the
// dialog that waits, and, once the agent has looked at the page, what changed since.

import * as v from 'valibot'
import { boundLines } from '../../core/evidence/error-lines.ts'
import { describeEffects } from '../../core/evidence/action-effects.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import type { Entry } from '../../core/session/journal.ts'
import { err } from '../../core/result.ts'
import { plainLine } from '../../core/text/terminal-codes.ts'
import type { OpenSession } from '../../runtime/ports/session-manager.ts'
import type { Call, Page } from '../../runtime/ports/page.ts'

/** The fields of an action's output. */
export const changeFields = { changes: v.optional(v.string()), url: v.optional(v.string()) }

const LONGEST = 1500
const SERVER_OUTPUT = { most: 20, characters: 2000, more: '… more: read_server_logs' } as const

const WITHHELD = 'Page events are not shown: the page did not report its secret fields. Call timeline later.'

type Data = Readonly<Record<string, unknown>>

/** Where the page was, and the newest entry of the journal, before an action. */
export interface Before {
  readonly url: string
  readonly seq: number
}

export const beforeOf = ({ url, journal }: OpenSession): Before => ({ url, seq: journal.last() })

export async function withEffects(
  page: Page,
  call: Call,
  session: OpenSession,
  data: Data,
  before: Before,
): Promise<Data> {
  const unanswered = await page.settle(call)
  const changes = session.lastSnapshot.shown ? await changesOf(page, call, session) : {}
  const incidents = await session.incidents()
  const url = session.url === before.url || 'url' in data ? {} : { url: session.url }
  const output =
    Number(data['status']) >= 500 && (await page.isReported(call.timeout))
      ? serverOutput(incidents, before, session)
      : {}
  const news = await withNews(
    page,
    call,
    session,
    data,
    describeEffects(incidents, unanswered, session.redact),
  )
  return { ...news, ...url, ...output, ...changes }
}

// What the dev server printed while it failed to serve the page.
function serverOutput(
  incidents: readonly Entry[],
  { seq }: Before,
  { redact }: OpenSession,
): { serverOutput?: string[] } {
  const entries = incidents.filter((entry) => entry.kind === 'server' && entry.seq > seq)
  const lines = redact(entries.map(({ text }) => text).join('\n')).split('\n')
  const printed = lines.map((text) => ({ text: plainLine(text), age: '' }))
  return entries.length > 0 ? { serverOutput: boundLines(printed, SERVER_OUTPUT) } : {}
}

export async function withNews(
  page: Page,
  call: Call,
  session: OpenSession,
  data: Data,
  effects: readonly string[] = [],
): Promise<Data> {
  const news = [...effects, ...session.pageEvents()]
  const shown = news.length === 0 || (await page.isReported(call.timeout)) ? news : [WITHHELD]
  const notes = [...((data['notes'] as string[] | undefined) ?? []), ...shown]
  const dialog = session.dialog()
  return { ...data, ...(notes.length > 0 && { notes }), ...(dialog && { dialog }) }
}

async function changesOf(page: Page, call: Call, session: OpenSession): Promise<{ changes?: string }> {
  const first = await page.tree({}, call)
  if (!first.ok) return {}
  const turning = session.lastSnapshot.isTurning(first.value)
  if (turning) await page.animated()
  const tree = turning ? await page.tree({}, call) : first
  return tree.ok ? { changes: session.lastSnapshot.since(tree.value, LONGEST) } : {}
}

/** A ref that is gone is told with what it was. */
export function withStaleRefName<T>(outcome: Outcome<T>, session: OpenSession): Outcome<T> {
  if (outcome.ok || outcome.error.code !== 'ELEMENT_NOT_FOUND' || !outcome.error.stale) return outcome
  const was = session.lastSnapshot.was(outcome.error.target.replace(/^ref /, ''))
  const failure: Failure = was === undefined ? outcome.error : { ...outcome.error, was }
  return err(failure)
}
