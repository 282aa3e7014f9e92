// An extension under test: unpacked, in a Chromium of its own. It is loaded again after each change of its files.

import { watch } from 'node:fs'
import type { Browser } from 'playwright'
import { attempt, messageOf } from '../playwright/errors.ts'
import { invalidParameter, type Outcome } from '../../core/failure.ts'
import { map } from '../../core/result.ts'
import type { PageHooks } from '../../runtime/ports/browsers.ts'
import { settleWithin } from '../../runtime/system/settle-within.ts'

export interface LoadedExtension {
  readonly id: string
  /** Ends the watch of its files. */
  close(): void
}

/** What lets a launched Chromium load an extension by a command of its own pipe. */
export const EXTENSION_LAUNCH = {
  args: ['--enable-unsafe-extension-debugging'],
  ignoreDefaultArgs: ['--disable-extensions'],
}

/** Loads the extension of a folder, and again after each change. INVALID_PARAMETERS has what Chromium says of it. */
export async function loadExtension(
  browser: Browser,
  folder: string,
  onEntry: PageHooks['onEntry'],
): Promise<Outcome<LoadedExtension>> {
  const cdp = await browser.newBrowserCDPSession()
  const load = () =>
    attempt(cdp.send('Extensions.loadUnpacked', { path: folder }), (error) =>
      invalidParameter(
        'extension',
        'the folder of an unpacked extension',
        JSON.stringify(folder),
        messageOf(error).replace(/^.*Protocol error \([\w.]+\): /s, ''),
      ),
    )
  const first = await load()
  const reload = createReload(async () => {
    const outcome = await load()
    onEntry(outcome.ok ? RELOADED : { kind: 'page', level: 'error', text: failureText(outcome.error.hint) })
  })
  return map(first, ({ id }) => ({ id, close: watchFiles(folder, reload) }))
}

// --- internal ---

/** An editor writes several files, or one in parts. */
const QUIET_MS = 150

const RELOADED = {
  kind: 'page',
  level: 'info',
  text: 'The extension was loaded again after a change of its files; its content scripts run in pages that are loaded from now on.',
} as const

const failureText = (reason = ''): string =>
  `The extension cannot be loaded after a change of its files: ${reason}`

/** A function that runs `work` once the calls have stopped for a moment, and never twice at a time. */
function createReload(work: () => Promise<void>): () => void {
  let calls = 0
  let isRunning = false
  const run = async (): Promise<void> => {
    isRunning = true
    for (let handled = -1; handled !== calls;) {
      handled = calls
      await settleWithin(QUIET_MS, new Promise(() => {}))
      if (handled === calls) await work()
    }
    isRunning = false
  }
  return () => {
    calls += 1
    if (!isRunning) void run()
  }
}

function watchFiles(folder: string, onChange: () => void): () => void {
  const watcher = watch(folder, { recursive: true, persistent: false }, onChange)
  watcher.on('error', () => watcher.close())
  return () => watcher.close()
}
