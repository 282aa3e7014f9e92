// How far downloads are, which Playwright's client does not tell. Chromium says so to the session that Playwright set them up with; that
// is only there where Playwright runs in our process. Elsewhere there is none.

import { basename } from 'node:path'
import type { BrowserContext, Download } from 'playwright'
import { internalsOf } from '../playwright/internals.ts'

export interface DownloadProgress {
  /** The number under which its progress is reported. */
  idOf(download: Download): string
}

export interface DownloadProgressHooks {
  /** So many bytes of so many are there; false cancels it. */
  onProgress(id: string, bytes: number, total: number): boolean
}

interface Progress {
  readonly guid: string
  readonly receivedBytes: number
  readonly totalBytes: number
  readonly state: 'inProgress' | 'completed' | 'canceled'
}

const EVENT = 'Browser.downloadProgress'

interface InnerContext {
  cancelDownload(guid: string): Promise<void>
  readonly _downloads: ReadonlySet<{ readonly _uuid: string }>
  readonly _browser: {
    readonly _session: {
      on(event: typeof EVENT, listener: (progress: Progress) => void): void
      off(event: typeof EVENT, listener: (progress: Progress) => void): void
    }
  }
}

export function watchDownloadProgress(
  context: BrowserContext,
  hooks: DownloadProgressHooks,
): DownloadProgress {
  const inner = internalsOf<InnerContext>(context)
  if (inner && typeof inner._browser?._session?.on === 'function') listen(context, inner, hooks)
  return {
    // Playwright has Chromium name the files after its own numbers for them.
    idOf(download) {
      const { _artifact } = download as unknown as { _artifact?: object }
      const path = _artifact && internalsOf<{ _localPath?: string }>(_artifact)?._localPath
      return path === undefined ? crypto.randomUUID() : basename(path)
    },
  }
}

function listen(context: BrowserContext, inner: InnerContext, { onProgress }: DownloadProgressHooks): void {
  const { _session: session } = inner._browser
  const stopped = new Set<string>()
  const listener = ({ guid, receivedBytes, totalBytes, state }: Progress) => {
    if (state !== 'inProgress') return void stopped.delete(guid)
    const own = [...inner._downloads].some(({ _uuid }) => _uuid === guid)
    if (!own || stopped.has(guid) || onProgress(guid, receivedBytes, totalBytes)) return
    stopped.add(guid)
    inner.cancelDownload(guid).catch(() => {})
  }
  session.on(EVENT, listener)
  context.once('close', () => session.off(EVENT, listener))
}
