// Cookies and storage of the current origin. In Chromium the cookies are read and changed with the page's CDP session, which sees no
// others; elsewhere with Playwright.

import type { Cookie, Page } from 'playwright'
import type { Failure, Outcome } from '../../core/base/failure.ts'
import { err, map, ok } from '../../core/base/result.ts'
import type { OriginStorage, StorageItem, StorageQuery } from '../../core/base/storage.ts'
import type { CdpSession } from '../../core/browser/playwright/cdp-session.ts'
import { attempt, browserError } from '../../core/browser/playwright/errors.ts'
import { runScript } from '../../core/browser/playwright/run-script.ts'
import { type Tab, urlOf } from '../../core/browser/tab/tab.ts'
import { changeWebStorage } from './in-page/generated.ts'
import type { WebStorageInput } from './in-page/web-storage.ts'

type Action = WebStorageInput['action']

/** Reads, sets or clears; the value has the items that were read, set or cleared. Fails with BROWSER_ERROR on a page without an origin. */
export async function changeOriginStorage(
  tab: Tab,
  action: Action,
  { kind, name }: StorageQuery,
  value?: string,
): Promise<Outcome<OriginStorage>> {
  const url = urlOf(tab.page)
  if (!/^https?:/.test(url)) return err(noStorage('it is not at an http or https address'))
  const cdp = await tab.recovery.cdp
  const areas = AREAS.filter((area) => kind === undefined || area.startsWith(kind))
  const input = { action, areas: areas.filter((area) => area !== 'cookies'), name, value }
  const cookies = areas.includes('cookies')
    ? await attempt(
        changeCookies(tab.page, cdp, url, action, { name: name ?? '', value: value ?? '' }),
        browserError,
      )
    : ok([])
  if (!cookies.ok) return cookies
  if (cookies.value === undefined) return err(REJECTED_COOKIE)
  const storage = await attempt(runScript(tab.page, cdp, changeWebStorage, input), browserError)
  if (storage.ok && storage.value.error !== undefined) return err(noStorage(storage.value.error))
  const cookieItems = cookies.value.map(withoutInternals)
  return map(storage, ({ error: _, ...items }) => ({ cookies: cookieItems, ...items }))
}

// --- internal ---

const AREAS = ['cookies', 'localStorage', 'sessionStorage'] as const

const noStorage = (reason: string): Failure => ({
  code: 'BROWSER_ERROR',
  text: `the page has no cookies and no storage: ${reason}`,
  next: 'Navigate to a page of the application first.',
})

const REJECTED_COOKIE: Failure = {
  code: 'BROWSER_ERROR',
  text: 'the browser rejected the cookie',
  next: 'Use a name and a value without ; and control characters; names with the prefix __Secure- or __Host- need https.',
}

// Removes the fields that only Chromium has, and the expiry of a cookie that ends with its session.
function withoutInternals(cookie: StorageItem): StorageItem {
  const {
    size: _,
    priority: __,
    session: ___,
    sourceScheme: ____,
    sourcePort: _____,
    ...item
  } = cookie as StorageItem & Record<string, unknown>
  const { expires, ...attributes } = item
  return Number(expires) > 0 ? item : attributes
}

// Undefined if the browser rejects the cookie. An empty name stands for all cookies.
async function changeCookies(
  page: Page,
  cdp: CdpSession | undefined,
  url: string,
  action: Action,
  { name, value }: StorageItem,
): Promise<OriginStorage['cookies'] | undefined> {
  const read = async () =>
    (await readCookies(page, cdp, url)).filter((cookie) => name === '' || cookie.name === name)
  if (action === 'read') return read()
  const cookies = await read()
  if (action === 'clear') {
    for (const cookie of cookies) await deleteCookie(page, cdp, cookie)
    return cookies
  }
  // An existing cookie keeps its other attributes.
  const [existing] = cookies
  const { origin, protocol } = new URL(url)
  const cookie = existing
    ? { ...existing, value }
    : { name, value, url: `${origin}/`, ...(protocol === 'https:' && { secure: true }) }
  return (await setCookie(page, cdp, cookie)) ? read() : undefined
}

async function readCookies(page: Page, cdp: CdpSession | undefined, url: string): Promise<readonly Cookie[]> {
  if (!cdp) return page.context().cookies(url)
  return (await cdp.send('Network.getCookies', { urls: [url] })).cookies as unknown as Cookie[]
}

async function setCookie(
  page: Page,
  cdp: CdpSession | undefined,
  { expires, ...cookie }: Partial<Cookie> & StorageItem & { url?: string },
): Promise<boolean> {
  const attributes = { ...cookie, ...(expires !== undefined && expires > 0 && { expires }) }
  if (cdp) {
    const { size: _, session: __, ...command } = attributes as typeof attributes & Record<string, unknown>
    const params = command as unknown as Parameters<typeof cdp.send<'Network.setCookie'>>[1]
    return (await cdp.send('Network.setCookie', params)).success
  }
  await page.context().addCookies([attributes])
  const cookies = await page.context().cookies(cookie.url ?? urlOf(page))
  return cookies.some(({ name, value }) => name === cookie.name && value === cookie.value)
}

async function deleteCookie(page: Page, cdp: CdpSession | undefined, cookie: Cookie): Promise<void> {
  const { name, domain, path, partitionKey } = cookie
  if (!cdp) return page.context().clearCookies({ name, domain, path })
  await cdp.send('Network.deleteCookies', {
    name,
    domain,
    path,
    ...(partitionKey && {
      partitionKey: partitionKey as unknown as { topLevelSite: string; hasCrossSiteAncestor: boolean },
    }),
  })
}
