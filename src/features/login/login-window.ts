// A window in which a person logs in. Its state is read when the person has finished; what has been seen until then counts if the whole
// browser was ended.

import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright'
import type { Failure, Outcome } from '../../core/base/failure.ts'
import { err, ok } from '../../core/base/result.ts'
import type { StorageState } from '../../core/base/storage.ts'
import { createDeferred, settleWithin } from '../../core/base/system/settle-within.ts'
import { attempt, browserError } from '../../core/browser/playwright/errors.ts'
import { launchBrowser } from '../../core/browser/process/launch-browser.ts'
import type { LaunchRequest } from '../../core/browser/process/launch-options.ts'
import { openPrivateContext, openProfileContext } from '../../core/browser/process/open-context.ts'
import { featureParts } from '../../core/cli/tools/catalogue.ts'
import { readLocalStorage } from '../states/in-page/generated.ts'
import { captureState } from '../states/stored-state.ts'

const CAPTURE_TIMEOUT_MS = 10_000

interface LoginOptions {
  /** Cookies and storage that it begins with. */
  readonly state: StorageState | undefined
  readonly ignoreHTTPSErrors: boolean
  readonly profileFolder: string | undefined
}

/** Opens the window at `url`. A page that does not load is left to the person. */
export const openLoginWindow = (
  request: Omit<LaunchRequest, 'headless'>,
  url: string,
  { state, ignoreHTTPSErrors, profileFolder }: LoginOptions,
) => {
  const contextOptions = { viewport: null, ignoreHTTPSErrors }
  if (profileFolder !== undefined) {
    const folder = join(profileFolder, request.browser)
    const open = (browser: Browser) =>
      openWindow(browser, url, openProfileContext(browser, { storageState: state }, featureParts), state)
    return openHeaded({ ...request, profile: { folder, contextOptions, isTemporary: false } }, open)
  }
  const open = (browser: Browser) =>
    openWindow(
      browser,
      url,
      openPrivateContext(browser, contextOptions, { storageState: state }, featureParts),
      state,
    )
  return openHeaded(request, open)
}

async function openWindow(
  browser: Browser,
  url: string,
  opening: Promise<BrowserContext>,
  state: StorageState | undefined,
) {
  const context = await opening
  const closing = createDeferred()
  browser.once('disconnected', () => closing.resolve())
  const readLastState = watchState(context)
  context.on('page', (page) =>
    page.once('close', () => {
      if (context.pages().length === 0) closing.resolve()
    }),
  )
  const page = context.pages()[0] ?? (await context.newPage())
  void page.goto(url, { waitUntil: 'commit' }).catch(() => {})
  return {
    /** Resolves when the person has closed the last window or the browser. */
    closed: closing.promise,
    /** Cookies and storage of all origins; fails if the browser was ended before any page was loaded. */
    async capture(): Promise<Outcome<StorageState>> {
      const result = browser.isConnected()
        ? await settleWithin(CAPTURE_TIMEOUT_MS, captureState(context))
        : undefined
      if (result && !(result instanceof Error) && result.ok) return result
      const lastState = readLastState()
      return lastState ? ok({ ...lastState, credentials: state?.credentials }) : err(NOTHING_SEEN)
    },
    end: (): Promise<void> => browser.close().catch(() => {}),
  }
}

const NOTHING_SEEN: Failure = {
  code: 'BROWSER_ERROR',
  text: 'the browser ended before a page was loaded',
  next: 'Start the login again, and close only its window.',
}

// Without opening pages for origins that are no longer open: the person would see them.
function watchState(context: BrowserContext): () => StorageState | undefined {
  const origins = new Map<string, StorageState['origins'][number]>()
  let cookies: StorageState['cookies'] | undefined
  // Each is kept as it comes: the storage of a page that loads may come long after the cookies of its look, when others have seen newer ones.
  async function look(page: Page): Promise<void> {
    const keepCookies = async () => {
      cookies = (await context.cookies()).map((cookie) => ({ ...cookie }))
    }
    const keepStorage = async () => {
      const storage = await page.evaluate(readLocalStorage)
      origins.set(storage.origin, { ...storage })
    }
    await Promise.all([keepCookies(), keepStorage()])
  }
  context.on('page', (page) => {
    const onLook = () => void look(page).catch(() => {})
    page.on('load', onLook)
    page.on('framenavigated', onLook)
    page.on('response', onLook)
  })
  return () => (cookies && origins.size > 0 ? { cookies, origins: [...origins.values()] } : undefined)
}

/** Launches a browser with a window, for a person. Where `open` fails it is closed again. */
async function openHeaded<T>(
  request: Omit<LaunchRequest, 'headless'>,
  open: (browser: Browser) => Promise<T>,
): Promise<Outcome<T>> {
  const browser = await launchBrowser({ ...request, features: featureParts, headless: false })
  if (!browser.ok) return browser
  const outcome = await attempt(open(browser.value), browserError)
  if (!outcome.ok) await browser.value.close().catch(() => {})
  return outcome
}
