// The extension of a session: in its browser from the start, and under its limits.

import type { Browser } from 'playwright'
import type { Outcome } from '../../core/base/failure.ts'
import { ok } from '../../core/base/result.ts'
import { noteLoss } from '../../core/browser/playwright/browser-source.ts'
import { internalsOf } from '../../core/browser/playwright/internals.ts'
import type { BrowserPoolOptions } from '../../core/browser/process/pool-options.ts'
import type { OwnedPage, PageOptions } from '../../core/sessions/types/browsers.ts'
import type { FeatureParts, StartedFeature } from '../../core/tool/feature.ts'
import {
  closeFileTabs,
  type ExtensionLimits,
  findExtensionDenial,
  loadExtension,
  prepareProfile,
  watchDownloads,
} from './load-extension.ts'

/** `folders`: those of which extensions may be; undefined for any. */
export const createSessionExtension = (folders: ExtensionLimits['folders']) =>
  ({
    findLimit: ({ extension, proxy }) =>
      extension === undefined ? undefined : findExtensionDenial(extension, limitsOf(proxy, folders)),
    completePage(page, pool) {
      const { extension, proxy } = page.parts.options
      return extension === undefined
        ? Promise.resolve(ok(page))
        : addExtension(page, extension, pool, limitsOf(proxy, folders))
    },
  }) satisfies StartedFeature

export const profileOfExtension = {
  // What lets a launched Chromium load an extension by a command of its own pipe.
  launch: ({ loadsExtension = false }) =>
    loadsExtension
      ? { args: ['--enable-unsafe-extension-debugging'], ignoreDefaultArgs: ['--disable-extensions'] }
      : {},
  onProfile: (folder, { extension }) =>
    extension === undefined ? undefined : prepareProfile(folder, extension),
} satisfies FeatureParts

// --- internal ---

const limitsOf = (proxy: PageOptions['proxy'], folders: ExtensionLimits['folders']): ExtensionLimits => ({
  isGuarded: proxy !== undefined || folders !== undefined,
  folders,
})

async function addExtension(
  page: OwnedPage,
  folder: string,
  pool: BrowserPoolOptions,
  limits: ExtensionLimits,
): Promise<Outcome<OwnedPage>> {
  const { context, hooks } = page.parts
  const browser = context.browser()
  if (!browser) throw new Error('The page of an extension has no browser.')
  limitDownloads(browser, pool.onNotice)
  closeFileTabs(context)
  const extension = await loadExtension(browser, folder, limits, hooks.onEntry)
  if (!extension.ok) {
    await page.release()
    return extension
  }
  const { id, close } = extension.value
  const release = () => {
    close()
    return page.release()
  }
  return ok({ ...page, extensionId: id, release })
}

interface ServerBrowser {
  readonly options: { readonly downloadsPath?: string }
}

function limitDownloads(browser: Browser, onNotice: (text: string) => void): void {
  const folder = internalsOf<Partial<ServerBrowser>>(browser)?.options?.downloadsPath
  if (folder === undefined) return
  const end = (text: string): void => {
    onNotice(`A browser was ended: ${text}`)
    noteLoss(browser, text)
    void browser.close().catch(() => {})
  }
  void watchDownloads(folder, () => !browser.isConnected(), end)
}
