// Remembers the configurations whose projects all have a browser: their tests need not be listed before each run, which takes nearly as long as
// the run of a short test.

import { existsSync } from 'node:fs'
import { readRegularFile } from '../../core/base/files/read-regular-file.ts'
import type { TestProject } from './find-project.ts'
import type { BeginEvent } from './in-playwright/run-event.ts'
import type { PlaywrightSetup } from './run-playwright.ts'

type ListedSetup = Pick<PlaywrightSetup, 'env'> & { readonly project: Pick<TestProject, 'configuration'> }

export interface CompleteProjects {
  has(setup: ListedSetup): boolean
  note(setup: ListedSetup, listing: Pick<BeginEvent, 'projects'>): void
}

export function createCompleteProjects(): CompleteProjects {
  /** The browsers of Playwright's own that they need, by configurations. */
  const programs = new Map<string, readonly string[]>()
  return {
    has(setup) {
      const needed = programs.get(keyOf(setup) ?? '')
      return needed !== undefined && needed.every((program) => existsSync(program))
    },
    note(setup, { projects }) {
      const key = keyOf(setup)
      if (key === undefined || projects.some(({ isRunnable }) => !isRunnable)) return
      if (programs.size >= KNOWN_LIMIT) programs.clear()
      programs.set(
        key,
        projects.flatMap(({ program }) => program ?? []),
      )
    },
  }
}

// --- internal ---

const KNOWN_LIMIT = 20

/** What tells the projects; undefined where other files do too. */
function keyOf({ project: { configuration }, env = {} }: ListedSetup): string | undefined {
  const text = configuration && readRegularFile(configuration)?.toString('utf8')
  if (!text || /['"`]\.{1,2}\/.*?['"`]|readFile/.test(text.replaceAll(PATH_OPTION, ''))) return undefined
  return JSON.stringify([configuration, text, env])
}

/** Options that name a path, and read nothing. */
const PATH_OPTION =
  /\b(testDir|outputDir|snapshotDir|storageState|globalSetup|globalTeardown)\s*:\s*(['"`]).*?\2/g
