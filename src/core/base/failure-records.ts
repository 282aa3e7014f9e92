// The records of the union in core/base/failure.ts that have more than a few fields, or that others name.

/** `field` is the path of the invalid parameter. */
export interface InvalidParameter {
  code: 'INVALID_PARAMETERS'
  field: string
  expected: string
  received: string
  hint?: string
  /** The selector, if it matches several elements. */
  ambiguous?: string
}

/** A call that names no session while several are open: `sessions` are the oldest of them, `openCount` is the number of all. */
export interface SeveralSessions extends InvalidParameter {
  sessions: readonly { readonly name: string; readonly status: string; readonly url?: string }[]
  openCount: number
}

/** `sessionId` is the unknown id or name; undefined if the call names no session and none is open. */
export interface SessionNotFound {
  code: 'SESSION_NOT_FOUND'
  sessionId?: string
}

export interface SessionCreation {
  /** Arguments of create_session. */
  readonly input: Readonly<Record<string, unknown>>
  /** The names of arguments that are not repeated, because they may be long or secret. */
  readonly omitted: readonly string[]
  /** The name under which its state is saved when it ends. */
  readonly keptAs?: string
}

/** `server`: a dev server was stopped with the session. `creation`: what the session was. */
export interface SessionExpired {
  code: 'SESSION_EXPIRED'
  sessionId: string
  name: string
  reason: 'idle' | 'lifetime'
  after: number
  server?: true
  creation?: SessionCreation
}

/** `host` and `port` are set if a host was denied; `promptable`: the user may be asked for permission. */
export interface AccessDenied {
  code: 'ACCESS_DENIED'
  subject: string
  rule: string
  allowed: string
  host?: string
  port?: number
  promptable?: boolean
}

/** `server` is the dev server of the session, if its machine refused the connection; `isOffline`: `emulate` has cut the network off;
 * `isElsewhere`: it is the `localhost` of the machine that the browser runs on. */
export interface NavigationFailed {
  code: 'NAVIGATION_FAILED'
  url: string
  reason: string
  redirects?: readonly string[]
  waited?: number
  /** The addresses that it still waited for. */
  awaiting?: readonly string[]
  server?: { readonly url: string; readonly hasEnded: boolean }
  isOffline?: true
  isElsewhere?: true
}

/** `waited` is in milliseconds; `quietMs` is set if the wait was ended early, because the page had been quiet for so long. */
interface Waited {
  waited: number
  quietMs?: number
  overlay?: ErrorOverlay
}

export interface ElementNotFound extends Waited {
  code: 'ELEMENT_NOT_FOUND'
  target: string
  stale?: boolean
  was?: string
  /** The page has drawn another item into the element: what was read there, and what is there now. */
  changed?: { readonly from: string; readonly to: string }
}

export interface ElementNotClickable extends Waited {
  code: 'ELEMENT_NOT_CLICKABLE'
  target: string
  reason: Obstacle
  by?: string
}

/** `emptied`: the page removed the text that was entered. `unfocused`: another field took the focus, and the keys. */
export interface ElementNotEditable extends Waited {
  code: 'ELEMENT_NOT_EDITABLE'
  target: string
  reason: Obstacle | 'emptied' | 'unfocused'
  /** It was editable until the action used it. */
  became?: boolean
  by?: string
}

export interface TimedOut extends Waited {
  code: 'TIMEOUT'
  waitedFor: string
  begun?: false
  /** The page did not respond, and no script is known to be the reason. */
  responding?: false
  observed?: readonly string[]
  /** The page was to show the latest sources. What it needs: waiting longer would not help, unless it is time. */
  needs?: 'restart' | 'reload' | 'time'
}

/** `stdout` and `stderr` are the last lines; `ports` are those on which the server listens without a usable response. */
export interface ServerStartFailed {
  code: 'SERVER_START_FAILED'
  reason: StartFailureReason
  command: string
  text: string
  exitCode?: number
  signal?: string
  waited?: number
  ports?: readonly number[]
  stdout?: readonly string[]
  stderr?: readonly string[]
  logs?: LogPaths
  /** What would run the program of the command that is installed in node_modules only. */
  npxCommand?: string
  /** The folder without node_modules, and the command that installs its packages. */
  missingPackages?: { readonly folder: string; readonly command: string; readonly name?: string }
  /** Who has the port that it wanted: a session of the caller, or another process. */
  holder?: { readonly port: number; readonly session?: string; readonly pid?: number; readonly text: string }
  /** What it asks on its terminal. */
  question?: string
}

/** Why an existing element cannot be used: `no_text`: it accepts no text, `outside`: it cannot be scrolled into view, `clipped`: an element
 * around it does not show it, `passive`: the mouse passes through it. */
export type Obstacle =
  | 'hidden'
  | 'disabled'
  | 'inert'
  | 'covered'
  | 'clipped'
  | 'passive'
  | 'moving'
  | 'read_only'
  | 'no_text'
  | 'outside'
  | 'detached'

/** The error overlay that a dev server or a framework shows over the page. */
export interface ErrorOverlay {
  readonly name: string
  readonly message: string
  readonly file?: string
  /** The page is one of the session's own dev server. */
  readonly isOfDevServer?: true
}

/** Absolute paths of the log files of a server. */
export interface LogPaths {
  readonly stdout: string
  readonly stderr: string
  readonly combined: string
}

export type StartFailureReason =
  'command_not_found' | 'permission_denied' | 'non_zero_exit' | 'invalid_json' | 'timeout' | 'exited'
