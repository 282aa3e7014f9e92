// The downloads that an action starts: they are a part of it. Their end is waited for briefly, and a tab that was opened for one is closed.

import type { BrowserContext, Page } from 'playwright'
import { createDeferred, settleWithin } from '../../base/system/settle-within.ts'

export interface DownloadActivity {
  /** Downloads from here on belong to the action that begins now. */
  mark(): void
  /** Adds a download; the returned function ends it. Its name must be redacted. */
  begin(nameOf: () => string): () => void
  /** Waits until there is a download since the mark. */
  waitForStart(): Promise<void>
  /** Waits for the downloads since the mark, and returns the names of what still runs. */
  settle(): Promise<readonly string[]>
}

const START_TIMEOUT_MS = 300
const END_TIMEOUT_MS = 500

interface RunningDownload {
  readonly nameOf: () => string
  readonly end: Promise<void>
  isRunning: boolean
  isReported: boolean
}

export function createDownloadActivity(context: BrowserContext): DownloadActivity {
  let own: RunningDownload[] = []
  let start = createDeferred()
  let known: ReadonlySet<Page> = new Set(context.pages())
  return {
    mark() {
      own = []
      known = new Set(context.pages())
      start = createDeferred()
    },
    begin(nameOf) {
      const { promise, resolve } = createDeferred()
      const entry = { nameOf, end: promise, isRunning: true, isReported: false }
      own.push(entry)
      start.resolve()
      return () => {
        entry.isRunning = false
        resolve()
      }
    },
    waitForStart: async () => void (await settleWithin(START_TIMEOUT_MS, start.promise)),
    async settle() {
      const mine = own
      if (mine.length === 0) return []
      const ends = [...mine.map(({ end }) => end), closeOwnTabs(known, context)]
      await settleWithin(END_TIMEOUT_MS, Promise.all(ends))
      const running = mine.filter(({ isRunning, isReported }) => isRunning && !isReported)
      for (const entry of running) entry.isReported = true
      return running.map(({ nameOf }) => nameOf())
    },
  }
}

// --- internal ---

// A tab that was opened since and has no document, because it turned out to be a download: browsers with windows close it.
async function closeOwnTabs(known: ReadonlySet<Page>, context: BrowserContext): Promise<void> {
  const tabs = context.pages().filter((page) => !known.has(page) && /^:?$|^about:blank$/.test(page.url()))
  await settleWithin(END_TIMEOUT_MS, Promise.all(tabs.map((page) => page.close())))
}
