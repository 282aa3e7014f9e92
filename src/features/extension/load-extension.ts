// An extension under test: unpacked, in a Chromium of its own. It is loaded again after each change of its files. Chromium gives what is loaded
// so the right to read every file of its user, which is taken away before the extension runs, and is checked after it was loaded.

import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, realpathSync, statSync, watch, writeFileSync } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright'
import { type Failure, invalidParameter, type Outcome } from '../../core/base/failure.ts'
import { isBelow, resolveRealPath } from '../../core/base/files/workspace-roots.ts'
import { err, ok } from '../../core/base/result.ts'
import { settleWithin } from '../../core/base/system/settle-within.ts'
import { isRecord, parseJson } from '../../core/base/text/json.ts'
import { DOWNLOAD_LIMITS } from '../../core/browser/network/download-limits.ts'
import { attempt, messageOf } from '../../core/browser/playwright/errors.ts'
import type { PageHooks } from '../../core/sessions/types/browsers.ts'
import { findRefusedPermission } from './extension-permissions.ts'

export interface LoadedExtension {
  readonly id: string
  /** Ends the watch of its files. */
  close(): void
}

export interface ExtensionLimits {
  /** Whether host rules hold for the session, or its client is one over HTTP. */
  readonly isGuarded: boolean
  /** The folders of which extensions may be; undefined for any. */
  readonly folders?: readonly string[] | undefined
}

/** Why an extension may not be loaded as it is now, or undefined. */
export function findExtensionDenial(
  folder: string,
  { isGuarded, folders }: ExtensionLimits,
): Failure | undefined {
  if (folders && !folders.some((allowed) => isBelow(folder, resolveRealPath(allowed))))
    return {
      code: 'ACCESS_DENIED',
      subject: `extension ${folder.slice(0, SUBJECT_LIMIT_CHARS)}`,
      rule: 'over HTTP only the folders of --extensions',
      allowed: folders.join(', ') || 'none; the user can name them with --extensions',
    }
  const manifest = isGuarded ? readManifest(folder) : {}
  const refused = manifest ? findRefusedPermission(manifest) : UNREADABLE_MANIFEST
  if (refused === undefined) return undefined
  return {
    code: 'ACCESS_DENIED',
    subject: `extension with ${refused}`,
    rule: 'with host rules and over HTTP an extension has no right to pass them',
    allowed: 'the same extension without it, also in optional_permissions',
  }
}

/** Notes in the profile of a browser that is about to start that this extension reads no files. Chromium names an extension after its key, or
 * else its folder. */
export function prepareProfile(profileFolder: string, folder: string): void {
  const path = join(profileFolder, 'Default', 'Preferences')
  const preferences = readJson(path) ?? {}
  // Nor does a profile keep what an earlier session has loaded, or what that one has set.
  const settings = { [extensionIdOf(folder)]: { newAllowFileAccess: false } }
  const extensions = { ...recordIn(preferences, 'extensions'), settings }
  mkdirSync(join(profileFolder, 'Default'), { recursive: true, mode: 0o700 })
  writeFileSync(path, JSON.stringify({ ...preferences, extensions }), { mode: 0o600 })
}

/** Loads the extension of a folder, and again after each change. INVALID_PARAMETERS has what Chromium says of it. */
export async function loadExtension(
  browser: Browser,
  folder: string,
  limits: ExtensionLimits,
  onEntry: PageHooks['onEntry'],
): Promise<Outcome<LoadedExtension>> {
  const cdp = await browser.newBrowserCDPSession()
  const key = readManifest(folder)?.['key']
  const load = async (): Promise<Outcome<string>> => {
    const denial = findExtensionDenial(folder, limits)
    if (denial) return err(denial)
    const manifest = readManifest(folder)
    if (!manifest) return err(refusal(folder, `it has ${UNREADABLE_MANIFEST}`))
    // Another key would be another extension, for which nothing was noted.
    if (manifest['key'] !== key) return err(refusal(folder, 'its key has changed'))
    const loaded = await attempt(cdp.send('Extensions.loadUnpacked', { path: folder }), (error) =>
      refusal(folder, messageOf(error).replace(/^.*Protocol error \([\w.]+\): /s, '')),
    )
    if (!loaded.ok) return loaded
    const { id } = loaded.value
    if (await hasNoFileAccess(cdp, id)) return ok(id)
    await cdp.send('Extensions.uninstall', { id }).catch(() => {})
    return err(refusal(folder, 'its right to read files could not be taken away'))
  }
  const first = await load()
  if (!first.ok) return first
  const reload = createReload(async () => {
    const outcome = await load()
    onEntry(outcome.ok ? RELOADED : { kind: 'page', level: 'error', text: failureText(outcome.error) })
  })
  return ok({ id: first.value, close: watchFiles(folder, reload) })
}

/** Calls back once an extension has downloaded more than a session may. Chromium reports such a download to nobody, and nothing can cancel it
 * alone. */
