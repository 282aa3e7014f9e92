// Writes the report of a session, from its journal and its notes: HTML, and Markdown beside it. Every text is redacted here as answers are.

import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { Outcome } from '../../core/base/failure.ts'
import { map } from '../../core/base/result.ts'
import { settleWithin } from '../../core/base/system/settle-within.ts'
import { stripTerminalCodes } from '../../core/base/text/terminal-codes.ts'
import type { JournalEntry } from '../../core/sessions/journal/journal.ts'
import { readTimeline } from '../../core/sessions/journal/read-timeline.ts'
import type { OwnedSession, SessionPorts } from '../../core/sessions/types/owned-session.ts'
import { describeWholeAudit } from '../audit/audit-lines.ts'
import {
  pictureOf,
  type Report,
  type ReportEntry,
  type ReportFailure,
  withoutOrigin,
} from '../lib/html/report.ts'
import { type DescribedStep, describeSteps } from '../lib/recording/describe-steps.ts'
import { joinServerLines } from '../lib/recording/join-server-lines.ts'
import type {} from '../recording/recording.ts'
import { createCodeFrame } from '../sources/code-frame.ts'
import { formatSource } from '../sources/script-positions.ts'
import type {} from '../verify/last-verdict.ts'
import { readBefore } from './before-failure.ts'
import { readRevision } from './git-revision.ts'
import { type NotedFailure, renewPicture, shrinkPictures } from './report-notes.ts'

export interface ReportFiles {
  readonly path: string
  readonly markdown: string
  readonly bytes: number
}

type WritePorts = Pick<SessionPorts, 'files' | 'clock' | 'describeFailure'>

const ENTRY_LIMIT = 3000
const LAST_PICTURE_TIMEOUT_MS = 500
const SLICE_LENGTH = 100
const AUDIT_LIMIT = 5
const LOCATED_ENTRY_LIMIT = 100
const HTML_NAME = 'report.html'
const MARKDOWN_NAME = 'report.md'

/** Writes the report to a path that an agent names, or into the folder of the session in place of the last one. Fails as files do. */
export async function writeReport(
  session: OwnedSession,
  ports: WritePorts,
  path?: string,
): Promise<Outcome<ReportFiles>> {
  const write = await prepareReport(session, ports)
  return write(path)
}

/** Reads and renders the report, and returns what writes it. */
async function prepareReport(
  session: OwnedSession,
  ports: WritePorts,
): Promise<(path?: string) => Promise<Outcome<ReportFiles>>> {
  const { journal, sources, folder } = session
  const accept = ({ level }: JournalEntry) => level === 'error' || level === 'warning'
  const problems = journal.read({ kinds: ['console'], limit: LOCATED_ENTRY_LIMIT, accept }).entries
  await sources.locateEntries(problems)
  const [{ renderReport }, { renderMarkdown }, report] = await Promise.all([
    import('../lib/html/render-html.ts'),
    import('../lib/html/render-markdown.ts'),
    collectReport(session, ports),
  ])
  const html = new TextEncoder().encode(renderReport(report, hashOf))
  const markdown = renderMarkdown(report)
  const write = async (name: string, content: string | Uint8Array): Promise<Outcome<string>> => {
    const names = [name, name.replace(/l$/, '')]
    const last = folder.list().filter((artifact) => names.includes(artifact.name))
    await Promise.all(last.map((artifact) => folder.remove(artifact.path)))
    return map(await folder.write(name, content), (artifact) => artifact.path)
  }
  const create = (target: string, bytes: Uint8Array) =>
    ports.files.create(target, bytes, { createsFolders: true })
  return async (path) => {
    const htmlPath = path === undefined ? await write(HTML_NAME, html) : await create(path, html)
    if (!htmlPath.ok) return htmlPath
    const markdownPath =
      path === undefined
        ? await write(MARKDOWN_NAME, markdown)
        : await create(path.replace(/\.html?$/i, '.md'), new TextEncoder().encode(markdown))
    return map(markdownPath, (written) => ({ path: htmlPath.value, markdown: written, bytes: html.length }))
  }
}

/** Reads the report of a session that closes, if it was asked for. What is returned writes it, after the end of its server, which
 * could take the file for a change, and returns a sentence for the answer, or an empty string. */
export async function readReport(
  ready: Promise<Outcome<OwnedSession>>,
  isAlways: boolean,
  ports: WritePorts,
): Promise<() => Promise<string>> {
  const writeNothing = async () => ''
  const openResult = await Promise.race([ready, Promise.resolve(undefined)])
  if (!openResult?.ok) return writeNothing
  const { failures, running } = openResult.value.notes
  if (!isAlways && failures.size + running.size === 0) return writeNothing
  const write = await prepareReport(openResult.value, ports).catch(() => undefined)
  return async () => {
    const files = await write?.().catch(() => undefined)
    return files?.ok ? `Its report is ${files.value.path}.` : 'Its report could not be written.'
  }
}

// --- internal ---

