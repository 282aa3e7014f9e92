// The only words for failures. Each gets its sentence and the next step for the caller; the facts stay in `details`.

import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { categoryOf, type Category, type Failure, type Obstacle } from '../core/failure.ts'
import type { StartFailure } from '../core/server.ts'
import type { Evidence } from '../runtime/ports/desk.ts'
import type { Image } from '../runtime/ports/page.ts'
import type { Reply } from '../tools/tool.ts'

/** A failure as it goes over the wire. */
export interface FailureRecord {
  readonly errorCode: Failure['code']
  readonly category: Category
  readonly message: string
  readonly sessionId?: string
  readonly timestamp: number
  readonly details: Readonly<Record<string, unknown>>
}

export function succeed({ data, images = [] }: Reply): CallToolResult {
  return {
    content: [{ type: 'text', text: JSON.stringify(data) }, ...images.map(imageBlock)],
    structuredContent: { ...data },
  }
}

/** `evidence` goes into the record, its picture beside it. A dev server that died is told before anything else. */
export function fail(record: FailureRecord, evidence?: Evidence): CallToolResult {
  const { image, ...shown } = evidence ?? {}
  const cause = evidence?.serverEnded === undefined ? '' : `The dev server ${evidence.serverEnded}.`
  const message = [cause, record.message, closestOf(evidence)].filter(Boolean).join(' ')
  const told = { ...record, message, ...(evidence && { evidence: shown }) }
  return {
    isError: true,
    content: [{ type: 'text', text: JSON.stringify(told) }, ...(image ? [imageBlock(image)] : [])],
    structuredContent: told,
  }
}

function closestOf(evidence: Evidence | undefined): string {
  const [first] = evidence?.candidates ?? []
  return first ? `Closest: ${first.role} ${JSON.stringify(first.name)} (ref ${first.ref}).` : ''
}

const imageBlock = ({ bytes, mimeType }: Image) => ({
  type: 'image' as const,
  mimeType,
  data: Buffer.from(bytes).toString('base64'),
})

/** The record of a failure. `sessionId` is the session it happened in, where the failure itself does not name one. */
export function recordOf(failure: Failure, timestamp: number, sessionId?: string): FailureRecord {
  const { code, ...facts } = failure
  const { sessionId: named, ...details } = facts as typeof facts & { sessionId?: string }
  const session = named ?? sessionId
  return {
    errorCode: code,
    category: categoryOf(failure),
    message: sentence(failure),
    ...(session !== undefined && { sessionId: session }),
    timestamp,
    details,
  }
}

