// Copies of an application: its own files and its packages, with a state of its own.

import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { installed } from '../../test/apps/packages.ts'
import type { Bug } from './flow.ts'

/** Puts the application into this folder anew. Its packages are those of the lock file, as after a clone and an installation. */
export async function cloneApplication(name: string, folder: string): Promise<void> {
  const source = join(import.meta.dir, 'apps', name)
  const packages = await installed(`saved-tests-${name}`, source)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  cpSync(source, folder, { recursive: true, preserveTimestamps: true })
  execFileSync('cp', ['-al', join(packages, 'node_modules'), join(folder, 'node_modules')])
}

/** Puts the bug in, and answers how to take it out. Throws if the source has not exactly one place for it. */
export function seedBug(folder: string, { name, file, from, to }: Bug): () => void {
  const path = join(folder, file)
  const original = readFileSync(path, 'utf8')
  if (original.split(from).length !== 2) throw new Error(`${file} has no single place for: ${name}`)
  writeFileSync(
    path,
    original.replace(from, () => to),
  )
  return () => writeFileSync(path, original)
}
