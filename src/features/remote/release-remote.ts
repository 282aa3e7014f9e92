import { startTimer } from '../../core/base/system/timer.ts'
import { releaseGridSessions } from './grid.ts'
import { sendCall } from './http-call.ts'
import type { HttpCall, RemoteRelease } from './remote-release.ts'

/** Releases the browsers on other machines of a Footlight process that was killed. */
export const releaseRemote = (release: RemoteRelease): Promise<unknown> =>
  'address' in release ? releaseGridSessions(release) : releaseBrowser(release)

const RELEASE_TIMEOUT_MS = 10_000
const ATTEMPTS = 5
const FIRST_PAUSE_MS = 500

/** Sends the call that releases a browser, again where the service does not answer. Returns why that failed. */
export async function releaseBrowser(call: HttpCall): Promise<string | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    const error = await sendCall(call, RELEASE_TIMEOUT_MS).then(
      () => undefined,
      (thrown: Error & { status?: number }) => thrown,
    )
    const status = error?.status ?? 0
    if (!error || status === 404 || status === 410) return undefined
    const isFinal = attempt === ATTEMPTS || (status >= 400 && status < 500 && status !== 429)
    if (isFinal) return error.message
    await new Promise<void>((resolve) => void startTimer(FIRST_PAUSE_MS * 2 ** (attempt - 1), resolve))
  }
}
