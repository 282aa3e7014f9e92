// Everything temporary of one run lies in one folder, named after the process, so that ending means removing one folder, and what
// a killed run left behind can be recognised and swept by the next.

import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

export interface Scratch {
  readonly folder: string
  remove(): void
}

const PREFIX = 'footlight-'

/** Makes this run's folder and points the temporary files of the browser and of Playwright into it. */
export function createScratch(): Scratch {
  const root = tmpdir()
  sweep(root)
  mkdirSync(root, { recursive: true })
  const folder = mkdtempSync(join(root, `${PREFIX}${process.pid}-`))
  const variables = ['TMPDIR', 'TMP', 'TEMP'] as const
  const before = variables.map((name) => [name, process.env[name]] as const)
  for (const name of variables) process.env[name] = folder
  return {
    folder,
    remove() {
      for (const [name, value] of before) {
        if (value === undefined) delete process.env[name]
        if (value !== undefined) process.env[name] = value
      }
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

function sweep(root: string): void {
  const left = namesIn(root).filter((name) => new RegExp(`^${PREFIX}\\d+-`).test(name))
  for (const name of left) {
    const pid = Number(name.slice(PREFIX.length).split('-')[0])
    if (!alive(pid)) removeIfOurs(join(root, name))
  }
}

// A folder that another user left is not ours to remove.
function removeIfOurs(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch {
    // it stays
  }
}

function namesIn(root: string): string[] {
  try {
    return readdirSync(root)
  } catch {
    return []
  }
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
