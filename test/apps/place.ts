// An application with its packages, outside of the checkout: they are installed once for each lock file, its own files are put there anew
// for every run.

import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { createHash } from 'node:crypto'
import { homedir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

const cache = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'footlight-apps')
const MANIFEST = ['package.json', 'bun.lock']
const INSTALL_LIMIT_MS = 600_000

/** Answers the folder of the application. */
export function place(name: string): string {
  const own = join(import.meta.dir, name)
  const hash = createHash('sha256')
  for (const file of MANIFEST) hash.update(readFileSync(join(own, file)))
  const folder = join(cache, `${name}-${hash.digest('hex').slice(0, 12)}`)
  if (!existsSync(folder)) installInto(folder, own)
  for (const entry of readdirSync(folder))
    if (entry !== 'node_modules') rmSync(join(folder, entry), { recursive: true })
  // What tools keep between two starts is no part of the packages.
  for (const entry of ['.vite', '.cache'])
    rmSync(join(folder, 'node_modules', entry), { recursive: true, force: true })
  cpSync(own, folder, { recursive: true })
  return folder
}

// An installation that was interrupted must not be taken for one.
function installInto(folder: string, own: string): void {
  mkdirSync(cache, { recursive: true })
  const begun = mkdtempSync(join(cache, 'installing-'))
  try {
    for (const file of MANIFEST) cpSync(join(own, file), join(begun, file))
    const { status, stderr, error } = spawnSync(
      process.execPath,
      ['install', '--frozen-lockfile', '--ignore-scripts', '--silent'],
      { cwd: begun, encoding: 'utf8', timeout: INSTALL_LIMIT_MS },
    )
    if (status !== 0) throw new Error(`bun install in ${own}: ${stderr} ${error ?? ''}`)
    renameSync(begun, folder)
  } finally {
    rmSync(begun, { recursive: true, force: true })
  }
}
