// The progress of downloads, which Playwright's client does not report. Chromium reports it to the session with which Playwright enabled
// downloads. That session can only be reached where Playwright runs in this process; elsewhere there is no progress.

import { basename } from 'node:path'
import type { BrowserContext, Download } from 'playwright'
import { internalsOf } from '../playwright/internals.ts'

export interface DownloadProgress {
  /** The id with which the progress of this download is reported. */
  idOf(download: Download): string
}

export interface DownloadProgressHooks {
  /** `totalBytes` is what the server announced. Returning false cancels the download. */
  onProgress(id: string, receivedBytes: number, totalBytes: number): boolean
}

interface DownloadProgressEvent {
  readonly guid: string
  readonly receivedBytes: number
  readonly totalBytes: number
  readonly state: 'inProgress' | 'completed' | 'canceled'
}

const PROGRESS_EVENT = 'Browser.downloadProgress'

interface ServerContext {
  cancelDownload(guid: string): Promise<void>
  readonly _downloads: ReadonlySet<{ readonly _uuid: string }>
  readonly _browser: {
    readonly _session: {
      on(event: typeof PROGRESS_EVENT, listener: (event: DownloadProgressEvent) => void): void
      off(event: typeof PROGRESS_EVENT, listener: (event: DownloadProgressEvent) => void): void
    }
  }
}

export function watchDownloadProgress(
  context: BrowserContext,
  hooks: DownloadProgressHooks,
): DownloadProgress {
  const serverContext = internalsOf<ServerContext>(context)
  if (serverContext && typeof serverContext._browser?._session?.on === 'function')
    listen(context, serverContext, hooks)
  return {
    // Playwright has Chromium name each file after the GUID of its download.
    idOf(download) {
      const { _artifact } = download as unknown as { _artifact?: object }
      const path = _artifact && internalsOf<{ _localPath?: string }>(_artifact)?._localPath
      return path === undefined ? crypto.randomUUID() : basename(path)
    },
  }
}

function listen(
  context: BrowserContext,
  serverContext: ServerContext,
  { onProgress }: DownloadProgressHooks,
): void {
  const { _session: session } = serverContext._browser
  const cancelledIds = new Set<string>()
  const listener = ({ guid, receivedBytes, totalBytes, state }: DownloadProgressEvent) => {
    if (state !== 'inProgress') return void cancelledIds.delete(guid)
    const isOfContext = [...serverContext._downloads].some(({ _uuid }) => _uuid === guid)
    if (!isOfContext || cancelledIds.has(guid) || onProgress(guid, receivedBytes, totalBytes)) return
    cancelledIds.add(guid)
    serverContext.cancelDownload(guid).catch(() => {})
  }
  session.on(PROGRESS_EVENT, listener)
  context.once('close', () => session.off(PROGRESS_EVENT, listener))
}
