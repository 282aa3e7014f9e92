// The messages of all failures. Each has the next step for the caller; the data is in `details`.

import { clip } from '../../core/text/clip.ts'
import { showPageText } from '../../core/text/page-text.ts'
import { categoryOf } from '../../core/failures/failure-categories.ts'
import type { Failure } from '../../core/failure.ts'
import {
  blockerSuffixOf,
  describeObserved,
  clickSteps,
  describeChoice,
  describeExpiry,
  describeInvalidParameter,
  describeLostField,
  describeMissingElement,
  describeNavigationFailure,
  obstaclePhrases,
  describeQuietEnd,
  startStepOf,
  typeSteps,
} from './failure-phrases.ts'
import type { FailureRecord } from './failure-lines.ts'
import { describeFailedRun, describeFailedTests } from './test-failure-lines.ts'
import type { StepsReport } from '../../runtime/ports/tool-call.ts'

/** The record of a failure. `sessionId` is the session of the call, used if the failure has none. */
export function failureRecordOf(
  failure: Failure,
  timestamp: number,
  sessionId?: string,
  steps?: StepsReport,
): FailureRecord {
  const { code, ...fields } = limitFields(failure)
  const { sessionId: ownSessionId, ...details } = fields as typeof fields & { sessionId?: string }
  const session = ownSessionId ?? sessionId
  return {
    errorCode: code,
    category: categoryOf(failure),
    message: [
      steps && describeFailedStep(steps),
      failureTextOnPage(limitFields(failure)),
      describeQuietEnd(failure),
    ]
      .filter(Boolean)
      .join(' '),
    ...(session !== undefined && { sessionId: session }),
    timestamp,
    ...(steps && { steps: steps.lines }),
    details,
  }
}

function describeFailedStep({ step, total, tool, lines }: StepsReport): string {
  const unrun = total - lines.length
  return `Step ${step} of ${total} (${tool}) failed${unrun > 0 ? `, ${unrun} not run` : ''}.`
}

const REPEATED_TEXT_LIMIT_CHARS = 300
const repeatedFields = new Set(['target', 'by', 'was', 'waitedFor'])

// Rounds durations, which are measured in fractions of milliseconds; no other number in a failure has a fraction. Truncates long texts of
// the caller, such as selectors, because the message repeats them.
const limitFields = (failure: Failure): Failure =>
  Object.fromEntries(
    Object.entries(failure).map(([name, value]) => {
      if (typeof value === 'number') return [name, Math.round(value)]
      return [
        name,
        typeof value === 'string' && repeatedFields.has(name)
          ? clip(value, REPEATED_TEXT_LIMIT_CHARS)
          : value,
      ]
    }),
  ) as Failure

