// The messages of all failures. Each has the next step for the caller; the data is in `details`.

import type {
  InvalidParameter,
  NavigationFailed,
  Obstacle,
  SessionCreation,
  SeveralSessions,
  StartFailureReason,
} from '../../base/failure-records.ts'
import { categoryOf, type Failure } from '../../base/failure.ts'
import { clip } from '../../base/text/clip.ts'
import { showPageText } from '../../base/text/invisible-characters.ts'
import { formatSessionName } from '../../sessions/store/session-name.ts'
import type { StepsReport } from '../../tool/tool-call.ts'
import { describeFailedRun, describeFailedTests, type FailureRecord } from './failure-lines.ts'

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
    sessionId: session,
    timestamp,
    steps: steps?.lines,
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
      return failure.reason === 'person'
        ? 'A person has this session. Call handover to wait until they return it, or use another session.'
        : `${failure.waiting} calls already wait for this session. Wait for them, or use another session.`
    case 'MAX_SESSIONS_REACHED':
      if (failure.grid)
        return `The Grid is full: ${failure.active} of its ${failure.limit} sessions are in use, and ${failure.grid.queued} requests are in its queue. Close a session with close_session, or call again later.`
      if (failure.draining)
        return 'This Footlight opens no more sessions, because it is being shut down; the open ones go on until they are closed. Connect again: a load balancer then chooses another replica.'
      return failure.own
        ? `All your ${failure.limit} sessions are in use. Close one with close_session; list_sessions names them.`
        : `All ${failure.limit} sessions are in use. Close one with close_session, or start footlight with a higher --max-sessions.`
    case 'DIALOG_OPEN':
      if (failure.type === 'beforeunload')
        return 'The page was not left: it opened a beforeunload dialog. Call handle_dialog to accept it, which leaves the page, or to dismiss it.'
      return `A ${failure.type} dialog is open: ${showPageText(failure.message.slice(0, 200), 'quoted')}. Call handle_dialog to accept or dismiss it.`
    case 'NAVIGATION_FAILED':
      return describeNavigationFailure(failure)
    case 'ELEMENT_NOT_FOUND':
      return describeMissingElement(failure)
    case 'ELEMENT_NOT_CLICKABLE':
      return `${failure.target} was found but is ${obstaclePhrases[failure.reason]}${blockerSuffixOf(failure)}. ${isOption(failure) ? 'Use select on its list.' : clickSteps[failure.reason]}`
    case 'ELEMENT_NOT_EDITABLE':
      if (failure.became) return describeLostField(failure)
      return `${failure.target} was found but is ${obstaclePhrases[failure.reason]}${blockerSuffixOf(failure)}. ${typeSteps[failure.reason]}`
    case 'TIMEOUT':
      if (failure.begun === false)
        return `Timed out after ${failure.waited} ms waiting for ${failure.waitedFor}; the call was not run. Call again, or pass a longer timeout.`
      if (failure.needs === 'restart')
        return `Waiting for ${failure.waitedFor} would not help: the dev server has to read it again. Call restart_server.`
      if (failure.needs === 'reload')
        return `Waiting for ${failure.waitedFor} would not help: the page was loaded before, and nothing loads it again. Call history {direction: "reload"}; the page loses what was entered.`
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
      return failure.reason === undefined
        ? `The ${failure.browser} of this session crashed. Call create_session; it starts a new browser.`
        : `The ${failure.browser} of this session is lost: ${failure.reason}. Its page, its cookies and what was not saved are gone, and a dev server that the session started is stopped. Call create_session, which opens them anew.`
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
    case 'GIT_FAILED':
      return describeGitFailure(failure)
    case 'RESOURCE_EXHAUSTED':
      return `Resource exhausted (${failure.resource}): ${failure.text}. ${failure.next ?? 'Free disk space, or start footlight with another --output-dir.'}`
    case 'CANCELLED':
      return 'The call was cancelled. The session is still open.'
    case 'INTERNAL':
      return `Internal error in Footlight (${failure.id}); see its log on stderr. The session may still be usable.`
  }
}

// --- internal ---

function describeGitFailure(failure: Extract<Failure, { code: 'GIT_FAILED' }>): string {
  const { question, words, status, isMissing } = failure
  if (isMissing) return 'git is not installed. Install it, so that it is on PATH.'
  const reason = words || `it ended with status ${status}`
  // In the words of git for objects that a clone has left out.
  const next = /promisor|lazy fetching|transport '.*' not allowed|missing blob/.test(words)
    ? 'This clone lacks objects, and Footlight fetches nothing: run git fetch --refetch --no-filter first.'
    : 'Nothing is known of the change until git answers: repair what it names, and call again.'
  return `git ${question} failed: ${reason.replace(/\.?$/, '.')} ${next}`
}

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

// Parts of failure messages: the obstacle or reason, and the next step.
const blockerSuffixOf = ({ by }: { by?: string }): string => (by ? `: ${by}` : '')

