import type { Folder } from './files.ts'
import type { Dialog } from './page.ts'
import type { OwnedServer } from './servers.ts'
import type { JournalEntry, Journal } from '../../core/session/journal.ts'
import type { NetworkLog } from '../../core/session/network-log.ts'
import type { Session } from '../../core/session/session.ts'
import type { LastSnapshot } from '../../core/snapshot/last-snapshot.ts'

/** What belongs to one open session, beside its page. */
export interface OpenSession {
  readonly record: Session
  readonly journal: Journal
  readonly network: Pick<NetworkLog, 'read' | 'frames'>
  readonly lastSnapshot: LastSnapshot
  readonly folder: Folder
  readonly server: OwnedServer | undefined
  /** The page's address, without asking the page. */
  readonly url: string
  /** Its title, or nothing when the page does not answer soon. */
  title(): Promise<string>
  /** Shows of a text what may be shown; texts are cut only after that. */
  redact(text: string): string
  /** Whether the page has reported its secrets, so that what it made others say may be shown. */
  isReported(): Promise<boolean>
  /** What its page waits for, if a dialog is open. */
  dialog(): Dialog | undefined
  /** What the page did by itself since this was last asked: tabs, dialogs, downloads. */
  pageEvents(): readonly string[]
  /** What was printed, requested and done since an answer of an action last told of it. */
  incidents(): Promise<readonly JournalEntry[]>
}
