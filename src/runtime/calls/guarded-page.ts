import { checkPermission, applyProxyDenial } from './host-permission.ts'
import type { EgressProxy } from '../ports/egress-proxy.ts'
import type { Page } from '../ports/page/page.ts'
import type { ReadyResources } from '../resources/session-resources.ts'
import { resolveUrl } from '../../core/network/page-url.ts'

/** The absolute URL of `url`, which may be a path of the session's dev server or, without one, of its page. */
export const absoluteUrlOf = (url: string, { page, server }: ReadyResources): string =>
  resolveUrl(url, server?.info().url ?? page.url())

/** The page with host rules: a URL that they deny is not opened, and a page that the proxy denied is a failure. */
export const guardPage = (page: Page, proxy: EgressProxy | undefined): Page => ({
  ...page,
  async navigate(url, waitUntil, deadline) {
    const permission = checkPermission(url, proxy)
    if (!permission.ok) return permission
    const denialCount = proxy?.denialCount() ?? 0
    const outcome = await page.navigate(permission.value, waitUntil, deadline)
    return applyProxyDenial(outcome, permission.value, proxy, denialCount)
  },
})

/** The page, whose `navigate` takes paths too. */
export const resolvePaths = (page: Page, ready: ReadyResources): Page => ({
  ...page,
  navigate: (url, waitUntil, deadline) => page.navigate(absoluteUrlOf(url, ready), waitUntil, deadline),
})
