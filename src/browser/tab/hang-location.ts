// Where a script blocks a page. Chromium tells it for a page whose debugger was enabled before, and an enabled debugger costs every page: time
// for each script that is loaded, and for promises. So it is enabled once a page has been blocked: the next time the place is known.

import type { CdpSession } from '../playwright/cdp-session.ts'
import { createDeferred, type Deferred } from '../../runtime/calls/deferred.ts'
import { createBoundedMap } from '../../core/limits/bounded-map.ts'
import { settleWithin } from '../../runtime/calls/settle-within.ts'

export interface HangLocation {
  /** Enables the debugger. */
  arm(cdp: CdpSession): void
  /** Stops a script that blocks the page, and returns its stack, one frame a line, which is empty for a script without a URL. The script stays
   * stopped. Undefined if it is not stopped. */
  readStack(cdp: CdpSession): Promise<string | undefined>
}

interface PausedEvent {
  readonly callFrames: readonly {
    readonly functionName: string
    readonly location: {
      readonly scriptId: string
      readonly lineNumber: number
      readonly columnNumber?: number
    }
  }[]
}

const PAUSE_TIMEOUT_MS = 500
const FRAME_LIMIT = 8
const URL_LIMIT_CHARS = 500
const SCRIPT_LIMIT = 5000

export function createHangLocation(): HangLocation {
  let isArmed = false
  const urls = createBoundedMap<string, string>(SCRIPT_LIMIT)
  let reading: Deferred<PausedEvent> | undefined
  return {
    arm(cdp) {
      if (isArmed) return
      isArmed = true
      // What stops without a question goes on at once, such as a question that was given up.
      cdp.on('Debugger.paused', (event: PausedEvent) => {
        if (reading) reading.resolve(event)
        else cdp.send('Debugger.resume').catch(() => {})
      })
      cdp.on('Debugger.scriptParsed', ({ scriptId, url }: { scriptId: string; url: string }) => {
        if (url !== '' && url.length <= URL_LIMIT_CHARS) urls.set(scriptId, url)
      })
      // A `debugger` statement of the page must not stop it.
      cdp.send('Debugger.enable').catch(() => {})
      cdp.send('Debugger.setBreakpointsActive', { active: false }).catch(() => {})
    },
    async readStack(cdp) {
      if (!isArmed) return undefined
      reading = createDeferred<PausedEvent>()
      cdp.send('Debugger.pause').catch(() => {})
      const event = await settleWithin(PAUSE_TIMEOUT_MS, reading.promise)
      reading = undefined
      return event && !(event instanceof Error) ? formatStack(event, urls) : undefined
    },
  }
}

// --- internal ---

// In the form of a stack of V8.
const formatStack = ({ callFrames }: PausedEvent, urls: Pick<Map<string, string>, 'get'>): string =>
  callFrames
    .flatMap(({ functionName, location: { scriptId, lineNumber, columnNumber = 0 } }) => {
      const url = urls.get(scriptId)
      const place = `${url}:${lineNumber + 1}:${columnNumber + 1}`
      return url === undefined ? [] : [functionName ? `    at ${functionName} (${place})` : `    at ${place}`]
    })
    .slice(0, FRAME_LIMIT)
    .join('\n')
