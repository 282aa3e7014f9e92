// Everything temporary of one run lies in one folder, named after the process, so that ending means removing one folder, and what
// a killed run left behind can be recognised and swept by the next.

import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

export interface TemporaryFolder {
  readonly folder: string
  remove(): void
}

const PREFIX = 'footlight-'

/** A folder of a run whose process is gone. */
export interface Leftover {
  readonly folder: string
  readonly pid: number
}

/** What runs that were killed left in the temporary folder. */
export function leftovers(root: string = tmpdir()): Leftover[] {
  return namesIn(root)
    .filter((name) => new RegExp(`^${PREFIX}\\d+-[A-Za-z0-9]{6}$`).test(name))
    .map((name) => ({
      folder: join(root, name),
      pid: Number(name.slice(PREFIX.length).split('-')[0]),
    }))
    .filter(({ pid }) => !alive(pid))
}

/** Removes it, and answers whether it is gone. A folder that another user left is not ours to remove. */
export function removeLeftover({ folder }: Leftover): boolean {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch {
    // it stays
  }
  return !existsSync(folder)
}

/** Makes this run's folder and points the temporary files of the browser and of Playwright into it. `sweep` removes leftovers first. */
export function createTemporaryFolder({ sweep = true } = {}): TemporaryFolder {
  const root = tmpdir()
  if (sweep) for (const left of leftovers(root)) removeLeftover(left)
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
