// Saves downloads as they come, with a safe name, and reports each when it is complete. Sessions have limits for them: where the engine
// reports the progress of a download (Chromium, in this process) one that exceeds a limit is cancelled while it runs. Elsewhere the proxy of
// the session ends its connection; without one it is discarded once it is complete.

import { stat } from 'node:fs/promises'
import type { BrowserContext, Download, Page } from 'playwright'
import type { DownloadActivity } from './download-activity.ts'
import { isFileMissing, messageOf } from '../playwright/errors.ts'
import { createDownloadLedger, DOWNLOAD_LIMITS } from './download-limits.ts'
import { sanitizeFileName } from '../../base/text/clip.ts'
import { err, ok, type Result } from '../../base/result.ts'
import type { PageHooks } from '../../sessions/types/browsers.ts'
import { statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { internalsOf, isApart } from '../playwright/internals.ts'

type DownloadHooks = Pick<PageHooks, 'folder' | 'onEntry' | 'secrets' | 'limitTransfer'>

const REASON_LIMIT_CHARS = 200

/** `collectSecrets` collects the secrets of a page, so that no file name contains one. */
export function saveDownloads(
  context: BrowserContext,
  { folder, onEntry, secrets, limitTransfer }: DownloadHooks,
  collectSecrets: (page: Page) => Promise<unknown>,
  activity: Pick<DownloadActivity, 'begin'>,
): void {
  const ledger = createDownloadLedger(DOWNLOAD_LIMITS)
  const cancelReasons = new Map<string, string>()
  // Returns why the download must be cancelled, or undefined.
  const receive = (id: string, receivedBytes: number, totalBytes?: number): string | undefined => {
    const reason = ledger.receive(id, receivedBytes, totalBytes)
    if (reason !== undefined) cancelReasons.set(id, reason)
    return cancelReasons.get(id)
  }
  let collecting: Promise<unknown> | undefined
  const report = (level: 'info' | 'error', text: string, download: string) =>
    onEntry({ kind: 'page', level, text, data: { download } })
  const progress = watchDownloadProgress(context, {
    onProgress: (...progress) => receive(...progress) === undefined,
    remainingBytes: ledger.remainingBytes,
  })
  context.on('download', async (download) => {
    const end = activity.begin(() => safeNameOf(download, secrets))
    const id = progress.idOf(download)
    const refusal = ledger.begin(id)
    const endTransferLimit = progress.isReported
      ? undefined
      : limitTransfer?.(download.url(), ledger.remainingBytes(), (bytes) => receive(id, bytes))
    // One collection is enough for all downloads that come meanwhile.
    collecting ??= collectSecrets(download.page()).finally(() => (collecting = undefined))
    await collecting
    const name = safeNameOf(download, secrets)
    const saveResult = refusal
      ? err(`was cancelled: ${refusal}`)
      : await save(download, name, folder, (size) => receive(id, size))
    endTransferLimit?.()
    const cancelReason = cancelReasons.get(id)
    cancelReasons.delete(id)
    if (!refusal) ledger.end(id, saveResult.ok ? saveResult.value.size : 0)
    await discard(download)
    if (saveResult.ok)
      report('info', `Downloaded ${name} (${saveResult.value.size} bytes) to ${saveResult.value.path}`, name)
    else {
      const failure = cancelReason === undefined ? saveResult.error : `was cancelled: ${cancelReason}`
      report('error', `The download ${name} ${failure}`, name)
    }
    end()
  })
}

// --- internal ---

interface SavedFile {
  readonly path: string
  readonly size: number
}

// A page may put a secret into the name, which becomes part of paths and URLs that cannot be redacted later.
function safeNameOf(download: Download, secrets: DownloadHooks['secrets']): string {
  const suggestion = download.suggestedFilename()
  return sanitizeFileName(
    secrets ? secrets.redactText(suggestion).replaceAll('[redacted]', 'redacted') : suggestion,
  )
}

// The size is checked before the file is copied into our folder; that of a browser on another machine is only known afterwards.
async function save(
  download: Download,
  name: string,
  folder: DownloadHooks['folder'],
  exceededLimit: (size: number) => string | undefined,
): Promise<Result<SavedFile, string>> {
  const downloadError = await download.failure().catch((error: Error) => messageOf(error))
  if (downloadError) return err(`failed: ${downloadError.slice(0, REASON_LIMIT_CHARS)}`)
  const sizeBefore = await sizeOf(() => download.path())
  const reasonBefore = sizeBefore === undefined ? undefined : exceededLimit(sizeBefore)
  if (reasonBefore !== undefined) return err(`was aborted: ${reasonBefore}`)
  const place = await folder.reserve(name)
  if (!place.ok) return err('could not be saved: no disk space.')
  const path = place.value
  try {
    await download.saveAs(path)
    const size = (await stat(path)).size
    const reason = exceededLimit(size)
    if (reason === undefined) {
      await folder.finish(path)
      return ok({ path, size })
    }
    await folder.remove(path)
    return err(`was aborted: ${reason}`)
  } catch (error) {
    await folder.remove(path)
    const browser = download.page().context().browser()
    if (error instanceof Error && isFileMissing(error) && browser && isApart(browser))
      return err('is on the machine of its browser, and CDP does not read files there.')
    const reason = error instanceof Error ? messageOf(error) : String(error)
    return err(`failed: ${reason.slice(0, REASON_LIMIT_CHARS)}`)
  }
}

async function sizeOf(resolvePath: () => Promise<string>): Promise<number | undefined> {
  const status = await resolvePath()
    .then((path) => stat(path))
    .catch(() => undefined)
  return status?.size
}

// The browser's own copy is deleted, whether it was saved or not. Firefox cannot cancel: there the end of the download is awaited.
async function discard(download: Download): Promise<void> {
  await download.cancel().catch(() => {})
  await download.delete().catch(() => {})
}

// The progress of downloads, which Playwright's client does not report. Chromium reports the total to the session with which Playwright
// enabled downloads, but the received bytes only twice a second, so the file is watched as well. Both can only be reached where Playwright
// runs in this process; elsewhere there is no progress.
interface DownloadProgress {
  /** Whether the engine reports the progress of downloads. */
  readonly isReported: boolean
  /** The id with which the progress of this download is reported. */
  idOf(download: Download): string
}

interface DownloadProgressHooks {
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

function watchDownloadProgress(context: BrowserContext, hooks: DownloadProgressHooks): DownloadProgress {
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
      report(guid, progressSizeOf(join(options.downloadsPath ?? '', guid)))
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
function progressSizeOf(path: string): number {
  const sizes = [path, `${path}.crdownload`].map(
    (name) => statSync(name, { throwIfNoEntry: false })?.size ?? 0,
  )
  return Math.max(...sizes)
}
