// The acceptance criteria of the session server, each with the tests that show it, at the lowest level that can.

import type { NamedTest } from './named-tests.ts'
import * as by from './named-tests.ts'

type Criterion = readonly [criterion: string, ...tests: readonly [NamedTest, ...NamedTest[]]]

const NO_SESSION: Criterion = [
  'an unknown or expired session is SESSION_NOT_FOUND or SESSION_EXPIRED, with a description',
  by.IDLE_SESSION,
  by.CLOSED_SESSION,
  by.UNKNOWN_IDS,
  by.EXPIRED_SESSION,
]

/** The number of a criterion is its position. */
export const requirements: readonly { readonly title: string; readonly criteria: readonly Criterion[] }[] = [
  {
    title: 'Create a session',
    criteria: [
      ['`create_session` returns a unique session id', by.PARALLEL_CREATES, by.CALLS_WITHOUT_ID],
      ['a new session has its own browser context and page', by.CALLS_WITHOUT_ID, by.ISOLATION],
      ['its expiry is now plus the configured session timeout', by.SESSION_LIFE, by.CALLS_WITHOUT_ID],
      ['at its expiry it is closed automatically', by.IDLE_SESSION, by.PAGE_END],
      [
        'at the maximum number of sessions: MAX_SESSIONS_REACHED, with a description',
        by.PARALLEL_CREATES,
        by.NEXT_TOOL,
        by.LIMIT_OF_TEN,
      ],
    ],
  },
  {
    title: 'Close a session',
    criteria: [
      ['`close_session` closes the page and the browser context', by.PAGE_END],
      ['it cancels the expiry timer', by.CLOSED_ID],
      [
        'it removes the session id',
        by.CLOSED_ID,
        by.inManager('1,000 create and close cycles leave nothing in the session manager'),
      ],
      ['an unknown id is SESSION_NOT_FOUND, with a description', by.CLOSED_ID, by.NEXT_TOOL, by.UNKNOWN_IDS],
      [
        'an expired session is closed and all its resources are released',
        by.inManager('closing a session that is being released because it expired says that it expired'),
        by.PAGE_END,
      ],
    ],
  },
  {
    title: 'Navigate',
    criteria: [
      ['`navigate` uses the page of the session', by.CALLS_WITHOUT_ID],
      ['it returns title, final URL and status', by.LOADED_PAGE],
      NO_SESSION,
      [
        'a timeout or error is NAVIGATION_FAILED, with the reason',
        by.NAVIGATION_TIMEOUT,
        by.inAnswers('a server that does not run costs at most 67 tokens, with the code and the next step'),
      ],
      ['it waits until the page has loaded', by.LOADED_PAGE],
    ],
  },
  {
    title: 'Click',
    criteria: [
      ['`click` finds and clicks the element', by.inActions('%s %p does what it says')],
      [
        'it returns success and a message',
        by.inAnswers('structured content is smaller than before and says nothing twice'),
      ],
      [
        'a missing or not clickable element is ELEMENT_NOT_FOUND or ELEMENT_NOT_CLICKABLE, with a description',
        by.ACTION_FAILURES,
        by.inFile('e2e/fast-click.test.ts', 'covered for good'),
        by.FAILURE_FACTS,
      ],
      NO_SESSION,
      [
        'the options `timeout` and `force` are applied',
        by.inFile('e2e/quiet-pages.test.ts', 'a named timeout is kept, in the call and in the session'),
        by.inActions(
          'a covered element is never called clicked, and the cover is named; with force the cover is clicked',
        ),
      ],
    ],
  },
  {
    title: 'Type',
    criteria: [
      [
        '`type` finds the field and types the text',
        by.inActions('goes on after what is there, or clears it first'),
      ],
      [
        'it returns success and a message',
        by.inAnswers('17 calls cost at most 450 tokens of answers and 500 bytes of arguments'),
      ],
      [
        'a missing or not editable element is ELEMENT_NOT_FOUND or ELEMENT_NOT_EDITABLE, with a description',
        by.ACTION_FAILURES,
        by.FAILURE_FACTS,
      ],
      NO_SESSION,
      ['the option `delay` is applied between keys', by.inActions('a delay lies between the keys')],
    ],
  },
  {
    title: 'Configuration',
    criteria: [
      ['the default browser is Chromium', by.DEFAULTS, by.BROWSER_START],
      [
        '`browser` selects Chromium, Firefox or WebKit',
        by.AS_FLAG,
        by.inActions('storageState brings cookies along; isolation "browser" a process of its own'),
        by.inFile(
          'core/browser/process/install-command.test.ts',
          'WebKit, which no system has, is the build of the Playwright that is used here',
        ),
      ],
      ['browsers run with windows by default', by.DEFAULTS, by.WINDOW],
      [
        '`headless` runs them without windows',
        by.inSettings('switches: bare, negated, with a value after = or behind'),
        by.WINDOW,
      ],
      ['the default session timeout is five minutes', by.DEFAULTS, by.CALLS_WITHOUT_ID],
      ['`sessionTimeout` sets it, in milliseconds', by.AS_FLAG, by.SESSION_LIFE, by.EXPIRED_SESSION],
      ['the default maximum number of sessions is 10', by.DEFAULTS, by.LIMIT_OF_TEN],
      ['`maxSessions` sets it', by.AS_FLAG, by.PARALLEL_CREATES, by.ISOLATION],
    ],
  },
  {
    title: 'One shared browser',
    criteria: [
      ['a single browser is started with the server', by.BROWSER_START],
      [
        'every session uses it, with a browser context of its own',
        by.inNames('of sessions opened at the same time differ; one browser serves them'),
        by.ISOLATION,
      ],
      ['it keeps running when all sessions are closed', by.PAGE_END],
      [
        'it is closed with the server, as are all sessions',
        by.inLifecycle('row 41: stdin at its end: exit 0, nothing left'),
      ],
      ['sessions are isolated: cookies, localStorage, sessionStorage', by.ISOLATION],
    ],
  },
  {
    title: 'Errors',
    criteria: [
      [
        'a failure has an `errorCode`',
        by.inFailures('%p: the record is structured content, its code and message are the text'),
        by.SAME_CALLS,
      ],
      ['it has a `message` for humans', by.FAILURE_FACTS],
      ['it has the `sessionId` that it concerns', by.FAILURE_FACTS, by.SAME_CALLS],
      [
        'it has `details` with the facts',
        by.inFailures('a wait that ended before its timeout says why and how to wait anyway'),
        by.NAVIGATION_TIMEOUT,
      ],
      [
        'the failure of an unknown or expired session says that a new session is needed',
        by.NEXT_TOOL,
        by.UNKNOWN_IDS,
      ],
    ],
  },
  {
    title: 'A standard MCP server',
    criteria: [
      ['the npm package runs with `npx`', by.inFile('release/npm.test.ts', 'is the executable')],
      [
        'options are accepted as an `args` array of a client configuration',
        by.inFile(
          'features/setup/setup.test.ts',
          'the executable is named by its path, anything else by npx',
        ),
        by.ISOLATION,
      ],
      [
        'it communicates over stdio',
        by.inFile('faults/process.test.ts', 'row 47: nothing but messages is on stdout, whatever happens'),
        by.SAME_CALLS,
      ],
      [
        'it parses and answers messages according to MCP',
        by.inFile('faults/protocol.test.ts', 'row 50: an unknown tool and an unknown method'),
        by.inFile('release/conformance.test.ts', '%s, by the verdict of the suite'),
      ],
      [
        'all tools are listed with their descriptions',
        by.inFailures('%s: a failure passes the output schema, an empty success does not'),
        by.inReadiness('the executable and the sources answer tools/list alike'),
      ],
    ],
  },
]
