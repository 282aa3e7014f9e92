// One sample of every failure, with what it means. The type makes the page complete: a code without a sample does not compile.

import { PLAYWRIGHT_VERSION } from '../../src/browser/playwright/version.ts'
import type { Failure } from '../../src/core/failure.ts'

type Code = Failure['code']

export interface Sample<C extends Code> {
  readonly means: string
  readonly then: string
  readonly example: Extract<Failure, { code: C }>
}

const sessionId = '3f0c1b52-6a1d-4a7e-9a55-0e2f4c8d7b11'
const url = 'http://127.0.0.1:5173/'

export const samples: { readonly [C in Code]: Sample<C> } = {
  INVALID_PARAMETERS: {
    means:
      'A field is missing, unknown or wrong, or a selector has a syntax error or matches several elements.',
    then: 'Correct the field that `details.field` names.',
    example: { code: 'INVALID_PARAMETERS', field: 'url', expected: 'string', received: 'nothing' },
  },
  SESSION_NOT_FOUND: {
    means: 'No session of yours has this id or name. A session that was closed is not found either.',
    then: 'Call `create_session`, or `list_sessions` for the open ones.',
    example: { code: 'SESSION_NOT_FOUND', sessionId },
  },
  SESSION_EXPIRED: {
    means:
      'The session expired, and its page, cookies, dev server and logs ended with it: it had no call for too long (`idle`), or reached its maximum lifetime (`lifetime`).',
    then: 'Call `create_session`, with a longer `sessionTimeout` if need be. `--session-timeout` and `--max-lifetime` set the times for all.',
    example: { code: 'SESSION_EXPIRED', sessionId, reason: 'idle', after: 300_000, server: true },
  },
  SESSION_CLOSED: {
    means: 'The session was closed while this call ran.',
    then: 'Call `create_session`.',
    example: { code: 'SESSION_CLOSED', sessionId },
  },
  SESSION_BUSY: {
    means: 'Too many calls wait for this session; they run one after the other.',
    then: 'Wait for some of them, or use another session.',
    example: { code: 'SESSION_BUSY', sessionId, waiting: 100 },
  },
  MAX_SESSIONS_REACHED: {
    means: 'All sessions are in use, or all that one client may have.',
    then: 'Close one, or start Footlight with a higher `--max-sessions`.',
    example: { code: 'MAX_SESSIONS_REACHED', limit: 10, active: 10 },
  },
  DIALOG_OPEN: {
    means: 'The page shows an alert, confirm, prompt or "leave this page?", and waits.',
    then: 'Call `handle_dialog`.',
    example: { code: 'DIALOG_OPEN', type: 'confirm', message: 'Delete the list?' },
  },
  NAVIGATION_FAILED: {
    means:
      'The page did not load: no connection, an unknown host, or too slow. A page with status 404 or 500 is a success.',
    then: 'Look at `details.reason`. For a dev server, see that it runs.',
    example: { code: 'NAVIGATION_FAILED', url, reason: 'ERR_CONNECTION_REFUSED' },
  },
  ELEMENT_NOT_FOUND: {
    means: 'Nothing matched until the time was over, or the page no longer has the element of a ref.',
    then: 'Take a `snapshot`. `evidence.candidates` has the closest elements, with refs that work.',
    example: { code: 'ELEMENT_NOT_FOUND', target: '#save', waited: 5000 },
  },
  ELEMENT_NOT_CLICKABLE: {
    means:
      'The element is there but hidden, disabled, covered, moving, outside the viewport, or replaced again and again.',
    then: 'The message says what to do first; `details.by` names what covers it.',
    example: {
      code: 'ELEMENT_NOT_CLICKABLE',
      target: '#send',
      reason: 'covered',
      by: '<div id="notice">',
      waited: 5000,
    },
  },
  ELEMENT_NOT_EDITABLE: {
    means: 'The element takes no text, or is disabled or read-only.',
    then: 'Take a `snapshot` and pick a field that does.',
    example: { code: 'ELEMENT_NOT_EDITABLE', target: 'ref e7', reason: 'read_only', waited: 5000 },
  },
  TIMEOUT: {
    means: 'What was waited for did not happen in time.',
    then: 'Look at what the page shows (the evidence names a picture), or give a longer `timeout`.',
    example: { code: 'TIMEOUT', waitedFor: 'the text "Saved"', waited: 30_000 },
  },
  SCRIPT_ERROR: {
    means: 'The script of `evaluate` threw an error or does not parse.',
    then: 'Mend the script.',
    example: { code: 'SCRIPT_ERROR', text: "TypeError: Cannot read properties of null (reading 'click')" },
  },
  PAGE_CRASHED: {
    means: 'The page died (`crashed`) or closed itself (`closed`).',
    then: 'Navigate again; the session has an empty page, or another tab.',
    example: { code: 'PAGE_CRASHED', url, reason: 'crashed' },
  },
  PAGE_HUNG: {
    means: 'A script kept the page busy and nothing else could run.',
    then: 'Where `details.freed` is true the script was stopped and the page can be used. Otherwise create a new session.',
    example: { code: 'PAGE_HUNG', url, waited: 5000, freed: true },
  },
  BROWSER_ERROR: {
    means: 'The browser refused, for a reason that has no code of its own.',
    then: 'The message says what to try.',
    example: { code: 'BROWSER_ERROR', text: 'Printing to PDF needs headless Chromium' },
  },
  BROWSER_CRASHED: {
    means: "The session's browser died, and the session with it.",
    then: 'Call `create_session`; a new browser is started.',
    example: { code: 'BROWSER_CRASHED', browser: 'chromium' },
  },
  BROWSER_NOT_INSTALLED: {
    means: 'No such browser was found; `details.looked` lists where.',
    then: 'Run the command in the message, or give `--executable-path`.',
    example: {
      code: 'BROWSER_NOT_INSTALLED',
      browser: 'webkit',
      looked: ['/home/ada/.cache/ms-playwright'],
      install: `npx -y playwright@${PLAYWRIGHT_VERSION} install webkit`,
    },
  },
  SERVER_START_FAILED: {
    means:
      'The dev server did not come up. `details.reason` is command_not_found, permission_denied, non_zero_exit, invalid_json, timeout or exited.',
    then: 'Read its last output in `details.stderr`.',
    example: {
      code: 'SERVER_START_FAILED',
      reason: 'exited',
      command: 'npm run dev',
      text: 'npm run dev ended with exit code 1 before it was ready',
      exitCode: 1,
      stderr: ['Error: Cannot find module "vite"'],
    },
  },
  SERVER_SHUTDOWN_FAILED: {
    means: 'The session is closed, but the command that should stop its server failed.',
    then: 'See whether the server still runs.',
    example: { code: 'SERVER_SHUTDOWN_FAILED', command: './serve', reason: 'exit code 3', stderr: [] },
  },
  LOG_READ_FAILED: {
    means: 'A log of the dev server could not be read, or lies where it may not be read.',
    then: 'See whether the file is still there.',
    example: { code: 'LOG_READ_FAILED', path: '/var/log/shop/stderr.log', reason: 'no such file' },
  },
  ACCESS_DENIED: {
    means: 'A rule forbids this address, host or path.',
    then: 'Use what `details.allowed` names, or ask the user to allow it (`--allowed-hosts`, `allowedDomains`).',
    example: {
      code: 'ACCESS_DENIED',
      subject: 'https://evil.example/',
      rule: 'no rule allows evil.example',
      allowed: 'app.example, *.cdn.example',
      host: 'evil.example',
      port: 443,
    },
  },
  RATE_LIMITED: {
    means: 'Too many calls or new sessions in a minute.',
    then: 'Wait for `details.retryAfterMs`.',
    example: { code: 'RATE_LIMITED', limit: '100 calls a minute', retryAfterMs: 600 },
  },
  COMMAND_NOT_ALLOWED: {
    means: 'This program may not be started here. Over HTTP only those that `--server-command` names may.',
    then: 'Use one of `details.allowed`.',
    example: { code: 'COMMAND_NOT_ALLOWED', command: '/usr/bin/python3', allowed: ['/usr/bin/node'] },
  },
  RESOURCE_EXHAUSTED: {
    means: 'No room for a file, or not enough memory for another session.',
    then: 'Make room, close sessions, or give another `--output-dir`.',
    example: { code: 'RESOURCE_EXHAUSTED', resource: 'disk', text: 'no space left on device' },
  },
  CANCELLED: {
    means: 'The client took the call back. The session is still open.',
    then: 'Nothing; call again if you want to.',
    example: { code: 'CANCELLED' },
  },
  INTERNAL: {
    means: 'A bug in Footlight.',
    then: 'Find the id in the log on stderr, and report both.',
    example: { code: 'INTERNAL', id: '7c1e90ab' },
  },
}
