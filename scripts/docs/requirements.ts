// docs/requirements.md: the acceptance criteria that test/e2e/requirements.test.ts verifies.

import { linksTo } from './faults.ts'
import { cell, table } from './markdown.ts'
import { requirementTests } from './numbered-tests.ts'

const NO_SESSION_CRITERION =
  'an unknown or expired session is SESSION_NOT_FOUND or SESSION_EXPIRED, with a description'

/** By requirement; the number of a criterion is its position. */
const requirements: readonly { readonly title: string; readonly criteria: readonly string[] }[] = [
  {
    title: 'Create a session',
    criteria: [
      '`create_session` returns a unique session id',
      'a new session has its own browser context and page',
      'its expiry is now plus the configured session timeout',
      'at its expiry it is closed automatically',
      'at the maximum number of sessions: MAX_SESSIONS_REACHED, with a description',
    ],
  },
  {
    title: 'Close a session',
    criteria: [
      '`close_session` closes the page and the browser context',
      'it cancels the expiry timer',
      'it removes the session id',
      'an unknown id is SESSION_NOT_FOUND, with a description',
      'an expired session is closed and all its resources are released',
    ],
  },
  {
    title: 'Navigate',
    criteria: [
      '`navigate` uses the page of the session',
      'it returns title, final URL and status',
      NO_SESSION_CRITERION,
      'a timeout or error is NAVIGATION_FAILED, with the reason',
      'it waits until the page has loaded',
    ],
  },
  {
    title: 'Click',
    criteria: [
      '`click` finds and clicks the element',
      'it returns success and a message',
      'a missing or not clickable element is ELEMENT_NOT_FOUND or ELEMENT_NOT_CLICKABLE, with a description',
      NO_SESSION_CRITERION,
      'the options `timeout` and `force` are applied',
    ],
  },
  {
    title: 'Type',
    criteria: [
      '`type` finds the field and types the text',
      'it returns success and a message',
      'a missing or not editable element is ELEMENT_NOT_FOUND or ELEMENT_NOT_EDITABLE, with a description',
      NO_SESSION_CRITERION,
      'the option `delay` is applied between keys',
    ],
  },
  {
    title: 'Configuration',
    criteria: [
      'the default browser is Chromium',
      '`browser` selects Chromium, Firefox or WebKit',
      'browsers run with windows by default',
      '`headless` runs them without windows',
      'the default session timeout is five minutes',
      '`sessionTimeout` sets it, in milliseconds',
      'the default maximum number of sessions is 10',
      '`maxSessions` sets it',
    ],
  },
  {
    title: 'One shared browser',
    criteria: [
      'a single browser is started with the server',
      'every session uses it, with a browser context of its own',
      'it keeps running when all sessions are closed',
      'it is closed with the server, as are all sessions',
      'sessions are isolated: cookies, localStorage, sessionStorage',
    ],
  },
  {
    title: 'Errors',
    criteria: [
      'a failure has an `errorCode`',
      'it has a `message` for humans',
      'it has the `sessionId` that it concerns',
      'it has `details` with the facts',
      'the failure of an unknown or expired session says that a new session is needed',
    ],
  },
  {
    title: 'A standard MCP server',
    criteria: [
      'the npm package runs with `npx`',
      'options are accepted as an `args` array of a client configuration',
      'it communicates over stdio',
      'it parses and answers messages according to MCP',
      'all tools are listed with their descriptions',
    ],
  },
]

/** Every number, such as `1.1`. */
export const requirementNumbers = (): string[] =>
  requirements.flatMap(({ criteria }, index) =>
    criteria.map((_, criterionIndex) => `${index + 1}.${criterionIndex + 1}`),
  )

export function requirementsPage(): string {
  const tests = requirementTests()
  const sections = requirements.map(({ title, criteria }, index) => {
    const rows = criteria.map((criterion, criterionIndex) => {
      const number = `${index + 1}.${criterionIndex + 1}`
      return [number, cell(criterion), linksTo(tests, number)]
    })
    return `## ${index + 1}. ${title}\n\n${table(['number', 'criterion', 'tests'], rows)}`
  })
  return [
    '# Requirements',
    'The acceptance criteria of the session server. Each is verified through the built executable, as a client sees it; test titles begin with the number.',
    ...sections,
  ].join('\n\n')
}
