// The loopback port on which a launched browser accepts commands. Firefox has one; Chromium uses a pipe.

import type { Browser } from 'playwright'
import { internalsOf } from '../playwright/internals.ts'

interface ServerBrowser {
  readonly options: { readonly wsEndpoint?: string }
}

function debuggingPort(browser: Browser): number | undefined {
  const endpoint = internalsOf<Partial<ServerBrowser>>(browser)?.options?.wsEndpoint
  return endpoint === undefined ? undefined : Number(new URL(endpoint).port)
}

/** Blocks that port for pages as long as the browser runs. */
export function reserveDebuggingPort(browser: Browser, reserve: (port: number) => () => void): void {
  const port = debuggingPort(browser)
  if (port !== undefined) browser.once('disconnected', reserve(port))
}
