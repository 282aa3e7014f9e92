// What the search for a browser depends on: the browser that is wanted and the machine.

import { readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import process from 'node:process'
import type { BrowserName } from '../../core/browser-names.ts'

export interface BrowserQuery {
  readonly browser: BrowserName
  readonly headless: boolean
}

export interface SearchEnvironment {
  readonly platform: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
  /** The names in a folder; none if it does not exist. */
  readonly listFolder: (folder: string) => readonly string[]
}

/** This machine. */
export function readEnvironment(): SearchEnvironment {
  const { env, platform } = process
  return { platform, env, home: homedir(), listFolder }
}

// --- internal ---

function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
