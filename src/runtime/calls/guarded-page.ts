import { checkPermission, denialOnTheWay } from './host-permission.ts'
import type { EgressProxy } from '../ports/egress-proxy.ts'
import type { Page } from '../ports/page.ts'

/** The page as tools use it: an address that the rules refuse is not opened, and a page that the proxy refused is a failure. */
export const guardPage = (page: Page, proxy: EgressProxy | undefined): Page => ({
  ...page,
  async navigate(url, waitUntil, call) {
    const permission = checkPermission(url, proxy)
    if (!permission.ok) return permission
    const denials = proxy?.count() ?? 0
    const outcome = await page.navigate(permission.value, waitUntil, call)
    return denialOnTheWay(outcome, permission.value, proxy, denials)
  },
})
