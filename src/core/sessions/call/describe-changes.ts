// Adds to the result of a page tool: errors that it caused, the new URL, page events, an open dialog, and, after a first snapshot, what
// changed on the page since.

import { compilesRoutes, readBuildState } from '../../../features/freshness/build-lines.ts'
import { freshnessLineOf } from '../../../features/freshness/describe-freshness.ts'
import { summarizeSource } from '../../../features/sources/element-source.ts'
import { readSources } from '../../../features/sources/source-files.ts'
import type { Outcome } from '../../base/failure.ts'
import { isLoopbackHost } from '../../base/network/http-guard.ts'
import { err, ok } from '../../base/result.ts'
import type { Deadline } from '../../base/system/deadline.ts'
import { type ProlongableDeadline, race } from '../../base/system/race-deadline.ts'
import { createDeferred, settleWithin } from '../../base/system/settle-within.ts'
import { findHydrationMismatch, limitOutput, selectorOf } from '../../base/text/error-lines.ts'
import { dialogNote } from '../../base/text/invisible-characters.ts'
import { parseUrl } from '../../base/text/parse-url.ts'
import { linesWithPath, PATH_LINE_LIMIT } from '../../base/text/source-path.ts'
import { stripTerminalCodes } from '../../base/text/terminal-codes.ts'
import type { ToolCall, ToolResult } from '../../tool/tool-call.ts'
import type { JournalEntry } from '../journal/journal.ts'
import type { OpenSession } from '../types/open-session.ts'
import type { OwnedSession } from '../types/owned-session.ts'
import type { Page } from '../types/page.ts'
import type { Changes } from '../types/snapshot.ts'
import { describeEffects } from './action-effects.ts'
import { takeNews } from './page-news.ts'

const CHANGES_LIMIT_CHARS = 1500
const SERVER_ERROR_STATUS = 500
const SERVER_OUTPUT_LIMIT = { most: 20, characters: 2000, more: '… more: read_server_logs' } as const

const FRAME_LIMIT = 100
const EMPTY_PAGE = 'about:blank'
const EVENTS_REPORT_TIMEOUT_MS = 2000
const WITHHELD_EVENTS_NOTE =
  'Page events are not shown: the page did not report its secret fields. Call timeline later.'

/** The state of a session before a call: the `seq` of the newest journal entry, and where the page was. */
export interface Position {
  readonly seq: number
  readonly url: string
  /** Unix milliseconds. */
  readonly at: number
}

export const positionOf = ({ journal, url }: OpenSession, at: number): Position => ({
  seq: journal.lastSeq(),
  url,
  at,
})

/** The page after a call, and the deadline for reading from it. */
export interface PageAfterCall {
  readonly page: Page
  readonly deadline: ProlongableDeadline
  readonly session: OwnedSession
  /** Milliseconds that the call itself has left; without a limit if its caller named no timeout. */
  readonly remaining: number
}

type Data = Readonly<Record<string, unknown>>

