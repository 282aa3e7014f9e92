// Tests that the criteria of docs/project/requirements.md name. test/peers.test.ts checks that each title is in its file.

export interface NamedTest {
  /** A path below `test/`. */
  readonly file: string
  readonly title: string
}

export const inFile = (file: string, title: string): NamedTest => ({ file, title })
const from = (file: string) => (title: string) => inFile(file, title)
export const inManager = from('core/sessions/session-manager.test.ts')
const inCore = from('core/sessions/transition.test.ts')
export const inNames = from('e2e/session-names.test.ts')
export const inLifecycle = from('e2e/lifecycle.test.ts')
export const inActions = from('e2e/actions.test.ts')
const inNavigation = from('e2e/false-success.test.ts')
export const inFailures = from('core/mcp/failure-text.test.ts')
export const inSettings = from('core/cli/settings.test.ts')
const inFaults = from('faults/session.test.ts')
const inRuntimes = from('release/runtimes.test.ts')
export const inAnswers = from('e2e/answer-tokens.test.ts')
const inIsolation = from('deep/isolation.test.ts')
export const inReadiness = from('e2e/readiness.test.ts')
const inWindows = from('e2e/windows.test.ts')

export const PARALLEL_CREATES = inManager(
  '100 parallel creates with a limit of 10 give exactly 10, each with an id of its own',
)
export const CALLS_WITHOUT_ID = inNames(
  'none: create one; one: it is meant; several: they are listed; closed again: none',
)
export const ISOLATION = inIsolation('no cookie, storage, log line, file or reply crosses')
export const SESSION_LIFE = inManager('a session lives as long as the options say, or as it asks for')
export const IDLE_SESSION = inCore('an idle session is released at its time and remembered as expired')
export const PAGE_END = inLifecycle(
  'a page ends with its session, closed or expired, and the browser stays for the next one',
)
export const NEXT_TOOL = inFailures('%p: the message names the tool to call next')
export const LIMIT_OF_TEN = inFaults('a hundred sessions at once where ten may be')
export const CLOSED_ID = inCore('closing releases once, and the id is not found from then on')
export const UNKNOWN_IDS = inFaults('ids that are closed, unknown or no ids at all')
export const LOADED_PAGE = inNavigation(
  'the answer comes once the page has loaded, with its title, its last address and its status',
)
export const CLOSED_SESSION = inManager(
  'close frees the slot and the page; closing twice at once does it once and both succeed',
)
export const EXPIRED_SESSION = inNames('an expired session is named, and another one is soon made')
export const NAVIGATION_TIMEOUT = inNavigation('a page that never answers leaves the one before it usable')
export const ACTION_FAILURES = inActions('%s is %s')
export const FAILURE_FACTS = inFailures('%p has a sentence without colours, its category and its facts')
export const DEFAULTS = inSettings('the defaults are those of the contract')
export const BROWSER_START = inReadiness('initialize starts no process, tools/list starts the browser')
export const AS_FLAG = inSettings('as a flag, in kebab and camel case, with = and without')
export const WINDOW = inWindows('on a display there is a window, and none with --headless')
export const SAME_CALLS = inRuntimes('answers the same calls')