export function sentence(failure: Failure): string {
  switch (failure.code) {
    case 'INVALID_PARAMETERS':
      return `${failure.field}: expected ${failure.expected}, received ${failure.received}.${failure.hint ? ` ${failure.hint}` : ''}`
    case 'SESSION_NOT_FOUND':
      return `There is no session "${failure.sessionId}". Call create_session, or list_sessions to see the open ones.`
    case 'SESSION_EXPIRED':
      return failure.reason === 'idle'
        ? `The session expired after ${failure.after} ms without a call. Call create_session for a new one.`
        : `The session reached its longest life of ${failure.after} ms. Call create_session for a new one.`
    case 'SESSION_CLOSED':
      return 'The session was closed while this call ran. Call create_session for a new one.'
    case 'SESSION_BUSY':
      return `${failure.waiting} calls already wait for this session. Wait for them, or use another session.`
    case 'MAX_SESSIONS_REACHED':
      return failure.own
        ? `All your ${failure.limit} sessions are in use. Close one with close_session; list_sessions names them.`
        : `All ${failure.limit} sessions are in use. Close one with close_session, or start footlight with a higher --max-sessions.`
    case 'DIALOG_OPEN':
      return `The page waits for an answer to its ${failure.type} ${JSON.stringify(failure.message.slice(0, 200))}. Call handle_dialog with accept true or false.`
    case 'NAVIGATION_FAILED':
      return navigation(failure)
    case 'ELEMENT_NOT_FOUND':
      return failure.stale
        ? `The page no longer has ${failure.target}${failure.was ? `, which was ${failure.was}` : ''}. Use another ref, or take a snapshot for fresh ones.`
        : `Nothing matched ${failure.target} within ${failure.waited} ms. Take a snapshot to see what is there.`
    case 'ELEMENT_NOT_CLICKABLE':
      return `${failure.target} is there but ${obstacles[failure.reason]}${by(failure)}. ${clickSteps[failure.reason]}`
    case 'ELEMENT_NOT_EDITABLE':
      return `${failure.target} is there but ${obstacles[failure.reason]}${by(failure)}. ${typeSteps[failure.reason]}`
    case 'TIMEOUT':
      return `Waited ${failure.waited} ms for ${failure.waitedFor}. Look at what the page shows, or wait longer.`
    case 'SCRIPT_ERROR':
      return `The script failed: ${failure.text}. Mend the script and call again.`
    case 'PAGE_CRASHED':
      return `The page ${failure.url} ${failure.reason === 'closed' ? 'was closed' : 'crashed'}. ${failure.tab ? `Tab ${failure.tab} is active now.` : 'A new empty page is ready: navigate again.'}`
    case 'PAGE_HUNG':
      return failure.freed
        ? `A script kept ${failure.url} busy for ${failure.waited} ms and was stopped; the page is usable again.`
        : `The page ${failure.url} did not answer within ${failure.waited} ms. Close the session and create a new one.`
    case 'BROWSER_ERROR':
      return `The browser refused: ${failure.text}. ${failure.next ?? 'Try again, or create a new session.'}`
    case 'BROWSER_CRASHED':
      return `The ${failure.browser} of this session died. Call create_session; a new browser is started.`
    case 'BROWSER_NOT_INSTALLED':
      return `No ${failure.browser} was found on this machine. Install it with: ${failure.install}`
    case 'SERVER_START_FAILED':
      return `The dev server did not start: ${failure.text}. ${startSteps[failure.reason]}`
    case 'SERVER_SHUTDOWN_FAILED':
      return `The session is closed, but ${failure.command} did not shut its server down: ${failure.reason}.`
    case 'LOG_READ_FAILED':
      return `The log ${failure.path} could not be read: ${failure.reason}.`
    case 'ACCESS_DENIED':
      return `${failure.subject} is not allowed (${failure.rule}). Allowed: ${failure.allowed}.`
    case 'RATE_LIMITED':
      return `More than ${failure.limit}. Wait ${failure.retryAfterMs} ms and call again.`
    case 'COMMAND_NOT_ALLOWED':
      return `${failure.command} may not be started here. Allowed: ${failure.allowed.join(', ') || 'nothing'}; --server-command names more.`
    case 'RESOURCE_EXHAUSTED':
      return `No ${failure.resource}: ${failure.text}. ${failure.next ?? 'Make room, or start footlight with another --output-dir.'}`
    case 'CANCELLED':
      return 'The call was cancelled. The session is still open.'
    case 'INTERNAL':
      return `Footlight failed (${failure.id}); its log on stderr says why. The session may still be usable.`
  }
}

// --- internal ---

const by = ({ by }: { by?: string }): string => (by ? `: ${by}` : '')

const obstacles: Record<Obstacle, string> = {
  hidden: 'hidden',
  disabled: 'disabled',
  covered: 'covered by another element',
  moving: 'still moving',
  read_only: 'read-only',
  no_text: 'takes no text',
  outside: 'outside the viewport and cannot be scrolled into it',
  detached: 'replaced again and again',
}

const clickSteps: Record<Obstacle, string> = {
  hidden: 'Do first what makes it visible, such as opening its menu.',
  disabled: 'Do first what enables it, such as filling in the form.',
  covered: 'Close or scroll away what covers it, or use force to click anyway.',
  moving: 'Wait for the animation with wait_for, or use force.',
  read_only: 'Click another element.',
  no_text: 'Click another element.',
  outside: 'Enlarge the viewport, or scroll its container with evaluate.',
  detached: 'Wait until the page has settled with wait_for, then try again.',
}

const typeSteps: Record<Obstacle, string> = {
  ...clickSteps,
  read_only: 'Type into another field.',
  no_text: 'Take a snapshot and pick a textbox; use click for buttons and checkboxes.',
}

const startSteps: Record<StartFailure, string> = {
  command_not_found: 'Give the full path of the command, or install it.',
  permission_denied: 'Make the file executable (chmod +x).',
  non_zero_exit: 'Its last output is in details.stderr; mend that and call again.',
  invalid_json: 'The command must print one JSON document on stdout and nothing else.',
  timeout: 'Its output so far is in details; give a readyUrl or a longer readyTimeout if it needs one.',
  exited: 'Its last output is in details.stderr; mend that and call again.',
}

function navigation({
  url,
  reason,
  redirects,
  waited,
}: Extract<Failure, { code: 'NAVIGATION_FAILED' }>): string {
  const hops = redirects.length > 0 ? ` after ${redirects.length - 1} redirects` : ''
  if (reason === 'timeout')
    return `${url} did not load within ${waited} ms. Try waitUntil "commit", or a longer timeout.`
  if (/REFUSED/.test(reason))
    return `${url} refused the connection (${reason}). Is the server running on that port?`
  if (/NAME_NOT_RESOLVED|UNKNOWN_HOST/.test(reason))
    return `The host of ${url} was not found (${reason}). Check the address.`
  return `${url} could not be opened${hops} (${reason}). Check the address and the server.`
}