export function failureText(rawFailure: Failure): string {
  const failure = limitFields(rawFailure)
  switch (failure.code) {
    case 'INVALID_PARAMETERS':
      return [
        describeInvalidParameter(failure),
        'sessions' in failure ? describeChoice(failure) : failure.hint,
      ]
        .filter(Boolean)
        .join(' ')
    case 'SESSION_NOT_FOUND':
      return failure.sessionId === undefined
        ? 'No session is open. Call create_session.'
        : `There is no session "${failure.sessionId}". Call create_session, or list_sessions to see the open ones.`
    case 'SESSION_EXPIRED':
      return describeExpiry(failure)
    case 'SESSION_CLOSED':
      return 'The session was closed while this call ran. Call create_session for a new one.'
    case 'SESSION_BUSY':
      return `${failure.waiting} calls already wait for this session. Wait for them, or use another session.`
    case 'MAX_SESSIONS_REACHED':
      return failure.own
        ? `All your ${failure.limit} sessions are in use. Close one with close_session; list_sessions names them.`
        : `All ${failure.limit} sessions are in use. Close one with close_session, or start footlight with a higher --max-sessions.`
    case 'DIALOG_OPEN':
      if (failure.type === 'beforeunload')
        return 'The page was not left: it opened a beforeunload dialog. Call handle_dialog: accept true leaves the page, false stays.'
      return `A ${failure.type} dialog is open: ${showPageText(failure.message.slice(0, 200), 'quoted')}. Call handle_dialog with accept true or false.`
    case 'NAVIGATION_FAILED':
      return describeNavigationFailure(failure)
    case 'ELEMENT_NOT_FOUND':
      return describeMissingElement(failure)
    case 'ELEMENT_NOT_CLICKABLE':
      return `${failure.target} was found but is ${obstaclePhrases[failure.reason]}${blockerSuffixOf(failure)}. ${clickSteps[failure.reason]}`
    case 'ELEMENT_NOT_EDITABLE':
      if (failure.became) return describeLostField(failure)
      return `${failure.target} was found but is ${obstaclePhrases[failure.reason]}${blockerSuffixOf(failure)}. ${typeSteps[failure.reason]}`
    case 'TIMEOUT':
      if (failure.begun === false)
        return `Timed out after ${failure.waited} ms waiting for ${failure.waitedFor}; the call was not run. Call again, or pass a longer timeout.`
      if (failure.needsRestart)
        return `Waiting for ${failure.waitedFor} would not help: the dev server has to read it again. Call restart_server.`
      return failure.responding === false
        ? `Timed out after ${failure.waited} ms waiting for ${failure.waitedFor}. The page does not respond: it waits for something, or the machine is too busy. Call again, or create a new session.`
        : `Timed out after ${failure.waited} ms waiting for ${failure.waitedFor}.${describeObserved(failure)} Take a snapshot to see the page, or pass a longer timeout.`
    case 'SCRIPT_ERROR':
      return `The script failed: ${failure.text}. Fix the script and call again.`
    case 'PAGE_CRASHED':
      return `The page ${failure.url} ${failure.reason === 'closed' ? 'was closed' : 'crashed'}. ${failure.tab ? `Tab ${failure.tab} is active now.` : 'A new empty page is ready: navigate again.'}`
    case 'PAGE_HUNG':
      return failure.freed
        ? `The page ${failure.url} did not respond for ${failure.waited} ms, most likely because of an endless script. Its script was terminated, and the page is usable again. If it happens again, the console has the line of the script.`
        : `The page ${failure.url} did not respond within ${failure.waited} ms. Close the session and create a new one.`
    case 'BROWSER_ERROR':
      if (failure.invalidField !== undefined)
        return `The form was not submitted, because ${failure.invalidField} is not valid: ${failure.text}. Give it a valid value, then submit again.`
      return `Browser error: ${failure.text}. ${failure.next ?? 'Try again, or create a new session.'}`
    case 'BROWSER_CRASHED':
      return `The ${failure.browser} of this session crashed. Call create_session; it starts a new browser.`
    case 'BROWSER_NOT_INSTALLED':
      return failure.problem === undefined
        ? `No ${failure.browser} was found on this machine. Install it with: ${failure.install}`
        : `${failure.problem}. Ask the user to correct the path, or to omit the option.`
    case 'TEST_FAILED':
      return describeFailedTests(failure)
    case 'TEST_RUN_FAILED':
      return describeFailedRun(failure)
    case 'SERVER_START_FAILED':
      return `The dev server failed to start: ${failure.text}. ${startStepOf(failure)}`
    case 'SERVER_SHUTDOWN_FAILED':
      return `The session is closed, but ${failure.command} failed to stop its dev server: ${failure.reason}.`
    case 'LOG_READ_FAILED':
      return `The log ${failure.path} could not be read: ${failure.reason}.`
    case 'ACCESS_DENIED':
      return `${failure.subject} is not allowed (${failure.rule}). Allowed: ${failure.allowed}.`
    case 'RATE_LIMITED':
      return `Rate limit exceeded (${failure.limit}). Wait ${failure.retryAfterMs} ms and call again.`
    case 'COMMAND_NOT_ALLOWED':
      return `${failure.command} is not an allowed program. Allowed: ${failure.allowed.join(', ') || 'none'}; the user can add it to --server-command.`
    case 'RESOURCE_EXHAUSTED':
      return `Resource exhausted (${failure.resource}): ${failure.text}. ${failure.next ?? 'Free disk space, or start footlight with another --output-dir.'}`
    case 'CANCELLED':
      return 'The call was cancelled. The session is still open.'
    case 'INTERNAL':
      return `Internal error in Footlight (${failure.id}); see its log on stderr. The session may still be usable.`
  }
}

// --- internal ---

// An error overlay is the reason why an element is missing or covered, if the page is one of the dev server. Another page may show one that
// is none, so its words are quoted and nothing follows from them.
function failureTextOnPage(failure: Failure): string {
  if (!('overlay' in failure) || !failure.overlay) return failureText(failure)
  const { name, message, file, isOfDevServer } = failure.overlay
  const words = showPageText(`${message}${file ? ` (${file})` : ''}`, 'quoted')
  const sentence = `The page shows an error overlay (${name}): ${words}.`
  if (!isOfDevServer) return `${failureText(failure)} ${sentence}`
  const state = 'reason' in failure ? obstaclePhrases[failure.reason] : 'missing'
  const consequence =
    'target' in failure ? `${failure.target} is ${state}.` : `Timed out waiting for ${failure.waitedFor}.`
  return `${sentence} Fix that first. ${consequence}`
}
