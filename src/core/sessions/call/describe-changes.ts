// Adds to the result of a page tool: errors that it caused, the new URL, page events, an open dialog, and, after a first snapshot, what
// changed on the page since.

import type { Outcome } from '../../base/failure.ts'
import { isLoopbackHost } from '../../base/network/http-guard.ts'
import { err, ok } from '../../base/result.ts'
import type { Deadline } from '../../base/system/deadline.ts'
import { createDeferred } from '../../base/system/settle-within.ts'
import { limitOutput } from '../../base/text/error-lines.ts'
import { dialogNote } from '../../base/text/invisible-characters.ts'
import { parseUrl } from '../../base/text/parse-url.ts'
import { stripTerminalCodes } from '../../base/text/terminal-codes.ts'
import type { ToolCall, ToolResult } from '../../tool/tool-call.ts'
import type { JournalEntry } from '../journal/journal.ts'
import type { FinishedAction, PageAfterCall, Position } from '../types/call-steps.ts'
import type { OpenSession } from '../types/open-session.ts'
import type { Page } from '../types/page.ts'
import type { SessionFeature } from '../types/session-feature.ts'
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

export const positionOf = ({ journal, url }: OpenSession, at: number): Position => ({
  seq: journal.lastSeq(),
  url,
  at,
})

const UNREAD_NOTE = 'The page could not be read after this: take a snapshot to see what changed.'

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
  const reading = createDeferred<readonly JournalEntry[]>()
  const action = { ...after, start, call, newEntries: reading.promise }
  const features = describeByFeatures(action)
  const unanswered = await settle(action)
  // The page may take back what was entered once its requests have been answered.
  const checkNotes = (await check?.()) ?? ok([])
  if (!checkNotes.ok) return checkNotes
  const since = omitsChanges ? undefined : await takeNews(session, CHANGES_LIMIT_CHARS)
  const changes = omitsChanges
    ? undefined
    : await readChanges(page, session, deadline, CHANGES_LIMIT_CHARS, { enteredTexts, movesFocus })
  const mayChange = changes?.changes === '' && (unanswered.length > 0 || (await isPending(after, start)))
  const newEntries = await session.takeNewEntries()
  reading.resolve(newEntries)
  const currentUrl = typeof data['url'] === 'string' ? data['url'] : session.url
  const { reportedUrl: knownUrl } = session
  const reportedUrl = session.reportUrl(currentUrl)
  const url = currentUrl === reportedUrl || 'url' in data ? {} : { url: currentUrl }
  const isServerError =
    Number(data['status']) >= SERVER_ERROR_STATUS &&
    (await page.isReported(Math.min(deadline.remaining(), EVENTS_REPORT_TIMEOUT_MS)))
  const output = isServerError ? serverOutputSince(newEntries, start, session) : {}
  const effects = [...checkNotes.value, ...describeEffects(newEntries, start.seq, unanswered, session.redact)]
  const hasLeft = knownUrl !== start.url && knownUrl !== EMPTY_PAGE
  // Who navigates to an address knows it.
  if (hasLeft && call.timeoutKind !== 'navigation')
    effects.push(`The page had gone to ${start.url} before this action.`)
  if (!changes && !omitsChanges && session.lastSnapshot.isRecorded && !session.dialog())
    effects.push(UNREAD_NOTE)
  const { isChange: _, ...withNotes } = await addNotes(
    result,
    after,
    [...effects, ...(await features)],
    start.seq,
  )
  return ok({
    ...withNotes,
    data: { since, ...withNotes.data, ...url, ...output, changes: changes?.changes },
    reportedUrl,
    ...(changes && { otherChanges: changes.unentered }),
    ...(mayChange && { mayChange }),
  })
}

/** The result of a call whose page has not answered since. */
export const addUnreadNote = (
  result: ToolResult,
  { omitsChanges }: Pick<ToolCall, 'omitsChanges'>,
  { lastSnapshot }: Pick<OpenSession, 'lastSnapshot'>,
): ToolResult => {
  const { notes = [] } = result.data as { readonly notes?: readonly string[] }
  return omitsChanges || !lastSnapshot.isRecorded
    ? result
    : { ...result, data: { ...result.data, notes: [...notes, UNREAD_NOTE] } }
}

/** What features say of an action, in their order. One that fails says nothing. */
async function describeByFeatures(action: FinishedAction): Promise<readonly string[]> {
  const describe = async ({ describeAction }: SessionFeature) => (await describeAction?.(action)) ?? []
  const lines = action.session.features.map((feature) => describe(feature).catch(() => []))
  return (await Promise.all(lines)).flat()
}

async function settle(action: FinishedAction): Promise<readonly string[]> {
  let unanswered = await action.page.settle()
  for (const feature of action.session.features)
    unanswered = (await feature.settle?.(unanswered, action)) ?? unanswered
  return unanswered
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
  const { isChange, ...readResult } = await addNotes(result, after)
  const { page, session, deadline } = after
  const isNews = isChange && !('snapshot' in readResult.data)
  const changes = isNews ? await readChanges(page, session, deadline, CHANGES_LIMIT_CHARS) : undefined
  const withNotes = changes
    ? { ...readResult, data: { ...readResult.data, changes: changes.changes } }
    : readResult
  const { url } = withNotes.data as Data
  const reportedUrl = typeof url === 'string' ? session.reportUrl(url) : session.reportedUrl
  return ok({ ...withNotes, reportedUrl })
}

async function addNotes(
  { data, ...rest }: ToolResult,
  after: PageAfterCall,
  effects: readonly string[] = [],
  startSeq?: number,
): Promise<ToolResult & { readonly isChange: boolean }> {
  const { page, deadline, session } = after
  const dialog = session.dialog()
  // An open dialog is named with how it is answered.
  const dialogEvent = dialog && session.redact(dialogNote(dialog.type, dialog.message))
  const events = [...effects, ...session.takePageEvents(startSeq).filter((event) => event !== dialogEvent)]
  const visibleEvents =
    events.length === 0 || (await page.isReported(Math.min(deadline.remaining(), EVENTS_REPORT_TIMEOUT_MS)))
      ? events
      : [WITHHELD_EVENTS_NOTE]
  const notes = [...('notes' in data && Array.isArray(data.notes) ? data.notes : []), ...visibleEvents]
  const additions = session.features.map(({ describeCall }) => describeCall?.(after, data))
  const parts = (await Promise.all(additions)).filter((part) => part !== undefined)
  return {
    ...rest,
    data: Object.assign(
      { ...data, ...(notes.length > 0 && { notes }), dialog },
      ...parts.map((part) => part.data),
    ),
    isChange: parts.some(({ isChange }) => isChange),
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
