// What a context has stored, beyond what Playwright saves: passkeys, and the session storage of its open pages.

import type { BrowserContext, BrowserContextOptions, Disposable, Page } from 'playwright'
import type { Outcome } from '../../core/base/failure.ts'
import type { StorageItem, StorageState } from '../../core/base/storage.ts'
import { settleWithin } from '../../core/base/system/settle-within.ts'
import { parseUrl } from '../../core/base/text/parse-url.ts'
import { attempt, browserError } from '../../core/browser/playwright/errors.ts'
import { internalsOf } from '../../core/browser/playwright/internals.ts'
import {
  fillSessionStorage,
  measureDatabases,
  readSessionStorage,
  replaceSessionStorage,
} from './in-page/generated.ts'
import { addPasskeys, readPasskeys } from './passkeys.ts'

/** Cookies, storage and passkeys of all origins of a context. IndexedDB is omitted if a value in it cannot be saved, or if it is large, which
 * `onOmitted` says. */
export function captureState(
  context: BrowserContext,
  onOmitted: (text: string) => void = () => {},
): Promise<Outcome<StorageState>> {
  const capture = async (): Promise<StorageState> => {
    const databaseBytes = await readDatabaseBytes(context)
    const indexedDB = databaseBytes <= DATABASE_LIMIT_BYTES
    if (!indexedDB)
      onOmitted(
        'The state has no IndexedDB: it holds more than the 20 MB that are saved, or could not be read.',
      )
    const [state, passkeys, items] = await Promise.all([
      context.storageState({ indexedDB }).catch(() => context.storageState()),
      readPasskeys(context),
      readOpenPages(context),
    ])
    const knownOrigins = new Set(state.origins.map(({ origin }) => origin))
    const others = [...items.keys()].filter((origin) => !knownOrigins.has(origin))
    const origins = [...state.origins, ...others.map((origin) => ({ origin, localStorage: [] }))]
    return {
      cookies: state.cookies.map((cookie) => ({ ...cookie })),
      origins: origins.map((entry) => {
        const sessionStorage = items.get(entry.origin)
        return { ...entry, sessionStorage }
      }),
      ...(passkeys.length > 0 && { credentials: passkeys }),
    }
  }
  return attempt(capture(), browserError)
}

/** To read more would keep others waiting, and need many times the memory. */
const DATABASE_LIMIT_BYTES = 20_000_000

/** A page that does not say it in this time has many. */
const MEASURE_TIMEOUT_MS = 3000

/** What the databases of the origins of open pages hold, or with other origins take on the disk, whichever is more. */
async function readDatabaseBytes(context: BrowserContext): Promise<number> {
  const measuring = context.pages().map(async (page) => {
    if (!/^https?:/.test(page.url())) return 0
    const bytes = await settleWithin(
      MEASURE_TIMEOUT_MS,
      page.evaluate(measureDatabases, DATABASE_LIMIT_BYTES),
    )
    // A page that is busy is not asked for its databases either.
    if (bytes === undefined) return Infinity
    return typeof bytes === 'number' ? bytes : 0
  })
  const [sizes, stored] = await Promise.all([Promise.all(measuring), readStoredBytes(context)])
  return Math.max(stored, ...sizes)
}

/** What the databases of all origins that the context has visited take on the disk; 0 where the browser does not tell. */
async function readStoredBytes(context: BrowserContext): Promise<number> {
  const [page] = context.pages()
  const cdp = page && (await context.newCDPSession(page).catch(() => undefined))
  if (!cdp) return 0
  const origins = internalsOf<{ _origins?: ReadonlySet<string> }>(context)?._origins ?? []
  const sizes = [...origins].map((origin) =>
    cdp.send('Storage.getUsageAndQuota', { origin }).then(
      ({ usageBreakdown }) =>
        usageBreakdown.find(({ storageType }) => storageType === 'indexeddb')?.usage ?? 0,
      () => 0,
    ),
  )
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
  await cdp.detach().catch(() => {})
  return bytes
}

/** The part of a state that Playwright restores by itself. */
export function playwrightStateOf({
  cookies,
  origins,
}: StorageState): Exclude<BrowserContextOptions['storageState'], string | undefined> {
  const known = origins.flatMap(({ sessionStorage: _, ...entry }) =>
    Object.entries(entry).some(([, value]) => Array.isArray(value) && value.length > 0) ? [entry] : [],
  )
  return { cookies, origins: known } as unknown as ReturnType<typeof playwrightStateOf>
}

/** Adds what Playwright does not restore of a state: passkeys, and the session storage of each origin, when a page of it is opened. */
export async function addStoredParts(
  context: BrowserContext,
  { origins, credentials = [] }: StorageState,
): Promise<void> {
  await addPasskeys(context, credentials)
  await fillLater(context, itemsByOrigin(origins))
}

/** Replaces what a context has stored, also in its open pages. */
export async function replaceState(context: BrowserContext, state: StorageState): Promise<void> {
  await context.setStorageState(playwrightStateOf(state))
  const items = itemsByOrigin(state.origins)
  await Promise.all(
    context.pages().map((page) => {
      const replacing = page.evaluate(replaceSessionStorage, items.get(originOf(page)) ?? [])
      return settleWithin(PAGE_TIMEOUT_MS, replacing)
    }),
  )
  await addStoredParts(context, state)
}

// --- internal ---

type Items = readonly StorageItem[]

/** A page that hangs, or has an open dialog, does not answer. */
const PAGE_TIMEOUT_MS = 1000

const originOf = (page: Page): string => parseUrl(page.url())?.origin ?? ''

const itemsByOrigin = (origins: StorageState['origins']): ReadonlyMap<string, Items> =>
  new Map(
    origins.flatMap(({ origin, sessionStorage }) =>
      sessionStorage && sessionStorage.length > 0 ? [[origin, sessionStorage] as const] : [],
    ),
  )

async function readOpenPages(context: BrowserContext): Promise<ReadonlyMap<string, Items>> {
  const pages = context.pages().filter((page) => /^https?:/.test(page.url()))
  const contents = await Promise.all(
    pages.map((page) => settleWithin(PAGE_TIMEOUT_MS, page.evaluate(readSessionStorage))),
  )
  return new Map(
    contents.flatMap((content) =>
      content && !(content instanceof Error) && content.items.length > 0
        ? [[content.origin, content.items] as const]
        : [],
    ),
  )
}

/** The scripts of each context that wait for a page of their origin. */
const waitingScripts = new WeakMap<BrowserContext, Map<string, Disposable>>()

// What a page removes from its session storage stays removed: a script runs in the first document of its origin, and not again.
async function fillLater(context: BrowserContext, items: ReadonlyMap<string, Items>): Promise<void> {
  const known = waitingScripts.get(context)
  const scripts = known ?? new Map<string, Disposable>()
  await Promise.all([...scripts.values()].map((script) => script.dispose()))
  scripts.clear()
  for (const [origin, list] of items)
    scripts.set(origin, await context.addInitScript(fillSessionStorage, { origin, items: list }))
  if (known || scripts.size === 0) return
  waitingScripts.set(context, scripts)
  const watch = (page: Page) =>
    page.on('framenavigated', (frame) => {
      if (frame !== page.mainFrame()) return
      const script = scripts.get(originOf(page))
      scripts.delete(originOf(page))
      void script?.dispose().catch(() => {})
    })
  context.pages().forEach(watch)
  context.on('page', watch)
}
