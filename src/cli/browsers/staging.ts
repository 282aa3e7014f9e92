// New folders are made beside their place and renamed into it, so that nobody ever sees a half of one.

import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { isAlive } from '../../devserver/process/process-tree.ts'

const mark = /^\.footlight-(\d+)-/

/** A temporary folder within `root`. What runs that were killed left there is removed. */
export function stage(root: string): string {
  mkdirSync(root, { recursive: true })
  for (const name of readdirSync(root)) {
    const pid = mark.exec(name)?.[1]
    if (pid && !isAlive(Number(pid))) rmSync(join(root, name), { recursive: true, force: true })
  }
  return mkdtempSync(join(root, `.footlight-${process.pid}-`))
}

/** Moves a finished folder into place; what was there is removed. */
export function settle(folder: string, place: string): void {
  mkdirSync(dirname(place), { recursive: true })
  const old = existsSync(place) ? stage(dirname(place)) : undefined
  if (old) renameSync(place, join(old, 'old'))
  try {
    renameSync(folder, place)
  } catch (error) {
    // What worked before goes on working.
    if (old) renameSync(join(old, 'old'), place)
    throw error
  }
  if (old) rmSync(old, { recursive: true, force: true })
}
