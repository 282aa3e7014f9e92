import type { Deadline } from '../../runtime/ports/deadline.ts'
import type { OpenSession } from '../../runtime/ports/open-session.ts'
import type { Page } from '../../runtime/ports/page/page.ts'

/** The page and the session of a replay; `tabs` has its tab of each tab of the recording. */
export interface Replay {
  readonly page: Page
  readonly session: Pick<OpenSession, 'mocks'>
  readonly deadline: Deadline
  readonly tabs: ReadonlyMap<string, string>
}
