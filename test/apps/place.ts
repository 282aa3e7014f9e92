// An application with its packages, outside of the checkout: its own files are put there anew for every run.

import { cpSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { installed, sourceOf } from './packages.ts'

/** Answers the folder of the application. */
export async function place(name: string): Promise<string> {
  const folder = await installed(name)
  for (const entry of readdirSync(folder))
    if (entry !== 'node_modules') rmSync(join(folder, entry), { recursive: true })
  // What tools keep between two starts is no part of the packages.
  for (const entry of ['.vite', '.cache'])
    rmSync(join(folder, 'node_modules', entry), { recursive: true, force: true })
  cpSync(sourceOf(name), folder, { recursive: true })
  return folder
}
