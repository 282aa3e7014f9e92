// Downloads are saved by themselves, under a safe name, and told when they are there. A session has limits for them: where the engine
// tells how far a download is (Chromium, in our process) one that is too much is cancelled while it comes, elsewhere it is given up
// once it is complete.

import { stat } from 'node:fs/promises'
import type { BrowserContext, Download, Page } from 'playwright'
import { watchDownloadProgress } from './download-progress.ts'
import { messageOf } from '../playwright/errors.ts'
import { createDownloadLedger, DOWNLOAD_LIMITS } from '../../core/session/download-limits.ts'
import { sanitizeFileName } from '../../core/text/file-name.ts'
import { err, ok, type Result } from '../../core/result.ts'
import type { PageHooks } from '../../runtime/ports/browsers.ts'

type Hooks = Pick<PageHooks, 'folder' | 'observe' | 'secrets'>

/** `collectSecrets` asks a page for its secrets, so that no name tells one. */
export function saveDownloads(
  context: BrowserContext,
  { folder, observe, secrets }: Hooks,
  collectSecrets: (page: Page) => Promise<unknown>,
): void {
  const ledger = createDownloadLedger(DOWNLOAD_LIMITS)
  const reasons = new Map<string, string>()
  let collecting: Promise<unknown> | undefined
  const tell = (level: 'info' | 'error', text: string) => observe({ kind: 'page', level, text })
  const progress = watchDownloadProgress(context, {
    onProgress(id, bytes, total) {
      const why = ledger.receive(id, bytes, total)
      if (why !== undefined) reasons.set(id, why)
      return why === undefined
    },
  })
  context.on('download', async (download) => {
    const id = progress.idOf(download)
    const refused = ledger.begin(id)
    // One question serves all that come meanwhile.
    collecting ??= collectSecrets(download.page()).finally(() => (collecting = undefined))
    await collecting
    const name = nameOf(download, secrets)
    const saved = refused
      ? err(`was cancelled: ${refused}`)
      : await save(download, name, folder, (size) => ledger.receive(id, size))
    const why = reasons.get(id)
    reasons.delete(id)
    if (!refused) ledger.end(id, saved.ok ? saved.value.size : 0)
    await discard(download)
    if (saved.ok) return tell('info', `Downloaded ${name} (${saved.value.size} bytes) to ${saved.value.path}`)
    tell('error', `The download ${name} ${why === undefined ? saved.error : `was cancelled: ${why}`}`)
  })
}

// A page may put a secret into the name, which then stands in paths and addresses that have to stay as they are.
function nameOf(download: Download, secrets: Hooks['secrets']): string {
  const wanted = download.suggestedFilename()
  return sanitizeFileName(secrets ? secrets.text(wanted).replaceAll('[redacted]', 'redacted') : wanted)
}

interface Saved {
  readonly path: string
  readonly size: number
}

// It is weighed where the browser keeps it, before anything of it is in our folder; that of a browser elsewhere afterwards.
async function save(
  download: Download,
  name: string,
  folder: Hooks['folder'],
  weigh: (size: number) => string | undefined,
): Promise<Result<Saved, string>> {
  const failed = await download.failure().catch((error: Error) => messageOf(error))
  if (failed) return err(`failed: ${failed.slice(0, 200)}`)
  const before = await sizeOf(() => download.path())
  const heavy = before === undefined ? undefined : weigh(before)
  if (heavy !== undefined) return err(`was aborted: ${heavy}`)
  const place = await folder.place(name)
  if (!place.ok) return err('could not be saved: no disk space.')
  const path = place.value
  try {
    await download.saveAs(path)
    const size = (await stat(path)).size
    const over = weigh(size)
    if (over === undefined) {
      await folder.done(path)
      return ok({ path, size })
    }
    await folder.drop(path)
    return err(`was aborted: ${over}`)
  } catch (error) {
    await folder.drop(path)
    const why = error instanceof Error ? messageOf(error) : String(error)
    return err(`failed: ${why.slice(0, 200)}`)
  }
}

const sizeOf = async (path: () => Promise<string>): Promise<number | undefined> => {
  const status = await path()
    .then((one) => stat(one))
    .catch(() => undefined)
  return status?.size
}

// What was saved has its copy; what was not must not fill the browser's folder. Firefox cannot cancel: there it is waited for.
async function discard(download: Download): Promise<void> {
  await download.cancel().catch(() => {})
  await download.delete().catch(() => {})
}
