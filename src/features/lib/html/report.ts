// What a report of a session shows. Every text in it has been redacted.

import type { Box, Size } from '../../../core/base/geometry.ts'
import type { Image } from '../../../core/base/image.ts'
import { clip } from '../../../core/base/text/clip.ts'
import { escapeInvisible } from '../../../core/base/text/invisible-characters.ts'
import { isRecord, parseJson } from '../../../core/base/text/json.ts'
import type { JournalEntry } from '../../../core/sessions/journal/journal.ts'

export interface ReportPicture extends Size {
  readonly mimeType: 'image/png' | 'image/jpeg'
  readonly base64: string
}

export const pictureOf = ({ bytes, mimeType, width, height }: Image): ReportPicture => ({
  mimeType,
  base64: Buffer.from(bytes).toString('base64'),
  width,
  height,
})

export const addressOf = ({ mimeType, base64 }: ReportPicture): string => `data:${mimeType};base64,${base64}`

export interface ReportEntry extends Pick<JournalEntry, 'seq' | 'at' | 'level' | 'text'> {
  /** A check is what was waited for and held; it has a number between those of the entries around it. */
  readonly kind: JournalEntry['kind'] | 'check'
  /** An action that did nothing on the page, such as that of a video. */
  readonly isSilent?: boolean
  /** Of an error: its file and line, and the lines of the source around it. */
  readonly codeFrame?: string
  /** What an action changed on the page. */
  readonly changes?: string
  /** The page after it. */
  readonly picture?: ReportPicture
}

/** A failed call, with its evidence as its answer words it. */
export interface ReportFailure {
  /** Its action in the timeline, if it has one there. */
  readonly seq?: number
  /** Unix milliseconds. */
  readonly at: number
  readonly call: string
  readonly text: string
  /** What was done before it, and what the page asked a server for since. */
  readonly before?: readonly string[]
  readonly picture?: ReportPicture
  /** Where the element of the call is in the picture, in parts of its size. */
  readonly targetBox?: Box
}

/** What `verify` said. */
interface ReportVerdict {
  /** Unix milliseconds. */
  readonly at: number
  readonly verdict: 'PASS' | 'FAIL' | 'UNVERIFIED'
  readonly message: string
  readonly claims: readonly {
    readonly say: string
    readonly verdict: ReportVerdict['verdict']
    readonly detail?: string | undefined
  }[]
}

/** An audit of the page, as its tool words it. */
interface ReportAudit {
  /** Unix milliseconds. */
  readonly at: number
  readonly text: string
}

export interface Report {
  readonly session: string
  /** Unix milliseconds: times are relative to it. */
  readonly startedAt: number
  /** When it was written, in words. */
  readonly date: string
  /** Names and values, in the order in which they are shown. */
  readonly environment: Readonly<Record<string, string>>
  /** Oldest first. */
  readonly entries: readonly ReportEntry[]
  readonly failures: readonly ReportFailure[]
  /** The last one. */
  readonly verdict?: ReportVerdict | undefined
  /** The newest ones. */
  readonly audits?: readonly ReportAudit[]
  /** How many entries were dropped before. */
  readonly dropped: number
}

/** What an index shows of a report. */
export interface ReportSummary {
  readonly session: string
  readonly date: string
  readonly actions: number
  readonly verified: number
  readonly failures: number
  readonly consoleErrors: number
  readonly failedRequests: number
}

/** The names of the counts, as people read them. */
export const countNames = {
  actions: 'actions',
  verified: 'verified',
  failures: 'failures',
  consoleErrors: 'console errors',
  failedRequests: 'failed requests',
} as const satisfies Partial<Record<keyof ReportSummary, string>>

export const countsOf = (summary: ReportSummary): readonly (readonly [string, number])[] =>
  (Object.keys(countNames) as (keyof typeof countNames)[]).map((key) => [
    summary[key] === 1 ? countNames[key].replace(/s$/, '') : countNames[key],
    summary[key],
  ])

export function summarizeReport({ session, date, entries, failures }: Report): ReportSummary {
  const count = (accept: (entry: ReportEntry) => boolean) => entries.filter(accept).length
  return {
    session,
    date,
    actions: count(({ kind, isSilent }) => kind === 'action' && !isSilent),
    verified: count(({ kind }) => kind === 'check'),
    failures: failures.length,
    consoleErrors: count(({ kind, level }) => kind === 'console' && level === 'error'),
    failedRequests: count(
      ({ kind, level }) => kind === 'request' && (level === 'error' || level === 'warning'),
    ),
  }
}

/** `+1.2 s` after the beginning of the session. */
export const timeOf = ({ at }: { readonly at: number }, { startedAt }: Report): string =>
  `+${(Math.max(0, at - startedAt) / 1000).toFixed(1)} s`

/** The request of a page as people read it: what has the origin of the page is a path. */
export function withoutOrigin(text: string, pageUrl: string): string {
  const [origin] = /^https?:\/\/[^/]+\//.exec(pageUrl) ?? []
  return origin === undefined ? text : text.replaceAll(origin, '/')
}

/** The text as it is shown: no character turns or hides others. */
export const displayText = (text: string, limit: number): string =>
  escapeInvisible(clip(text, limit).toWellFormed())

/** The summary in a JSON text; undefined for anything else. */
export function parseSummary(text: string): ReportSummary | undefined {
  const summary = parseJson(text)
  if (!isRecord(summary)) return undefined
  const {
    session,
    date,
    actions,
    verified = 0,
    failures,
    consoleErrors,
    failedRequests,
  } = summary as Record<keyof ReportSummary, unknown>
  const areTexts = [session, date].every((value) => typeof value === 'string')
  const areNumbers = [actions, verified, failures, consoleErrors, failedRequests].every(Number.isSafeInteger)
  return areTexts && areNumbers ? ({ ...summary, verified } as unknown as ReportSummary) : undefined
}
