// What the search for a browser depends on: the browser that is wanted and the machine.

import { readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import process from 'node:process'
import type { BrowserName } from '../../runtime/ports/browsers.ts'

export interface WantedBrowser {
  readonly browser: BrowserName
  readonly headless: boolean
}

export interface SearchEnvironment {
  readonly platform: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
  /** Names in a folder; nothing when it is not there. */
  readonly list: (folder: string) => readonly string[]
}

/** This machine. */
export function readEnvironment(): SearchEnvironment {
  const { env, platform } = process
  return { platform, env, home: homedir(), list }
}

// --- internal ---

function list(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