const isOption = ({ by = '' }: { readonly by?: string }): boolean => by.startsWith('<option')

const OBSERVED_LIMIT_CHARS = 600

/** What a wait has observed, as a sentence with a space before it. */
const describeObserved = ({ observed = [] }: { readonly observed?: readonly string[] }): string =>
  observed.length === 0 ? '' : ` Observed: ${clip(observed.join('; '), OBSERVED_LIMIT_CHARS)}.`

const obstaclePhrases: Record<Obstacle | 'emptied' | 'unfocused', string> = {
  hidden: 'hidden',
  disabled: 'disabled',
  inert: 'inert, so neither mouse nor keyboard reaches it',
  covered: 'covered by another element',
  clipped: 'cut off by the styles of the page, so its middle does not show',
  passive: 'not reached by the mouse, because of pointer-events: none',
  moving: 'still moving',
  read_only: 'read-only',
  no_text: 'not a text field',
  outside: 'outside the viewport and cannot be scrolled into it',
  detached: 'replaced repeatedly by the page',
  emptied: 'empty: the page removed the text that was entered',
  unfocused: 'unchanged: another field took the focus, and may have the text now',
}

/** A sentence for a failure that came before its timeout; empty for others. */
const describeQuietEnd = (failure: Failure): string =>
  'quietMs' in failure && failure.quietMs !== undefined
    ? `The page was quiet for ${Math.floor(failure.quietMs / 1000)} s: waiting longer would not help; pass timeout to wait anyway.`
    : ''

const clickSteps: Record<Obstacle, string> = {
  hidden: 'Make it visible first, for example by opening its menu.',
  disabled: 'Enable it first, for example by filling in the form.',
  inert: 'Do first what makes it usable again, for example close a menu or end the step before it.',
  covered: 'Close the covering element or scroll it away, or use force to click anyway.',
  clipped: 'Open or scroll first what it is in.',
  passive: 'Wait with wait_for until the page is ready, or do first what enables it.',
  moving: 'Wait for the animation to end with wait_for, or use force.',
  read_only: 'Click another element.',
  no_text: 'Click another element.',
  outside: 'Enlarge the viewport, or scroll its container with evaluate.',
  detached: 'Wait until the page has settled with wait_for, then try again.',
}

const typeSteps: Record<Obstacle | 'emptied' | 'unfocused', string> = {
  ...clickSteps,
  emptied: 'Take a snapshot: the page may say why, or expect another format.',
  unfocused: 'Take a snapshot, correct the other field first, and fill this one in a call of its own.',
  read_only: 'Type into another field.',
  no_text: 'Take a snapshot and pick a textbox; use click for buttons and checkboxes.',
}

/** An element that is not there; of a ref that was in no snapshot nothing else is known. */
function describeMissingElement({
  target,
  waited,
  stale,
  was,
  changed,
}: Extract<Failure, { code: 'ELEMENT_NOT_FOUND' }>): string {
  if (changed) {
    const [from, to] = [showPageText(changed.from, 'quoted'), showPageText(changed.to, 'quoted')]
    return `The page changed since ${target} was read: where ${from} was, there is ${to} now. Use another ref, or take a snapshot for new refs.`
  }
  if (!stale) return `No element matched ${target} within ${waited} ms. Take a snapshot to see the page.`
  return was === undefined
    ? `The page has no ${target}. Take a snapshot first, then use its refs.`
    : `The page no longer has ${target}, which was ${was}. Use another ref, or take a snapshot for new refs.`
}

/** A field that was editable until the action used it, such as one that opens a calendar and disables itself. */
const describeLostField = ({ target, reason }: Extract<Failure, { code: 'ELEMENT_NOT_EDITABLE' }>): string =>
  `${target} was editable, but became ${obstaclePhrases[reason]} when the action used it. Take a snapshot: the page may expect the value in another place, such as a popup that it has opened.`

const startSteps: Record<StartFailureReason, string> = {
  command_not_found:
    'Install it (npm install, where it is a package of the project), or pass the full path of the command.',
  permission_denied: 'Make the file executable (chmod +x).',
  non_zero_exit: 'Fix what its last output names and call again.',
  invalid_json: 'The command must print one JSON document on stdout and nothing else.',
  timeout: 'Read its last output; pass readyUrl or a longer readyTimeout if it needs them.',
  exited: 'Fix what its last output names and call again.',
}

