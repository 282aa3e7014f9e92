import type { Deadline } from '../deadline.ts'
import type { HarLog } from '../../../core/har/har-entry.ts'
import type { Outcome } from '../../../core/failure.ts'
import type { SocketPush } from '../../../core/mock/socket.ts'

/** The methods of a page for the mocks of its session, which apply to all of its tabs. */
export interface PageMocks {
  /** Applies the mocks that the session has now. Returns notes on side effects. */
  applyMocks(deadline: Deadline): Promise<Outcome<readonly string[]>>
  /** Returns the number of WebSockets that it was sent to. Waits a few seconds for one; then fails with INVALID_PARAMETERS. */
  pushToSockets(push: SocketPush, deadline: Deadline): Promise<Outcome<number>>
  /** Sets the date and time that pages see, in Unix milliseconds; undefined lets the clock run again. */
  setFixedTime(time: number | undefined): Promise<Outcome<void>>
  /** Seeds the random numbers of documents that are opened from now on; undefined ends that. */
  seedRandom(seed: number | undefined): Promise<Outcome<void>>
  /** Starts recording requests. Fails with INVALID_PARAMETERS if a recording is running. Returns notes on side effects. */
  startHar(): Promise<Outcome<readonly string[]>>
  /** Ends the recording and returns it, with its secrets. Fails with INVALID_PARAMETERS if none is running. */
  stopHar(): Promise<Outcome<HarLog>>
}
