// Parts of failure messages: the obstacle or reason, and the next step.

import { showPageText } from '../../core/text/page-text.ts'
import { clip } from '../../core/text/clip.ts'
import type { Failure } from '../../core/failure.ts'
import type {
  InvalidParameter,
  NavigationFailed,
  Obstacle,
  SessionCreation,
  SeveralSessions,
} from '../../core/failures/failure-records.ts'
import { formatSessionName } from '../../core/session/session-name.ts'
import type { StartFailureReason } from '../../core/dev-server.ts'

export const blockerSuffixOf = ({ by }: { by?: string }): string => (by ? `: ${by}` : '')

const OBSERVED_LIMIT_CHARS = 600

/** What a wait has observed, as a sentence with a space before it. */
export const describeObserved = ({ observed = [] }: { readonly observed?: readonly string[] }): string =>
  observed.length === 0 ? '' : ` Observed: ${clip(observed.join('; '), OBSERVED_LIMIT_CHARS)}.`

export const obstaclePhrases: Record<Obstacle | 'emptied', string> = {
  hidden: 'hidden',
  disabled: 'disabled',
  covered: 'covered by another element',
  moving: 'still moving',
  read_only: 'read-only',
  no_text: 'not a text field',
  outside: 'outside the viewport and cannot be scrolled into it',
  detached: 'replaced repeatedly by the page',
  emptied: 'empty: the page removed the text that was entered',
}

/** A sentence for a failure that came before its timeout; empty for others. */
export const describeQuietEnd = (failure: Failure): string =>
  'quietMs' in failure && failure.quietMs !== undefined
    ? `The page was quiet for ${Math.floor(failure.quietMs / 1000)} s: waiting longer would not help; pass timeout to wait anyway.`
    : ''

export const clickSteps: Record<Obstacle, string> = {
  hidden: 'Make it visible first, for example by opening its menu.',
  disabled: 'Enable it first, for example by filling in the form.',
  covered: 'Close the covering element or scroll it away, or use force to click anyway.',
  moving: 'Wait for the animation to end with wait_for, or use force.',
  read_only: 'Click another element.',
  no_text: 'Click another element.',
  outside: 'Enlarge the viewport, or scroll its container with evaluate.',
  detached: 'Wait until the page has settled with wait_for, then try again.',
}

export const typeSteps: Record<Obstacle | 'emptied', string> = {
  ...clickSteps,
  emptied: 'Take a snapshot: the page may say why, or expect another format.',
  read_only: 'Type into another field.',
  no_text: 'Take a snapshot and pick a textbox; use click for buttons and checkboxes.',
}

/** An element that is not there; of a ref that was in no snapshot nothing else is known. */
export function describeMissingElement({
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
export const describeLostField = ({
  target,
  reason,
}: Extract<Failure, { code: 'ELEMENT_NOT_EDITABLE' }>): string =>
  `${target} was editable, but became ${obstaclePhrases[reason]} when the action used it. Take a snapshot: the page may expect the value in another place, such as a popup that it has opened.`

const startSteps: Record<StartFailureReason, string> = {
  command_not_found: 'Pass the full path of the command, or install it.',
  permission_denied: 'Make the file executable (chmod +x).',
  non_zero_exit: 'Fix what its last output names and call again.',
  invalid_json: 'The command must print one JSON document on stdout and nothing else.',
  timeout: 'Read its last output; pass readyUrl or a longer readyTimeout if it needs them.',
  exited: 'Fix what its last output names and call again.',
}

/** The next step after a server that did not start. */
export const startStepOf = ({
  reason,
  npxCommand,
}: Extract<Failure, { code: 'SERVER_START_FAILED' }>): string =>
  npxCommand === undefined
    ? startSteps[reason]
    : `It is installed in node_modules: call again with command ${JSON.stringify(npxCommand)}.`

export const describeInvalidParameter = ({ field, expected, received }: InvalidParameter): string =>
  `${field}: expected ${expected}, received ${received}.`

/** The sessions that the caller can choose from. */
export function describeChoice({ sessions, openCount }: SeveralSessions): string {
  const choices = sessions.map(({ name, status, url }) => `${formatSessionName(name)} (${url ?? status})`)
  const others = openCount > sessions.length ? `; list_sessions has all ${openCount}` : ''
  return `Pass one of ${choices.join(', ')}${others}.`
}

export function describeExpiry({
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

export function describeNavigationFailure({
  url,
  reason,
  redirects = [],
  waited,
  server,
  isOffline,
}: NavigationFailed): string {
  if (isOffline)
    return `${url} failed to load, because emulate has set the session offline. Call emulate with offline false.`
  const redirectNote = redirects.length > 0 ? ` after ${redirects.length - 1} redirects` : ''
  if (reason === 'timeout')
    return `${url} did not load within ${waited} ms. Use waitUntil "commit" or a longer timeout.`
  const [, direction] = /^there is no page to go (back|forward) to$/.exec(reason) ?? []
  if (direction !== undefined)
    return `There is no page to go ${direction} to: the page is still ${url}. Use navigate.`
  if (/REFUSED/.test(reason)) return `${describeRefusal(redirects)}. ${refusalStepOf(server)}`
  if (/NAME_NOT_RESOLVED|UNKNOWN_HOST/.test(reason))
    return `The host of ${url} could not be resolved (${reason}). Check the URL.`
  if (/CERT|PKIX|UNKNOWN_ISSUER|SSL_ERROR_BAD_CERT_DOMAIN/.test(reason))
    return `The browser does not trust the certificate of ${url} (${reason}). To accept it, create the session with ignoreHTTPSErrors true, or start footlight with --ignore-https-errors.`
  return `${url} failed to load${redirectNote} (${reason}). Check the URL and the server.`
}
