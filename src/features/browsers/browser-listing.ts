// `browsers list`: what is found for each engine, and what would be used.

import { realpathSync } from 'node:fs'
import { BROWSER_NAMES, type BrowserName } from '../../core/base/browser-names.ts'
import {
  buildRoots,
  type ExecutableCandidate,
  type ExecutableSource,
} from '../../core/browser/process/find-executable.ts'
import { installCommandFor } from '../../core/browser/process/install-command.ts'
import { findInstalledBrowser } from '../../core/browser/process/launch-browser.ts'
import { findBrowserVersion } from './browser-version.ts'

interface ListedBrowser {
  readonly browser: BrowserName
  readonly found: readonly (ExecutableCandidate & { version: string | undefined })[]
  /** What would be used, by path. */
  readonly headless: string | undefined
  readonly headed: string | undefined
  readonly why: string
  /** The command that gets it, where it is not there. */
  readonly install?: string
}

export interface BrowserListing {
  readonly browsers: readonly ListedBrowser[]
  /** The folders that builds are looked for in, before the system's own places. */
  readonly roots: { readonly kits: string; readonly playwright: string }
}

/** Asks every browser on this machine for its version. */
export async function listBrowsers(): Promise<BrowserListing> {
  return { browsers: await Promise.all(BROWSER_NAMES.map(listBrowser)), roots: buildRoots() }
}

/** The listing for people. */
export function formatBrowserListing({ browsers, roots }: BrowserListing): string {
  const blocks = browsers.map(({ browser, found: candidates, headless, headed, why, install }) => {
    const rows = candidates.map(({ path, version, source }) => {
      const use = [path === headless && 'headless', path === headed && 'with windows']
        .filter(Boolean)
        .join(' and ')
      return `  ${use ? '*' : ' '} ${path}  ${version ?? 'unknown version'}  (${sources[source]})${use ? `  used ${use}` : ''}`
    })
    return [
      browser,
      ...(rows.length > 0 ? [...rows, `    ${why}`] : [`    not found; to install it: ${install}`]),
    ].join('\n')
  })
  const searchOrder = `Search order: --executable-path, ${roots.kits} (browsers unpack), ${roots.playwright} (Playwright's builds), then PATH and the usual system locations.`
  return [...blocks, searchOrder].join('\n\n')
}

/** Why this one and not another. */
export function explainChoice(
  headless: ExecutableCandidate | undefined,
  headed: ExecutableCandidate | undefined,
): string {
  if (!headless) return headed ? 'used with windows only' : 'there is none'
  const reason = {
    asked: 'from --executable-path',
    kit: 'unpacked kits are used first',
    playwright: "Playwright's own build is preferred to the system's",
    system: 'first one installed on the system',
  }[headless.source]
  const shell = /headless[-_]shell/.test(headless.path)
    ? '; the headless shell starts faster and uses less memory'
    : ''
  const windows = headed ? '' : '; none of them can show windows'
  return `${reason}${shell}${windows}`
}

// --- internal ---

const sources: Record<ExecutableSource, string> = {
  asked: '--executable-path',
  kit: 'kit',
  playwright: "Playwright's build",
  system: 'system',
}

async function listBrowser(browser: BrowserName): Promise<ListedBrowser> {
  const [headless, headed] = [
    await findInstalledBrowser(browser, true),
    await findInstalledBrowser(browser, false),
  ]
  const candidates = removeDuplicates([...headless.all, ...headed.all])
  const versions = await Promise.all(candidates.map(({ path }) => findBrowserVersion(path)))
  return {
    browser,
    found: candidates.map((candidate, index) => ({ ...candidate, version: versions[index] })),
    headless: headless.path,
    headed: headed.path,
    why: explainChoice(headless.all[0], headed.all[0]),
    ...(candidates.length === 0 && { install: installCommandFor(browser) }),
  }
}

// One file may be found by several paths, /bin and /usr/bin being the same folder.
function removeDuplicates(candidates: readonly ExecutableCandidate[]): ExecutableCandidate[] {
  const candidatesByPath = new Map<string, ExecutableCandidate>()
  for (const candidate of candidates) {
    const real = realpathSync(candidate.path)
    if (!candidatesByPath.has(real)) candidatesByPath.set(real, candidate)
  }
  return [...candidatesByPath.values()]
}
