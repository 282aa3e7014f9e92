// One sample of every failure, with its meaning. The type makes the page complete: a code without a sample does not compile.

import type { Failure } from '../../src/core/base/failure.ts'
import { PLAYWRIGHT_VERSION } from '../../src/core/browser/playwright/engine.ts'

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
      'A field is missing, unknown or invalid, or a selector has a syntax error or matches several elements. Several sessions are open and the call names none: `details.sessions` lists them.',
    then: 'Correct the field that `details.field` names.',
    example: { code: 'INVALID_PARAMETERS', field: 'url', expected: 'a string', received: 'nothing' },
  },
  SESSION_NOT_FOUND: {
    means:
      'No session of yours has this id or name, or it was closed. Without `sessionId`: you have no open session.',
    then: 'Call `create_session`, or `list_sessions` for the open ones.',
    example: { code: 'SESSION_NOT_FOUND', sessionId },
  },
  SESSION_EXPIRED: {
    means:
      'The session expired, with its page, cookies, dev server and logs: it had no call for too long (`idle`) or reached its maximum lifetime (`lifetime`).',
    then: 'Call `create_session` as the message says, with a longer `sessionTimeout` if needed. `--session-timeout` and `--max-lifetime` set the defaults. A session that was created with `restore` has its login again.',
    example: {
      code: 'SESSION_EXPIRED',
      sessionId,
      name: 's1',
      reason: 'idle',
      after: 300_000,
      server: true,
      creation: { input: { restore: 'work', command: 'npm run dev' }, omitted: [], keptAs: 'work' },
    },
  },
  SESSION_CLOSED: {
    means: 'The session was closed while this call ran.',
    then: 'Call `create_session`.',
    example: { code: 'SESSION_CLOSED', sessionId },
  },
  SESSION_BUSY: {
    means: 'Too many calls are queued for this session; they run one after the other.',
    then: 'Wait for some of them, or use another session.',
    example: { code: 'SESSION_BUSY', sessionId, reason: 'queue_full', waiting: 100 },
  },
  MAX_SESSIONS_REACHED: {
    means: 'The maximum number of sessions is open, for the server or for one client.',
    then: 'Close a session, or start Footlight with a higher `--max-sessions`.',
    example: { code: 'MAX_SESSIONS_REACHED', limit: 10, active: 10 },
  },
  DIALOG_OPEN: {
    means: 'The page has an open alert, confirm, prompt or beforeunload dialog.',
    then: 'Call `handle_dialog`.',
    example: { code: 'DIALOG_OPEN', type: 'confirm', message: 'Delete the list?' },
  },
  NAVIGATION_FAILED: {
    means:
      'The page did not load: connection error, unknown host or timeout. A page with status 404 or 500 is a success.',
    then: 'See `details.reason`. `details.server` is the dev server of the session, if nothing listens at the requested port of this machine.',
    example: { code: 'NAVIGATION_FAILED', url, reason: 'ERR_CONNECTION_REFUSED' },
  },
  ELEMENT_NOT_FOUND: {
    means:
      'No element matched within the timeout, or the element of a ref no longer exists. `details.quietMs`: the call named no timeout and ended early, because the page had been quiet for so long.',
    then: 'Take a `snapshot`. `evidence.candidates` has the closest elements, with refs that work.',
    example: { code: 'ELEMENT_NOT_FOUND', target: '#save', waited: 3100, quietMs: 3000 },
  },
  ELEMENT_NOT_CLICKABLE: {
    means:
      'The element exists but is hidden, disabled, covered, moving, outside the viewport, or replaced repeatedly by the page.',
    then: 'The message has the next step; `details.by` is the covering element.',
    example: {
      code: 'ELEMENT_NOT_CLICKABLE',
      target: '#send',
      reason: 'covered',
      by: '<div id="notice">',
      waited: 5000,
    },
  },
  ELEMENT_NOT_EDITABLE: {
    means:
      'The element is not a text field, or is disabled or read-only, or became so when the action used it (`details.became`); or the page removed the text (`details.reason` is `emptied`), or another field took the focus and the keys (`unfocused`).',
    then: 'Take a `snapshot` and use an editable field.',
    example: { code: 'ELEMENT_NOT_EDITABLE', target: 'ref e7', reason: 'read_only', waited: 5000 },
  },
  TIMEOUT: {
    means:
      'The condition was not met within the timeout. After a wait for an element, `details.observed` has what it was meanwhile.',
    then: 'Look at the page (the evidence has a screenshot), or pass a longer `timeout`.',
    example: {
      code: 'TIMEOUT',
      waitedFor: '.row to have count 3',
      waited: 30_000,
      observed: ['count 0 -> 2 after 300 ms, wanted 3'],
    },
  },
  SCRIPT_ERROR: {
    means: 'The script of `evaluate` threw an error or does not parse.',
    then: 'Fix the script.',
    example: { code: 'SCRIPT_ERROR', text: "TypeError: Cannot read properties of null (reading 'click')" },
  },
  PAGE_CRASHED: {
    means: 'The page crashed (`crashed`) or closed itself (`closed`).',
    then: 'Navigate again; the session has a new empty page, or another tab is active.',
    example: { code: 'PAGE_CRASHED', url, reason: 'crashed' },
  },
  PAGE_HUNG: {
    means: 'The page did not respond, most likely because of an endless script.',
    then: 'If `details.freed` is true, the script was terminated and the page is usable. Otherwise create a new session.',
    example: { code: 'PAGE_HUNG', url, waited: 5000, freed: true },
  },
  BROWSER_ERROR: {
    means: 'The browser reported an error that has no code of its own.',
    then: 'The message has the next step.',
    example: { code: 'BROWSER_ERROR', text: 'Printing to PDF needs headless Chromium' },
  },
  BROWSER_CRASHED: {
    means: "The session's browser crashed, and the session was closed.",
    then: 'Call `create_session`; it starts a new browser.',
    example: { code: 'BROWSER_CRASHED', browser: 'chromium' },
  },
  BROWSER_NOT_INSTALLED: {
    means: 'The browser was not found; `details.looked` lists the searched locations.',
    then: 'Run the command in the message, or give `--executable-path`.',
    example: {
      code: 'BROWSER_NOT_INSTALLED',
      browser: 'webkit',
      looked: ['/home/ada/.cache/ms-playwright'],
      install: `npx -y playwright@${PLAYWRIGHT_VERSION} install webkit`,
    },
  },
  TEST_FAILED: {
    means:
      '`run_test` ran the tests and some failed. `details.failures` has the first five with the page, console, requests and server lines of each; `details.alsoFailed` names the others. Screenshots and traces exist until the next run.',
    then: 'Fix the cause, and run the failed test again.',
    example: {
      code: 'TEST_FAILED',
      passed: 16,
      failed: 1,
      flaky: 0,
      skipped: 0,
      notRun: 0,
      duration: 8400,
      failures: [
        {
          test: 'tests/cart.spec.ts:7 cart › adds an item [chromium]',
          at: 'tests/cart.spec.ts:11',
          error:
            "Error: locator.click: Test timeout of 30000ms exceeded.\nCall log:\n  - waiting for getByRole('button', { name: 'Add' })",
          codeFrame:
            "10    await page.goto('/')\n11>   await page.getByRole('button', { name: 'Add' }).click()\n12  })",
          page: {
            url: 'http://localhost:3000/',
            title: 'Shop',
            snapshot: '- heading "Items" [level=1]\n- paragraph: loading',
          },
          console: ['uncaught Error: cannot load items (/src/items.ts:4)'],
          requests: ['GET http://localhost:3000/api/items 500 {"error":"database is down"}'],
          server: ['Error: database is down'],
          screenshot: '/tmp/footlight-412-Ab3dEf/run-x1Y2z3/failure-1.jpeg',
          trace: '/tmp/footlight-412-Ab3dEf/run-x1Y2z3/results/cart/trace.zip',
        },
      ],
    },
  },
  TEST_RUN_FAILED: {
    means:
      'The tests could not be run, or not to their end. `details.reason` is playwright_missing, runtime_missing, configuration, loading (a test file), no_tests, web_server, variables (one that a test needs is not set), error (outside of tests) or timeout.',
    then: 'The message has the next step.',
    example: {
      code: 'TEST_RUN_FAILED',
      reason: 'web_server',
      text: 'The web server of the configuration failed to start: Error: Process from config.webServer was not able to start. Exit code: 1',
      errors: ['Error: Process from config.webServer was not able to start. Exit code: 1'],
      server: ['Error: Cannot find module "vite"'],
    },
  },
  SERVER_START_FAILED: {
    means:
      'The dev server failed to start. `details.reason` is command_not_found, permission_denied, non_zero_exit, invalid_json, timeout or exited.',
    then: 'Read its last output in `details.stderr`. `details.npxCommand` is the command that runs a program of `node_modules`, `details.missingPackages` what installs its packages, `details.holder` who has its port, and `details.question` what it asks on its terminal.',
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
    means: 'The session is closed, but the command that stops its server failed.',
    then: 'Check whether the server still runs.',
    example: { code: 'SERVER_SHUTDOWN_FAILED', command: './serve', reason: 'exit code 3', stderr: [] },
  },
  LOG_READ_FAILED: {
    means: 'A log of the dev server could not be read, or its path is not allowed.',
    then: 'Check whether the file exists.',
    example: { code: 'LOG_READ_FAILED', path: '/var/log/shop/stderr.log', reason: 'no such file' },
  },
  ACCESS_DENIED: {
    means: 'A rule denies this URL, host or path.',
    then: 'Use one of `details.allowed`, or ask the user to allow it (`--allowed-hosts`, `allowedDomains`).',
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
    means: 'Too many calls or new sessions per minute.',
    then: 'Wait for `details.retryAfterMs`.',
    example: { code: 'RATE_LIMITED', limit: '100 calls per minute', retryAfterMs: 600 },
  },
  COMMAND_NOT_ALLOWED: {
    means: 'The program is not in `--server-command`. Over HTTP only programs listed there may be started.',
    then: 'Use one of `details.allowed`.',
    example: { code: 'COMMAND_NOT_ALLOWED', command: '/usr/bin/python3', allowed: ['/usr/bin/node'] },
  },
  GIT_FAILED: {
    means: 'Git is missing, has failed, or gave no whole answer, so nothing is said about the change.',
    then: 'Repair what its words name, such as a commit that a clone lacks.',
    example: { code: 'GIT_FAILED', question: 'diff-index', words: 'fatal: bad object 7d4e0c1', status: 128 },
  },
  RESOURCE_EXHAUSTED: {
    means: 'No disk space for a file, or not enough memory for another session.',
    then: 'Free disk space, close sessions, or start Footlight with another `--output-dir`.',
    example: { code: 'RESOURCE_EXHAUSTED', resource: 'disk', text: 'no space left on device' },
  },
  CANCELLED: {
    means: 'The client cancelled the call. The session is still open.',
    then: 'Call again if it is still needed.',
    example: { code: 'CANCELLED' },
  },
  INTERNAL: {
    means: 'A bug in Footlight.',
    then: 'Find the id in the log on stderr, and report both.',
    example: { code: 'INTERNAL', id: '7c1e90ab' },
  },
}
