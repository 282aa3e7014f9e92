// The builds that this Playwright drives: which they are, where they belong, where they are fetched from.

import process from 'node:process'
import { err, ok, type Result } from '../../core/result.ts'

export interface Build {
  readonly title: string
  /** The folder that Playwright expects it in, and the program within. */
  readonly folder: string
  readonly program: string
  /** Best first. */
  readonly urls: readonly string[]
}

export type BuildName = 'chromium' | 'chromium-headless-shell' | 'firefox' | 'webkit'

/** Errors are sentences. PLAYWRIGHT_BROWSERS_PATH and PLAYWRIGHT_DOWNLOAD_HOST are obeyed. */
export async function buildOf(name: BuildName): Promise<Result<Build, string>> {
  const { registry } = await import('playwright-core/lib/coreBundle')
  const known = registry.registry.findExecutable(name)
  const program = known?.executablePath()
  const urls = known?.downloadURLs ?? []
  if (!known?.directory || !program || urls.length === 0)
    return err(`Playwright has no build of ${name} for ${process.platform} ${process.arch}`)
  const title = [known.title ?? name, known.browserVersion].filter(Boolean).join(' ')
  return ok({ title, folder: known.directory, program, urls })
}
