// The browser builds of this version of Playwright: where they are installed, and where they are downloaded from.

import process from 'node:process'
import { err, ok, type Result } from '../../core/result.ts'

export interface PlaywrightBuild {
  readonly title: string
  /** The folder where Playwright expects it, and the program in that folder. */
  readonly folder: string
  readonly program: string
  /** The preferred one first. */
  readonly urls: readonly string[]
}

export type PlaywrightBuildName = 'chromium' | 'chromium-headless-shell' | 'firefox' | 'webkit'

/** Respects PLAYWRIGHT_BROWSERS_PATH and PLAYWRIGHT_DOWNLOAD_HOST. The error is a sentence. */
export async function findPlaywrightBuild(
  name: PlaywrightBuildName,
): Promise<Result<PlaywrightBuild, string>> {
  const { registry } = await import('playwright-core/lib/coreBundle')
  const executable = registry.registry.findExecutable(name)
  const program = executable?.executablePath()
  const urls = executable?.downloadURLs ?? []
  if (!executable?.directory || !program || urls.length === 0)
    return err(`Playwright has no build of ${name} for ${process.platform} ${process.arch}`)
  const title = [executable.title ?? name, executable.browserVersion].filter(Boolean).join(' ')
  return ok({ title, folder: executable.directory, program, urls })
}
