// The progress of downloads, which Playwright's client does not report. Chromium reports the total to the session with which Playwright
// enabled downloads, but the received bytes only twice a second, so the file is watched as well. Both can only be reached where Playwright
// runs in this process; elsewhere there is no progress.

import { statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BrowserContext, Download } from 'playwright'
import { internalsOf } from '../playwright/internals.ts'

export interface DownloadProgress {
  /** Whether the engine reports the progress of downloads. */
  readonly isReported: boolean
  /** The id with which the progress of this download is reported. */
  idOf(download: Download): string
}

export interface DownloadProgressHooks {
  /** `totalBytes` is what the server announced, 0 if it did not. Returning false cancels the download. */
  onProgress(id: string, receivedBytes: number, totalBytes: number): boolean
  /** The bytes that may still arrive before a download has to be cancelled. */
  remainingBytes(): number
}

interface ProtocolEvents {
  readonly 'Browser.downloadWillBegin': { readonly guid: string }
  readonly 'Browser.downloadProgress': {
    readonly guid: string
    readonly receivedBytes: number
    readonly totalBytes: number
    readonly state: 'inProgress' | 'completed' | 'canceled'
  }
}

type Listen = <E extends keyof ProtocolEvents>(event: E, listener: (event: ProtocolEvents[E]) => void) => void

interface ServerContext {
  cancelDownload(guid: string): Promise<void>
  readonly _downloads: ReadonlySet<{ readonly _uuid: string }>
  readonly _browser: {
    readonly options: { readonly downloadsPath?: string }
    readonly _session: { readonly on: Listen; readonly off: Listen }
  }
}

// More than a server on this machine sends.
const MAXIMUM_BYTES_PER_MS = 2_000_000
const POLL_INTERVAL_MS = { minimum: 1, maximum: 50 } as const

export function watchDownloadProgress(
  context: BrowserContext,
  hooks: DownloadProgressHooks,
): DownloadProgress {
  const serverContext = internalsOf<ServerContext>(context)
  const isReported = typeof serverContext?._browser?._session?.on === 'function'
  if (serverContext && isReported) listen(context, serverContext, hooks)
  return {
    isReported,
    // Playwright has Chromium name each file after the GUID of its download.
    idOf(download) {
      const { _artifact } = download as unknown as { _artifact?: object }
      const path = _artifact && internalsOf<{ _localPath?: string }>(_artifact)?._localPath
      return path === undefined ? crypto.randomUUID() : basename(path)
    },
  }
}

// --- internal ---

function listen(
  context: BrowserContext,
  serverContext: ServerContext,
  { onProgress, remainingBytes }: DownloadProgressHooks,
): void {
  const { _session: session, options } = serverContext._browser
  /** The bytes that the server announced of each running download. */
  const totals = new Map<string, number>()
  const report = (id: string, receivedBytes: number): void => {
    if (onProgress(id, receivedBytes, totals.get(id) ?? 0)) return
    totals.delete(id)
    serverContext.cancelDownload(id).catch(() => {})
  }
  const follow = async ({ guid }: ProtocolEvents['Browser.downloadWillBegin']) => {
    if (![...serverContext._downloads].some(({ _uuid }) => _uuid === guid)) return
    totals.set(guid, 0)
    while (totals.has(guid)) {
      report(guid, sizeOf(join(options.downloadsPath ?? '', guid)))
      const waitMs = Math.max(POLL_INTERVAL_MS.minimum, remainingBytes() / MAXIMUM_BYTES_PER_MS)
      await sleep(Math.min(waitMs, POLL_INTERVAL_MS.maximum))
    }
  }
  const onProtocolProgress = ({
    guid,
    receivedBytes,
    totalBytes,
    state,
  }: ProtocolEvents['Browser.downloadProgress']) => {
    if (!totals.has(guid)) return
    if (state !== 'inProgress') return void totals.delete(guid)
    totals.set(guid, totalBytes)
    report(guid, receivedBytes)
  }
  session.on('Browser.downloadWillBegin', follow)
  session.on('Browser.downloadProgress', onProtocolProgress)
  context.once('close', () => {
    session.off('Browser.downloadWillBegin', follow)
    session.off('Browser.downloadProgress', onProtocolProgress)
    totals.clear()
  })
}

// Before the download has a name, Chromium writes to a file of another one. To wait for the size would take longer than to read it.
function sizeOf(path: string): number {
  const sizes = [path, `${path}.crdownload`].map(
    (name) => statSync(name, { throwIfNoEntry: false })?.size ?? 0,
  )
  return Math.max(...sizes)
}
