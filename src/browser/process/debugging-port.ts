// The loopback port on which a browser that we launched takes commands. Firefox has one; Chromium is spoken to over a pipe.

import type { Browser } from 'playwright'
import { internalsOf } from '../playwright/internals.ts'

interface InnerBrowser {
  readonly options: { readonly wsEndpoint?: string }
}

/** Undefined where there is none. */
function debuggingPort(browser: Browser): number | undefined {
  const endpoint = internalsOf<Partial<InnerBrowser>>(browser)?.options?.wsEndpoint
  return endpoint === undefined ? undefined : Number(new URL(endpoint).port)
}

/** Keeps pages from that port as long as the browser runs. */
export function keepPort(browser: Browser, reserve: (port: number) => () => void): void {
  const port = debuggingPort(browser)
  if (port !== undefined) browser.once('disconnected', reserve(port))
}
