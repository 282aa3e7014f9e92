// Packages of a benchmark, installed once by npm into a folder of the user's cache.

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

const INSTALL_LIMIT_MS = 900_000

/** The folder with `node_modules` of the packages, by their ranges; `name` is that of the cache. */
export function installPackages(name: string, packages: Readonly<Record<string, string>>): string {
  const cache = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), name)
  const manifest = JSON.stringify({ private: true, dependencies: packages })
  const folder = join(cache, createHash('sha256').update(manifest).digest('hex').slice(0, 12))
  const done = join(folder, 'installed')
  if (existsSync(done)) return folder
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), manifest)
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--legacy-peer-deps', '--silent']
  const options = { cwd: folder, encoding: 'utf8', timeout: INSTALL_LIMIT_MS } as const
  const { status, stderr } = spawnSync('npm', args, options)
  if (status !== 0) throw new Error(`npm install of ${manifest}: ${stderr}`)
  writeFileSync(done, '')
  return folder
}
