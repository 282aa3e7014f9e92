import type { Dialog } from '../../base/action.ts'
import type { SessionCreation } from '../../base/failure-records.ts'
import type { Outcome } from '../../base/failure.ts'
import type { Folder, NamedState } from '../../base/files/files.ts'
import type { HostRule } from '../../base/network/host-rule.ts'
import type { Redactor } from '../../base/redaction/redactor.ts'
import type { Deadline } from '../../base/system/deadline.ts'
import type { Journal, JournalEntry, LogPositions } from '../journal/journal.ts'
import type { NetworkLog } from '../journal/network-log.ts'
import type { Session } from '../store/session.ts'
import type { PageOptions } from './browsers.ts'
import type { FreshPage } from './freshness.ts'
import type { Comments } from './person.ts'
import type { OwnedServer, ServerRequest } from './servers.ts'
import type { LastSnapshot } from './snapshot.ts'

/** One open session as tools see it, without its page. Features add what they keep for it. */
export interface OpenSession {
  /** Its facts as they are now. */
  readonly record: Session
  /** What it was created with, after the defaults. */
  readonly request: SessionRequest
  readonly journal: Journal
  readonly network: Pick<NetworkLog, 'read' | 'frames' | 'sincePageLoad'>
  readonly logPositions: LogPositions
  readonly lastSnapshot: LastSnapshot
  readonly folder: Folder
  /** The state that was loaded. */
  readonly namedState: NamedState | undefined
  readonly server: OwnedServer | undefined
  /** The last known URL of the page. */
  readonly url: string
  /** Waits until the page shows the source files as they are now, or nothing tells whether it does, which it says; TIMEOUT at the deadline, or
   * at once if the server must be restarted. */
  waitUntilFresh?(deadline: Deadline): Promise<Outcome<FreshPage>>
  /** The next comments of a person. Fails with TIMEOUT at the deadline, with SESSION_BUSY if a person takes the session. */
  waitForComments?(deadline: Deadline): Promise<Outcome<Comments>>
  /** Tells the person what the agent says to comments. Fails with INVALID_PARAMETERS, field answers, where one is not known. */
  answerComments?(answers: readonly string[]): Outcome<void>
  /** The title of the page; empty if the page does not respond within 500 ms. */
  title(): Promise<string>
  /** Redacts a text. Texts must be redacted before they are shortened. */
  redact(text: string): string
  readonly redactor: Pick<
    Redactor,
    'redactText' | 'redactData' | 'redactBase64' | 'findValues' | 'containsDeclared' | 'hasValues'
  >
  /** Whether the page has reported its secret fields, so that its output may be shown. */
  isReported(): Promise<boolean>
  /** The last number of the output that came before that report: later output may not be shown. */
  readonly reportedSeq: number
  /** The id of the extension that its browser has loaded. */
  readonly extensionId?: string
  dialog(): Dialog | undefined
  /** The page events since the last call of this function: tabs, dialogs, downloads. Those up to `startSeq` are none of the action's. */
  takePageEvents(startSeq?: number): readonly string[]
  /** The URL of the page in the last result that had one. */
  readonly reportedUrl: string
  /** Notes the URL that the result of this call reports; returns the one that a result reported before. */
  reportUrl(url: string): string
  /** What features say of all that it did, a line each. */
  summaries(): Promise<readonly SessionSummary[]>
  /** The entries with positions in source files in place of those in scripts, as far as they are known within `timeoutMs`. */
  locateEntries(entries: readonly JournalEntry[], timeoutMs?: number): Promise<readonly JournalEntry[]>
  /** The console messages, requests and server lines since the last call of this function or the last evidence. */
  takeNewEntries(): Promise<readonly JournalEntry[]>
}

/** What a client wants a session to be. */
export interface SessionRequest extends PageOptions {
  /** The input of create_session, for the failure of a call after the end of the session. */
  readonly creation?: Omit<SessionCreation, 'keptAs'>
  readonly name?: string
  readonly actionTimeout?: number
  readonly sessionTimeout?: number
  /** Whether it has no timeout and no maximum lifetime. */
  readonly isEndless?: boolean
  readonly server?: ServerRequest
  /** The server of another session, which goes on when this one closes. */
  readonly sharedServer?: SharedServer
  /** The name of a state that is loaded now and saved at close. */
  readonly restore?: string
  /** The name of a profile that its browser uses. */
  readonly profile?: string
  /** The hosts that its pages may access, within the rules of the process. */
  readonly allowedHosts?: readonly HostRule[]
}

export interface SessionSummary {
  /** What it is about, in a word. */
  readonly name: string
  readonly text: string
}

/** A dev server, and the journal that has its output. */
export interface SharedServer {
  readonly server: OwnedServer
  readonly journal: Journal
}