const hashOf = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`

async function collectReport(session: OwnedSession, ports: WritePorts): Promise<Report> {
  const { record, journal, network, notes, redactor } = session
  // A call that has not ended has no effect yet, and whoever ends this process may not wait for long.
  if (notes.running.size === 0) await settleWithin(LAST_PICTURE_TIMEOUT_MS, renewPicture(session))
  await shrinkPictures(session)
  session.server?.sync()
  const timeline = readTimeline(journal, network, { limit: Number.MAX_SAFE_INTEGER })
  const newest = timeline.entries.slice(-ENTRY_LIMIT)
  const running = [...notes.running].map(({ at, call }, index) =>
    entryOfRunning(at, call, journal.lastSeq() + 1 + index),
  )
  const described = describeSteps(
    newest.filter(({ kind }) => kind === 'action'),
    session.recording.read().steps,
  )
  const others = await readEntries([...joinServerLines(newest), ...running], session, described)
  const checks = described.filter(({ kind }) => kind === 'check')
  const entries = [...others, ...checks.map((check, index) => entryOfCheck(check, index, redactor))]
  const failures = await Promise.all(
    notes.failures.values().map((failure) => failureOf(failure, described, session, ports)),
  )
  const audits = session.audits.list().slice(-AUDIT_LIMIT)
  return {
    session: record.name,
    startedAt: record.createdAt,
    date: `${new Date(ports.clock()).toISOString().slice(0, 19).replace('T', ' ')} UTC`,
    environment: redactor.redactData(await readEnvironment(session)),
    // The sort is stable: entries of one millisecond keep their order.
    entries: entries.toSorted((a, b) => a.at - b.at),
    failures,
    verdict: redactor.redactData(session.lastVerdict.read()),
    audits: audits.map((audit, index) => ({
      at: audit.at,
      text: redactor.redactText(stripTerminalCodes(describeWholeAudit(audit, audits.slice(index + 1)))),
    })),
    dropped: timeline.dropped + timeline.entries.length - newest.length,
  }
}

// Long lines take a while to redact: other sessions are served between two slices.
async function readEntries(
  all: readonly JournalEntry[],
  session: OwnedSession,
  described: readonly DescribedStep[],
): Promise<ReportEntry[]> {
  const words = new Map(described.flatMap((step) => (step.kind === 'action' ? [[step.seq, step.words]] : [])))
  const entries: ReportEntry[] = []
  for (const [index, entry] of all.entries()) {
    if (index % SLICE_LENGTH === 0) await setImmediate()
    entries.push(entryOf(entry, session, words.get(entry.seq)))
  }
  return entries
}

function entryOf(
  entry: JournalEntry,
  { notes, redactor, sources, url }: OwnedSession,
  words: string | undefined,
): ReportEntry {
  const { seq, at, kind, level } = entry
  const changes = kind === 'action' ? notes.changes.get(seq) : undefined
  const picture = kind === 'action' ? notes.pictures.get(seq) : undefined
  const text = stripTerminalCodes(redactor.redactText(words || entry.text))
  return {
    seq,
    at,
    kind,
    level,
    text: kind === 'request' ? withoutOrigin(text, url) : text,
    ...(words === '' && { isSilent: true }),
    ...(level === 'error' && { codeFrame: codeFrameOf(sources.firstSourceOf(entry), redactor) }),
    ...(changes && { changes: redactor.redactText(changes) }),
    picture: picture && pictureOf(picture),
  }
}

function codeFrameOf(
  source: ReturnType<OwnedSession['sources']['firstSourceOf']>,
  redactor: OwnedSession['redactor'],
): string | undefined {
  if (source?.content === undefined) return undefined
  const lines = createCodeFrame(source.content, source.line, redactor.redactText)
  return lines.length > 0 ? [formatSource(source), ...lines].join('\n') : undefined
}

/** Between the entry that was the newest when it began, and the next one. */
const entryOfCheck = (
  { seq, at, words }: DescribedStep,
  index: number,
  redactor: OwnedSession['redactor'],
): ReportEntry => ({
  seq: seq + (index + 1) / 10_000,
  at,
  kind: 'check',
  level: 'info',
  text: redactor.redactText(words),
})

/** A call that ends with the session has no entry yet: it is often the one that hangs. */
const entryOfRunning = (at: number, call: string, seq: number): JournalEntry => ({
  seq,
  at,
  kind: 'action',
  level: 'warning',
  text: `${call}: has not ended`,
})

async function failureOf(
  { seq, at, call, failure, evidence }: NotedFailure,
  described: readonly DescribedStep[],
  session: OwnedSession,
  { describeFailure }: WritePorts,
): Promise<ReportFailure> {
  const { folder, redactor } = session
  const file = evidence?.screenshot
  const bytes = file && (await folder.read(basename(file.path)))
  return {
    seq,
    at,
    call: redactor.redactText(call),
    text: describeFailure?.(failure, evidence, redactor) ?? failure.code,
    ...(file && bytes && { picture: pictureOf({ ...file, bytes, mimeType: 'image/jpeg' }) }),
    ...(seq !== undefined && { before: readBefore(session, described, seq) }),
    ...(evidence?.targetBox && { targetBox: evidence.targetBox }),
  }
}

async function readEnvironment({
  record,
  request,
  page,
  url,
  server,
  summaries,
}: OwnedSession): Promise<Record<string, string>> {
  const { context, page: tab } = page.parts
  const version = context.browser()?.version()
  const size = tab().viewportSize()
  const revision = readRevision(request.server?.cwd ?? '.')
  return {
    browser: [record.browser, version].filter(Boolean).join(' '),
    ...(size && { viewport: `${size.width} × ${size.height}` }),
    ...(request.device !== undefined && { device: request.device }),
    page: url,
    ...(server && { 'dev server': server.info().url }),
    ...(revision?.commit && { revision: [revision.commit, revision.branch].filter(Boolean).join(' ') }),
    ...Object.fromEntries((await summaries()).map(({ name, text }) => [name, text])),
  }
}
