// New folders are made beside their place and renamed into it, so that nobody ever sees a half of one.

import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { isAlive } from '../../devserver/process/process-table.ts'

const stagingFolderPattern = /^\.footlight-(\d+)-/

/** A temporary folder within `root`. What runs that were killed left there is removed. */
export function createStagingFolder(root: string): string {
  mkdirSync(root, { recursive: true })
  for (const name of readdirSync(root)) {
    const pid = stagingFolderPattern.exec(name)?.[1]
    if (pid && !isAlive(Number(pid))) rmSync(join(root, name), { recursive: true, force: true })
  }
  return mkdtempSync(join(root, `.footlight-${process.pid}-`))
}

/** Moves a finished folder into place; what was there is removed. */
export function moveIntoPlace(folder: string, destination: string): void {
  mkdirSync(dirname(destination), { recursive: true })
  const displaced = existsSync(destination) ? createStagingFolder(dirname(destination)) : undefined
  if (displaced) renameSync(destination, join(displaced, 'old'))
  try {
    renameSync(folder, destination)
  } catch (error) {
    // What worked before goes on working.
    if (displaced) renameSync(join(displaced, 'old'), destination)
    throw error
  }
  if (displaced) rmSync(displaced, { recursive: true, force: true })
}