/** Adds the effects since `start` to the result of a call that changes the page. Fails as its check does. */
export async function addEffects(
  { check, ...result }: ToolResult,
  start: Position,
  after: PageAfterCall,
  call: Pick<ToolCall, 'omitsChanges' | 'enteredTexts' | 'movesFocus' | 'timeoutKind'>,
): Promise<Outcome<ToolResult>> {
  const { omitsChanges = false, enteredTexts = [], movesFocus = false } = call
  const { page, deadline, session } = after
  const data: Data = { ...result.data }
  const [unanswered, freshnessLine] = await Promise.all([
    page.settle().then((requests) => waitForBuild(requests, { ...after, ...start })),
    call.timeoutKind === 'navigation' ? session.freshness(true).then(freshnessLineOf) : undefined,
  ])
  // The page may take back what was entered once its requests have been answered.
  const checkNotes = (await check?.()) ?? ok([])
  if (!checkNotes.ok) return checkNotes
  const since = omitsChanges ? undefined : await takeNews(session, CHANGES_LIMIT_CHARS)
  const changes = omitsChanges
    ? undefined
    : await readChanges(page, session, deadline, CHANGES_LIMIT_CHARS, { enteredTexts, movesFocus })
  const mayChange = changes?.changes === '' && (unanswered.length > 0 || (await isPending(after, start)))
  const newEntries = await session.takeNewEntries()
  const currentUrl = typeof data['url'] === 'string' ? data['url'] : session.url
  const { reportedUrl: knownUrl } = session
  const reportedUrl = session.reportUrl(currentUrl)
  const url = currentUrl === reportedUrl || 'url' in data ? {} : { url: currentUrl }
  const isServerError =
    Number(data['status']) >= SERVER_ERROR_STATUS &&
    (await page.isReported(Math.min(deadline.remaining(), EVENTS_REPORT_TIMEOUT_MS)))
  const output = isServerError ? serverOutputSince(newEntries, start, session) : {}
  const effects = [...checkNotes.value, ...describeEffects(newEntries, start.seq, unanswered, session.redact)]
  // Who navigates to an address knows it.
  if (call.timeoutKind !== 'navigation') {
    const ownEntries = newEntries.filter(({ seq }) => seq > start.seq)
    effects.push(...(await describeMissingPages(ownEntries, session)))
  }
  const hasLeft = knownUrl !== start.url && knownUrl !== EMPTY_PAGE
  if (hasLeft && call.timeoutKind !== 'navigation')
    effects.push(`The page had gone to ${start.url} before this action.`)
  const mismatch = await findMismatchSource(newEntries, page, session, deadline)
  if (mismatch !== undefined) effects.push(`hydration mismatch: ${mismatch}`)
  if (freshnessLine !== undefined) effects.push(freshnessLine)
  const withNotes = await addNotes(result, after, effects, start.seq)
  return ok({
    ...withNotes,
    data: { since, ...withNotes.data, ...url, ...output, changes: changes?.changes },
    reportedUrl,
    ...(changes && { otherChanges: changes.unentered }),
    ...(mayChange && { mayChange }),
  })
}

// A socket counts if the page has sent something since.
async function isPending({ page, session }: PageAfterCall, { at }: Position): Promise<boolean> {
  const { network } = session
  const pending = network.read({ limit: Infinity }).entries.filter(({ state }) => state === 'pending')
  const isAwaited = ({ type, seq }: (typeof pending)[number]) =>
    type !== 'websocket' ||
    network.frames(seq, FRAME_LIMIT).some((frame) => frame.direction === 'sent' && frame.at >= at)
  return pending.some(isAwaited) || page.isPending()
}

// The output of the dev server while it failed to serve the page.
function serverOutputSince(
  newEntries: readonly JournalEntry[],
  { seq }: Position,
  { redact }: OpenSession,
): { serverOutput?: string[] } {
  const entries = newEntries.filter((entry) => entry.kind === 'server' && entry.seq > seq)
  const lines = redact(entries.map(({ text }) => text).join('\n')).split('\n')
  const outputLines = lines.map((text) => ({ text: stripTerminalCodes(text), age: '' }))
  return entries.length > 0 ? { serverOutput: limitOutput(outputLines, SERVER_OUTPUT_LIMIT) } : {}
}

/** Adds page events and the open dialog to the result of a call that does not change the page, and what a person changed. */
export async function addReadNotes(result: ToolResult, after: PageAfterCall): Promise<Outcome<ToolResult>> {
  const readResult = await addNotes(result, after)
  const { page, session, deadline } = after
  const isNews = 'person' in readResult.data && !('snapshot' in readResult.data)
  const changes = isNews ? await readChanges(page, session, deadline, CHANGES_LIMIT_CHARS) : undefined
  const withNotes = changes
    ? { ...readResult, data: { ...readResult.data, changes: changes.changes } }
    : readResult
  const hasUrl = 'url' in withNotes.data && typeof withNotes.data.url === 'string'
  const reportedUrl = hasUrl ? session.reportUrl(String(withNotes.data.url)) : session.reportedUrl
  return ok({ ...withNotes, reportedUrl })
}

async function addNotes(
  { data, ...rest }: ToolResult,
  { page, deadline, session }: PageAfterCall,
  effects: readonly string[] = [],
  startSeq?: number,
): Promise<ToolResult> {
  const dialog = session.dialog()
  // An open dialog is named with how it is answered.
  const dialogEvent = dialog && session.redact(dialogNote(dialog.type, dialog.message))
  const events = [...effects, ...session.takePageEvents(startSeq).filter((event) => event !== dialogEvent)]
  const visibleEvents =
    events.length === 0 || (await page.isReported(Math.min(deadline.remaining(), EVENTS_REPORT_TIMEOUT_MS)))
      ? events
      : [WITHHELD_EVENTS_NOTE]
  const notes = [...('notes' in data && Array.isArray(data.notes) ? data.notes : []), ...visibleEvents]
  const person = session.takePersonNote()
  const comments = session.takeComments().map(({ image: _, ...comment }) => comment)
  return {
    ...rest,
    data: {
      ...data,
      ...(notes.length > 0 && { notes }),
      dialog,
      ...(person !== undefined && { person: { note: person } }),
      ...(comments.length > 0 && { comments }),
    },
  }
}

