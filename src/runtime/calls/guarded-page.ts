import { checkPermission, applyProxyDenial } from './host-permission.ts'
import type { EgressProxy } from '../ports/egress-proxy.ts'
import type { Page } from '../ports/page/page.ts'

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