/** The next step after a server that did not start. */
function startStepOf(failure: Extract<Failure, { code: 'SERVER_START_FAILED' }>): string {
  const { reason, npxCommand, missingPackages, holder, question, exitCode } = failure
  if (npxCommand !== undefined)
    return `It is installed in node_modules: call again with command ${JSON.stringify(npxCommand)}.`
  if (missingPackages) {
    const { folder, command, name } = missingPackages
    const fact =
      name === undefined
        ? 'Its packages are not installed, there is no node_modules'
        : `Its package ${name} is not installed`
    return `${fact}: run ${command} in ${folder}, and call again.`
  }
  if (holder?.session !== undefined)
    return `Use session ${holder.session}, or close it with close_session and call again.`
  if (holder)
    return 'Pass another port in the command, or readyUrl to use the server that runs there; end that process only if it is yours.'
  if (question !== undefined)
    return 'Nothing answers on its standard input: pass the option or the variable that answers it.'
  if (reason === 'exited' && exitCode === 0)
    return 'If another program runs the server, as with docker compose up -d, pass its readyUrl; else fix what its last output names.'
  return startSteps[reason]
}

const describeInvalidParameter = ({ field, expected, received }: InvalidParameter): string =>
  `${field}: expected ${expected}, received ${received}.`

/** The sessions that the caller can choose from. */
function describeChoice({ sessions, openCount }: SeveralSessions): string {
  const choices = sessions.map(({ name, status, url }) => `${formatSessionName(name)} (${url ?? status})`)
  const others = openCount > sessions.length ? `; list_sessions has all ${openCount}` : ''
  return `Pass one of ${choices.join(', ')}${others}.`
}

function describeExpiry({
  name,
  reason,
  after,
  server,
  creation,
}: Extract<Failure, { code: 'SESSION_EXPIRED' }>): string {
  const keptAs = creation?.keptAs
  const endedParts = ['page', ...(keptAs === undefined ? ['cookies'] : []), ...(server ? ['dev server'] : [])]
  const [end, limit] =
    reason === 'idle'
      ? [`expired after ${after} ms without a call`, 'pass a longer sessionTimeout if needed']
      : [`reached its maximum lifetime of ${after} ms`, 'footlight --max-lifetime raises the limit']
  return [
    `Session ${formatSessionName(name)} ${end}; its ${endedParts.join(', ')} and logs are no longer available.`,
    ...(keptAs === undefined ? [] : [`Its cookies and storage are saved as ${keptAs}.`]),
    `Call ${describeCreation(creation)} to start again; ${limit}.`,
  ].join(' ')
}

const CREATION_LIMIT_CHARS = 500

// The call that makes a session like the one that has ended.
function describeCreation({ input, omitted }: SessionCreation = { input: {}, omitted: [] }): string {
  const text = JSON.stringify(input)
  if (text.length > CREATION_LIMIT_CHARS) return 'create_session with the same arguments'
  const call = text === '{}' ? 'create_session' : `create_session ${text}`
  return omitted.length === 0 ? call : `${call} with the same ${omitted.join(' and ')}`
}

// The requested URL is known to the caller, the target of a redirect is not.
const describeRefusal = (redirects: readonly string[]): string =>
  redirects.length > 0 ? `${redirects.at(-1)} refused the connection` : 'The connection was refused'

function refusalStepOf(server: NavigationFailed['server']): string {
  if (!server) return 'Is the server running on that port?'
  return server.hasEnded
    ? 'Call restart_server.'
    : `The dev server of this session is at ${server.url}: navigate there, or to a path such as /.`
}

function describeNavigationFailure({
  url,
  reason,
  redirects = [],
  waited,
  awaiting = [],
  server,
  isOffline,
  isElsewhere,
}: NavigationFailed): string {
  if (isOffline)
    return `${url} failed to load, because emulate has set the session offline. Call emulate with offline false.`
  const redirectNote = redirects.length > 0 ? ` after ${redirects.length - 1} redirects` : ''
  if (reason === 'timeout') {
    const cause = awaiting.length > 0 ? `: it waits for ${awaiting.join(', ')}` : ''
    return `${url} did not load within ${waited} ms${cause}. Use waitUntil "commit" or a longer timeout.`
  }
  const [, direction] = /^there is no page to go (back|forward) to$/.exec(reason) ?? []
  if (direction !== undefined)
    return `There is no page to go ${direction} to: the page is still ${url}. Use navigate.`
  if (isElsewhere)
    return `${describeRefusal(redirects)}: the browser runs on another machine, and ${new URL(redirects.at(-1) ?? url).hostname} is that machine to it. Start the dev server on an address that the browser reaches, for example with --host 0.0.0.0, and navigate to the address of this machine.`
  if (/REFUSED/.test(reason)) return `${describeRefusal(redirects)}. ${refusalStepOf(server)}`
  if (/NAME_NOT_RESOLVED|UNKNOWN_HOST/.test(reason))
    return `The host of ${url} could not be resolved (${reason}). Check the URL.`
  if (/CERT|PKIX|UNKNOWN_ISSUER|SSL_ERROR_BAD_CERT_DOMAIN/.test(reason))
    return `The browser does not trust the certificate of ${url} (${reason}). To accept it, create the session with ignoreHTTPSErrors true, or start footlight with --ignore-https-errors.`
  return `${url} failed to load${redirectNote} (${reason}). Check the URL and the server.`
}
