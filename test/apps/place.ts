// An application with its packages, outside of the checkout: its own files are put there anew for every run.

import { cpSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { installed, sourceOf } from './packages.ts'

/** Answers the folder of the application. */
export async function place(name: string): Promise<string> {
  const folder = join(await installed(name), name)
  for (const entry of readdirSync(folder))
    if (entry !== 'node_modules') rmSync(join(folder, entry), { recursive: true })
  // What tools keep between two starts is no part of the packages.
  for (const entry of kept) rmSync(join(folder, 'node_modules', entry), { recursive: true, force: true })
  cpSync(sourceOf(name), folder, { recursive: true })
  return folder
}

/** Puts a copy of the application and its packages into an empty folder, and answers the folder of the application in it. */
export async function placeCopy(name: string, folder: string): Promise<string> {
  const workspace = await installed(name)
  const isPackage = (path: string) =>
    !path.endsWith('.sock') && !kept.some((entry) => path.endsWith(join('node_modules', entry)))
  for (const part of ['package.json', 'bun.lock', 'node_modules', join(name, 'node_modules')])
    cpSync(join(workspace, part), join(folder, part), {
      recursive: true,
      verbatimSymlinks: true,
      filter: isPackage,
    })
  cpSync(sourceOf(name), join(folder, name), { recursive: true })
  return join(folder, name)
}

// --- internal ---

const kept = ['.vite', '.cache']
