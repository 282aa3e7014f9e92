// A session that is open, and one from its admission to its release.

import type { Failure, Outcome } from '../../base/failure.ts'
import type { Files, NamedStates } from '../../base/files/files.ts'
import type { RetainFiles } from '../../base/files/retain-files.ts'
import type { Redactor } from '../../base/redaction/redactor.ts'
import type { MoreTokenShapes } from '../../base/redaction/token-shapes.ts'
import type { Clock } from '../../base/system/timer.ts'
import type { Evidence } from '../../tool/evidence.ts'
import type { FeatureParts } from '../../tool/feature.ts'
import type { NetworkLog } from '../journal/network-log.ts'
import type { Session } from '../store/session.ts'
import type { Browsers, OwnedPage } from './browsers.ts'
import type { EgressProxies, EgressProxy } from './egress-proxy.ts'
import type { OpenSession } from './open-session.ts'
import type { Page, PageNews } from './page.ts'
import type { Servers } from './servers.ts'
import type { LastSnapshot } from './snapshot.ts'

export interface SessionPorts extends RedactorPorts {
  readonly browsers: Browsers
  readonly servers: Servers
  readonly files: Files
  /** What becomes of the files of a session when it ends. */
  readonly retainFiles?: RetainFiles | undefined
  readonly proxies: EgressProxies
  readonly memory?: MemoryWatch
  readonly features?: readonly FeatureParts[]
  /** Undefined where no session begins with a state. */
  readonly states?: NamedStates | undefined
  readonly createLastSnapshot: () => LastSnapshot
  /** The number of the next ref in the sessions of an owner. */
  readonly nextRef?: (owner: string) => number
  readonly clock: Clock
  /** Words a failure with its evidence, redacted, as its answer does. */
  readonly describeFailure?: (
    failure: Failure,
    evidence: Omit<Evidence, 'image'> | undefined,
    redactor: Pick<Redactor, 'redactData'>,
  ) => string
}

/** An open session as the runtime uses it. Tools see less of it, and get its page with the host rules. */
export interface OwnedSession extends OpenSession {
  readonly page: OwnedPage
  readonly toolPage: Page
  readonly proxy: EgressProxy | undefined
  readonly network: NetworkLog
  readonly redactor: Redactor
  /** The last journal entry whose effects a result has reported. */
  takenSeq: number
  reportedSeq: number
  reportedUrl: string
  /** The journal entry before the last navigation or successful action: evidence contains later entries only. */
  evidenceSeq: number
  /** Changes of the page before the running action, until they are reported. */
  news?: Promise<PageNews | undefined> | undefined
  /** The calls that have one answer and have read it. */
  newsGroup?: symbol | undefined
}

/** A session from its admission to its release. */
export interface OpeningSession {
  readonly owner: string
  /** Its facts as they are now. */
  readonly record: Session
  readonly redactor: Redactor
  /** Settles when page and server are open, or one has failed. */
  readonly ready: Promise<Outcome<OwnedSession>>
  readonly endSignal: AbortSignal
  /** Releases everything; the text says how the server was stopped, which gets `graceMs` milliseconds to exit, and what was saved. */
  close(graceMs?: number): Promise<Outcome<string>>
}

export interface RedactorPorts {
  /** Redacts what no session may show. */
  readonly redactor: Redactor
  /** The redactor of the log, which belongs to no session: it learns the secrets of every session. */
  readonly logRedactor?: Redactor
  readonly shapes?: TokenShapeLibrary
}

export interface TokenShapeLibrary extends MoreTokenShapes {
  /** Loads the rules, which takes a few milliseconds; `find` returns nothing before. */
  load(): Promise<void>
}

export interface MemoryWatch {
  /** The memory in bytes at the last measurement; starts a new one if it is older than a few seconds. */
  lastBytes(): number
  /** Measures the memory in bytes. */
  measure(): Promise<number>
}