/** What changed on the page since the last snapshot, in at most `maxChars`; undefined without a snapshot or if the page cannot be read. If
 * the client may not see it, the next call describes it again. */
export async function readChanges(
  page: Page,
  { lastSnapshot }: Pick<OpenSession, 'lastSnapshot'>,
  deadline: Deadline,
  maxChars: number,
  options: Parameters<OpenSession['lastSnapshot']['describeChanges']>[2] = {},
): Promise<Changes | undefined> {
  if (!lastSnapshot.isRecorded) return undefined
  const isSeen = options.isSeen ?? true
  const firstTree = await page.tree({ awaitsExit: true, isSeen }, deadline)
  if (!firstTree.ok) return undefined
  const isAnimating = lastSnapshot.isLayerChanging(firstTree.value)
  if (isAnimating) await page.waitForAnimations()
  const tree = isAnimating ? await page.tree({ isSeen }, deadline) : firstTree
  return tree.ok ? lastSnapshot.describeChanges(tree.value, maxChars, options) : undefined
}

/** Marks the error overlay of a failure as that of a page of the session's own dev server, if it is. */
export function markOwnOverlay<T>(outcome: Outcome<T>, { server, url }: OpenSession): Outcome<T> {
  if (outcome.ok || !('overlay' in outcome.error) || !outcome.error.overlay || !server) return outcome
  if (parseUrl(url)?.origin !== parseUrl(server.info().url)?.origin) return outcome
  return err({ ...outcome.error, overlay: { ...outcome.error.overlay, isOfDevServer: true } })
}

/** Adds the session's own dev server to the failure of a navigation to a port of this machine on which nothing listens. */
export function nameOwnServer<T>(outcome: Outcome<T>, { server }: OpenSession): Outcome<T> {
  if (outcome.ok || outcome.error.code !== 'NAVIGATION_FAILED' || !server) return outcome
  const { url, redirects = [], reason } = outcome.error
  const refused = parseUrl(redirects.at(-1) ?? url)
  if (!/REFUSED/.test(reason) || !refused || !isLoopbackHost(refused.hostname)) return outcome
  const own = server.info()
  const hasEnded = server.exitReason() !== undefined
  const isOwnAddress = refused.origin === parseUrl(own.url)?.origin
  return isOwnAddress && !hasEnded ? outcome : err({ ...outcome.error, server: { url: own.url, hasEnded } })
}

/** Adds to the failure of a stale ref the element that it referred to. */
export function describeStaleRef<T>(outcome: Outcome<T>, { lastSnapshot }: OpenSession): Outcome<T> {
  if (outcome.ok || outcome.error.code !== 'ELEMENT_NOT_FOUND' || !outcome.error.stale) return outcome
  const description = lastSnapshot.describeRef(outcome.error.target.replace(/^ref /, ''))
  return err(description === undefined ? outcome.error : { ...outcome.error, was: description })
}

// --- internal ---

// Where the element is written that the server rendered differently than the browser: the error about it has a stack of the framework only.
/** Such as `app/page.tsx:12:7 in Page`; undefined if no entry reports a mismatch, or if the page has no such element or several. */
async function findMismatchSource(
  entries: readonly JournalEntry[],
  page: Page,
  session: Pick<OpenSession, 'sources' | 'url' | 'redact'>,
  deadline: Deadline,
): Promise<string | undefined> {
  for (const { kind, level, text } of entries) {
    const mismatch =
      kind === 'console' && (level === 'error' || level === 'warning')
        ? findHydrationMismatch(text)
        : undefined
    if (!mismatch) continue
    const origin = await page.origin({ selector: selectorOf(mismatch) }, deadline)
    if (!origin.ok) return undefined
    const source = await session.sources.locateElement(origin.value, session.url)
    const summary = source.ancestor === undefined ? summarizeSource(source) : undefined
    return summary && session.redact(summary)
  }
  return undefined
}

