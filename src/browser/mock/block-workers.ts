// While requests are mocked, no service worker may answer them: new ones are refused, those that exist are unregistered, and documents that
// one controls are loaded again, because it controls them until then.

import type { BrowserContext, Page } from 'playwright'
import { blockServiceWorkers } from '../in-page/mock/block-service-workers.ts'
import { unregisterServiceWorkers } from '../in-page/mock/unregister-service-workers.ts'
import { settleWithin } from '../../runtime/calls/settle-within.ts'

const UNREGISTER_TIMEOUT_MS = 2000
const RELOAD_TIMEOUT_MS = 10_000

export interface WorkerBlock {
  /** The URLs of the pages that were loaded again. */
  readonly reloadedUrls: readonly string[]
  dispose(): Promise<void>
}

/** Blocks the service workers of a context until `dispose`. */
export async function blockWorkers(context: BrowserContext): Promise<WorkerBlock> {
  const script = await context.addInitScript(blockServiceWorkers)
  const urls = await Promise.all(context.pages().map(reloadControlledPage))
  return { reloadedUrls: urls.filter((url) => url !== undefined), dispose: () => script.dispose() }
}

// --- internal ---

async function reloadControlledPage(page: Page): Promise<string | undefined> {
  const areControlled = await Promise.all(
    page
      .frames()
      .map((frame) => settleWithin(UNREGISTER_TIMEOUT_MS, frame.evaluate(unregisterServiceWorkers))),
  )
  if (!areControlled.includes(true)) return undefined
  const url = page.url()
  await page.reload({ waitUntil: 'domcontentloaded', timeout: RELOAD_TIMEOUT_MS })
  return url
}