export async function watchDownloads(
  folder: string,
  isOver: () => boolean,
  onExceeded: (text: string) => void,
): Promise<void> {
  while (!isOver()) {
    const sizes = await sizesIn(folder)
    const [sum, largest] = [sizes.reduce((total, size) => total + size, 0), Math.max(0, ...sizes)]
    const { files, bytes, fileBytes } = DOWNLOAD_LIMITS
    if (sizes.length > files || sum > bytes || largest > fileBytes)
      return onExceeded(
        `its extension downloaded ${sizes.length} files with ${sum} bytes; a session has at most ${files} files, ${bytes} bytes, ${fileBytes} each`,
      )
    await settleWithin(DOWNLOAD_CHECK_MS, new Promise(() => {}))
  }
}

/** Closes every tab that shows a file of this machine. */
export function closeFileTabs(context: BrowserContext): void {
  const closeAt = (page: Page, url: string): void => {
    if (/^(?:view-source:)?file:/i.test(url)) void page.close().catch(() => {})
  }
  const watchPage = (page: Page): void => {
    closeAt(page, page.url())
    page.on('framenavigated', (frame) => closeAt(page, frame.url()))
  }
  context.pages().forEach(watchPage)
  context.on('page', watchPage)
}

// --- internal ---

const SUBJECT_LIMIT_CHARS = 200

const DOWNLOAD_CHECK_MS = 100

/** How Playwright has Chromium name what it downloads. */
const DOWNLOAD_NAME = /^[0-9a-f-]{36}/

async function sizesIn(folder: string): Promise<readonly number[]> {
  const names = await readdir(folder).catch(() => [])
  const downloads = names.filter((name) => DOWNLOAD_NAME.test(name))
  return Promise.all(
    downloads.map((name) =>
      lstat(join(folder, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  )
}

const MANIFEST_LIMIT_BYTES = 1_000_000

/** Chromium reads what is not read here, such as comments. */
const UNREADABLE_MANIFEST = 'a manifest.json that is no JSON object of at most 1 MB'

const readManifest = (folder: string): Readonly<Record<string, unknown>> | undefined =>
  readJson(join(folder, 'manifest.json'), MANIFEST_LIMIT_BYTES)

function readJson(path: string, limitBytes = Infinity): Record<string, unknown> | undefined {
  try {
    const status = statSync(path)
    if (!status.isFile() || status.size > limitBytes) return undefined
    const value = parseJson(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''))
    return isRecord(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

const recordIn = (record: Readonly<Record<string, unknown>>, name: string): Record<string, unknown> => {
  const value = record[name]
  return isRecord(value) ? { ...value } : {}
}

function extensionIdOf(folder: string): string {
  const key = readManifest(folder)?.['key']
  const name = typeof key === 'string' ? Buffer.from(key, 'base64') : realpathSync(folder)
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 32)
  return [...digest].map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 16))).join('')
}

const refusal = (folder: string, reason: string): Failure =>
  invalidParameter('extension', 'the folder of an unpacked extension', JSON.stringify(folder), reason)

const CHECK_TIMEOUT_MS = 10_000

/** Whether Chromium says that the extension may read no files. Where the note in its profile was not read, as on Windows, this takes the right away. The page
 * that knows is hidden: no session has it among its tabs. */
async function hasNoFileAccess(cdp: CDPSession, id: string): Promise<boolean> {
  const { targetId } = await cdp.send('Target.createTarget', { url: 'chrome://extensions/', hidden: true })
  const checking = askExtensionsPage(cdp, targetId, id).catch(() => false)
  const answer = await settleWithin(CHECK_TIMEOUT_MS, checking)
  await cdp.send('Target.closeTarget', { targetId }).catch(() => {})
  return answer === true
}

async function askExtensionsPage(cdp: CDPSession, targetId: string, id: string): Promise<boolean> {
  const { sessionId } = await cdp.send('Target.attachToTarget', { targetId, flatten: false })
  const expression = `(async () => {
    while (!globalThis.chrome?.developerPrivate) await new Promise((go) => setTimeout(go, 20))
    await chrome.developerPrivate.updateExtensionConfiguration({ extensionId: '${id}', fileAccess: false })
    return (await chrome.developerPrivate.getExtensionInfo('${id}')).fileAccess.isActive
  })()`
  const message = {
    id: 1,
    method: 'Runtime.evaluate',
    params: { expression, awaitPromise: true, returnByValue: true },
  }
  const answer = new Promise<string>((resolve) => {
    cdp.on('Target.receivedMessageFromTarget', (event) => {
      if (event.sessionId === sessionId) resolve(event.message)
    })
  })
  await cdp.send('Target.sendMessageToTarget', { sessionId, message: JSON.stringify(message) })
  return (JSON.parse(await answer) as ExtensionsPageAnswer).result?.result?.value === false
}

interface ExtensionsPageAnswer {
  readonly result?: { readonly result?: { readonly value?: unknown } }
}

/** An editor writes several files, or one in parts. */
const QUIET_MS = 150

const RELOADED = {
  kind: 'page',
  level: 'info',
  text: 'The extension was loaded again after a change of its files; its content scripts run in pages that are loaded from now on.',
} as const

const failureText = (failure: Failure): string =>
  `The extension cannot be loaded after a change of its files: ${failure.code === 'ACCESS_DENIED' ? failure.subject : failure.code === 'INVALID_PARAMETERS' ? (failure.hint ?? '') : failure.code}`

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
