// All temporary files of one run are in one folder, named after the process: it is removed at the end, and the folders of killed runs can be
// recognized and removed by the next run.

import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

export interface TemporaryFolder {
  readonly folder: string
  remove(): void
}

const FOLDER_PREFIX = 'footlight-'

/** The folder of a run whose process has exited. */
export interface Leftover {
  readonly folder: string
  readonly pid: number
}

/** The folders that killed runs left in `root`. */
export function findLeftoverFolders(root: string = tmpdir()): Leftover[] {
  return readNames(root)
    .filter((name) => new RegExp(`^${FOLDER_PREFIX}\\d+-[A-Za-z0-9]{6}$`).test(name))
    .map((name) => ({
      folder: join(root, name),
      pid: Number(name.slice(FOLDER_PREFIX.length).split('-')[0]),
    }))
    .filter(({ pid }) => !isRunning(pid))
}

/** Removes a folder, and returns whether it no longer exists. The folder of another user cannot be removed. */
export function removeLeftover({ folder }: Leftover): boolean {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch {
    // not permitted
  }
  return !existsSync(folder)
}

/** Creates this run's folder and sets TMPDIR, TMP and TEMP to it, for the browser and for Playwright. `sweep` removes leftovers first. */
export function createTemporaryFolder({ sweep = true } = {}): TemporaryFolder {
  const root = tmpdir()
  if (sweep) for (const leftover of findLeftoverFolders(root)) removeLeftover(leftover)
  mkdirSync(root, { recursive: true })
  const folder = mkdtempSync(join(root, `${FOLDER_PREFIX}${process.pid}-`))
  const variables = ['TMPDIR', 'TMP', 'TEMP'] as const
  const previousValues = variables.map((name) => [name, process.env[name]] as const)
  for (const name of variables) process.env[name] = folder
  return {
    folder,
    remove() {
      for (const [name, value] of previousValues) {
        if (value === undefined) delete process.env[name]
        if (value !== undefined) process.env[name] = value
      }
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

function readNames(root: string): string[] {
  try {
    return readdirSync(root)
  } catch {
    return []
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
