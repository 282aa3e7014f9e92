// Saves downloads as they come, with a safe name, and reports each when it is complete. Sessions have limits for them: where the engine
// reports the progress of a download (Chromium, in this process) one that exceeds a limit is cancelled while it runs. Elsewhere the proxy of
// the session ends its connection; without one it is discarded once it is complete.

import { stat } from 'node:fs/promises'
import type { BrowserContext, Download, Page } from 'playwright'
import { watchDownloadProgress } from './download-progress.ts'
import { messageOf } from '../playwright/errors.ts'
import { createDownloadLedger, DOWNLOAD_LIMITS } from '../../core/session/download-limits.ts'
import { sanitizeFileName } from '../../core/text/file-name.ts'
import { err, ok, type Result } from '../../core/result.ts'
import type { PageHooks } from '../../runtime/ports/browsers.ts'

type DownloadHooks = Pick<PageHooks, 'folder' | 'onEntry' | 'secrets' | 'limitTransfer'>

const REASON_LIMIT_CHARS = 200

/** `collectSecrets` collects the secrets of a page, so that no file name contains one. */
export function saveDownloads(
  context: BrowserContext,
  { folder, onEntry, secrets, limitTransfer }: DownloadHooks,
  collectSecrets: (page: Page) => Promise<unknown>,
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
  const report = (level: 'info' | 'error', text: string) => onEntry({ kind: 'page', level, text })
  const progress = watchDownloadProgress(context, {
    onProgress: (...progress) => receive(...progress) === undefined,
    remainingBytes: ledger.remainingBytes,
  })
  context.on('download', async (download) => {
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
      return report('info', `Downloaded ${name} (${saveResult.value.size} bytes) to ${saveResult.value.path}`)
    const failure = cancelReason === undefined ? saveResult.error : `was cancelled: ${cancelReason}`
    report('error', `The download ${name} ${failure}`)
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