// An action that leads to a page which the dev server does not have: the source line with that path is the cause, whatever framework wrote
// the link.
const PAGE_LIMIT = 2
const SEARCH_TIMEOUT_MS = 500
const NOT_FOUND_PATTERN = /^(\S+) (\S+) → 404\b/

/** The pages among these entries that the server answered with 404, each with the source lines that have its path, if they are few. */
async function describeMissingPages(
  entries: readonly JournalEntry[],
  session: Pick<OpenSession, 'server' | 'redact'>,
): Promise<string[]> {
  const pages = entries.flatMap(({ kind, text, data }) => {
    const [, method, url] = NOT_FOUND_PATTERN.exec(text) ?? []
    return kind === 'request' && data?.['type'] === 'document' && url ? [{ method, url }] : []
  })
  const describe = async ({ method, url }: (typeof pages)[number]) => {
    const lines = await settleWithin(SEARCH_TIMEOUT_MS, findPath(url, session))
    const places = Array.isArray(lines) && lines.length > 0 ? `: its path is at ${lines.join(' and ')}` : ''
    return session.redact(`${method} ${url} → 404${places}`)
  }
  return Promise.all(pages.slice(0, PAGE_LIMIT).map(describe))
}

async function findPath(url: string, { server }: Pick<OpenSession, 'server'>): Promise<string[]> {
  const page = parseUrl(url)
  if (!server || page?.origin !== new URL(server.info().url).origin) return []
  if (page.pathname === '/') return []
  const places: string[] = []
  for await (const { path, text } of readSources(server)) {
    places.push(...linesWithPath(text, page.pathname).map((line) => `${path}:${line}`))
    if (places.length > PATH_LINE_LIMIT) return []
  }
  return places
}

// Some dev servers compile a route when it is first requested. What an action leads to is then known only once that has ended.
const BUILD_TIMEOUT_MS = 5000
const LINE_LIMIT = 200

interface Action {
  readonly page: Page
  readonly session: OpenSession
  readonly deadline: ProlongableDeadline
  /** Milliseconds that the call has left; without a limit if its caller named no timeout. */
  readonly remaining: number
  /** The newest journal entry before the action. */
  readonly seq: number
}

/** Waits for requests to the session's own server that are without a response because it may still compile what answers them: it has said so
 * since the action, or it compiles routes and this is the first request for one. Returns the requests without a response then, as method
 * and URL. */
async function waitForBuild(
  unanswered: readonly string[],
  { page, session, deadline, remaining, seq }: Action,
): Promise<readonly string[]> {
  const { server, journal } = session
  if (unanswered.length === 0 || !server) return unanswered
  const { origin } = new URL(server.info().url)
  const routes = unanswered.map((request) => routeOf(request.replace(/^\S+ /, '')))
  const ownRoutes = routes.filter((route) => route.startsWith(`${origin}/`))
  if (ownRoutes.length === 0) return unanswered
  server.sync()
  const linesSince = (since: number) => journal.read({ kinds: ['server'], since, limit: LINE_LIMIT }).entries
  const readState = () => readBuildState(linesSince(seq), 0)
  const mayCompile =
    readState().isRunning || (compilesRoutes(linesSince(0)) && hasNewRoute(ownRoutes, session))
  if (!mayCompile) return unanswered

  const timeoutMs = Math.min(BUILD_TIMEOUT_MS, remaining)
  deadline.prolong(timeoutMs)
  const completion = createDeferred()
  const unwatch = journal.watch(['server'], () => {
    const { completedAt, isRunning } = readState()
    if (completedAt !== undefined && !isRunning) completion.resolve()
  })
  const end = race(timeoutMs, [deadline.signal], () => completion.promise)
  const rest = await page.settle(end.then(() => {}))
  unwatch()
  completion.resolve()
  return rest.length > 0 && 'value' in (await end) ? page.settle() : rest
}

const routeOf = (url: string): string => {
  const page = parseUrl(url)
  return page ? page.origin + page.pathname : url
}

const hasNewRoute = (routes: readonly string[], { network }: OpenSession): boolean => {
  const endedRoutes = new Set(
    network
      .read({ limit: Infinity })
      .entries.filter(({ state }) => state !== 'pending')
      .map(({ url }) => routeOf(url)),
  )
  return routes.some((route) => !endedRoutes.has(route))
}
