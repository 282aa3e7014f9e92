// The packages of a client, fetched once for each set of versions into a folder that outlives the run.

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

export type Packages = Readonly<Record<string, string>>

const cache = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'footlight-apps')

/** The folder with these packages, given with their exact versions. No script of a package runs. */
export function fetched(packages: Packages): string {
  const manifest = JSON.stringify({ private: true, dependencies: packages })
  const folder = join(cache, createHash('sha256').update(manifest).digest('hex').slice(0, 16))
  if (existsSync(folder)) return folder
  mkdirSync(cache, { recursive: true })
  const fresh = mkdtempSync(join(cache, 'new-'))
  writeFileSync(join(fresh, 'package.json'), manifest)
  const args = ['install', '--silent', '--ignore-scripts', '--no-package-lock', '--no-audit', '--no-fund']
  const { status, stderr } = spawnSync('npm', args, { cwd: fresh, encoding: 'utf8', timeout: 600_000 })
  if (status !== 0) {
    rmSync(fresh, { recursive: true, force: true })
    throw new Error(`npm install ${Object.keys(packages).join(' ')}: ${stderr}`)
  }
  try {
    renameSync(fresh, folder)
  } catch (error) {
    // Another run was faster.
    rmSync(fresh, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
  return folder
}
