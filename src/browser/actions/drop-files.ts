// Files or a folder from outside of the browser, dropped on an element. Chromium does it itself, so the page gets trusted events, and
// entries and folders as from a file manager; elsewhere Playwright dispatches the events with the files.

import type { JSHandle, Page } from 'playwright'
import { watchDrop, type DropWatch } from '../in-page/pointer/drop-watch.ts'
import type { CdpSession } from '../playwright/cdp-session.ts'
import { attempt } from '../playwright/errors.ts'
import { internalsOf } from '../playwright/internals.ts'
import type { ResolvedTarget } from '../playwright/locator.ts'
import { playwrightOptions } from '../playwright/playwright-options.ts'
import type { Tab } from '../tab/tab.ts'
import { untracedCdpSession } from '../tab/tracing.ts'
import type { Upload } from '../../runtime/ports/page/upload.ts'

/** `unsupported`: a folder, and the browser is none that can drop it. */
export type DropResult = 'dropped' | 'refused' | 'unsupported'

/** Drops files, or a folder, on an element that is in view. */
export async function dropFiles(tab: Tab, element: ResolvedTarget, files: Upload): Promise<DropResult> {
  const { locator, deadline } = element
  // A trace contains what Playwright does, which can drop files but no folder.
  const findCdp = () => (files.relativePaths ? tab.recovery.cdp : untracedCdpSession(tab))
  const cdp = isOwnBrowser(tab.page) ? await findCdp() : undefined
  const options = playwrightOptions(deadline)
  const watch = cdp && (await locator.evaluateHandle(watchDrop, undefined, options))
  const isWatching = await watch?.evaluate((value) => value !== undefined)
  if (cdp && watch && isWatching)
    return dropInChromium(tab.page, cdp, element, files, watch as JSHandle<DropWatch>)
  if (files.relativePaths) return 'unsupported'
  const result = await attempt(locator.drop({ files: [...files.paths] }, options), (error) => error)
  return result.ok ? 'dropped' : 'refused'
}

// --- internal ---

interface ServerBrowser {
  readonly options?: { readonly browserProcess?: { readonly process?: unknown } }
}

// The files of a browser on another machine are not those of this one.
function isOwnBrowser(page: Page): boolean {
  const browser = page.context().browser()
  return Boolean(browser && internalsOf<ServerBrowser>(browser)?.options?.browserProcess?.process)
}

async function dropInChromium(
  page: Page,
  cdp: CdpSession,
  { locator, deadline }: ResolvedTarget,
  { paths }: Upload,
  watch: JSHandle<DropWatch>,
): Promise<DropResult> {
  const dispatch = async (type: 'dragEnter' | 'dragOver' | 'drop' | 'dragCancel', point: Point) =>
    void (await cdp.send('Input.dispatchDragEvent', {
      type,
      ...point,
      data: { items: [], files: [...paths], dragOperationsMask: COPY_OPERATION },
    }))
  try {
    const box = await locator.boundingBox(playwrightOptions(deadline))
    const viewport = await page.mainFrame().evaluate(() => ({ width: innerWidth, height: innerHeight }))
    if (!box) return 'refused'
    const point = middleOfVisiblePart(box, viewport)
    await dispatch('dragEnter', point)
    await dispatch('dragOver', point)
    // What accepts no drag gets no drop, and the browser must not do with the files what it does by itself.
    if (!(await watch.evaluate((drop) => drop.read('dragover')))) {
      await dispatch('dragCancel', point)
      return 'refused'
    }
    await dispatch('drop', point)
    return (await watch.evaluate((drop) => drop.read('drop')).catch(() => true)) ? 'dropped' : 'refused'
  } finally {
    await watch.evaluate((drop) => drop.dispose()).catch(() => {})
  }
}

const COPY_OPERATION = 1

interface Point {
  readonly x: number
  readonly y: number
}

interface Box extends Point {
  readonly width: number
  readonly height: number
}

function middleOfVisiblePart(box: Box, viewport: { width: number; height: number }): Point {
  const middle = (start: number, size: number, limit: number) =>
    (Math.max(0, start) + Math.min(limit, start + size)) / 2
  return {
    x: middle(box.x, box.width, viewport.width),
    y: middle(box.y, box.height, viewport.height),
  }
}
