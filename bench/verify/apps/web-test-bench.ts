// Applications of WebTestBench, of a folder with its zips: those with the lock file that most of them have, so that they share their packages.

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { App } from './own-apps.ts'

const INSTALL_LIMIT_MS = 900_000
const DEV = 'npx vite --port $PORT --strictPort --host 127.0.0.1'

/** `zips`: the folder web_applications_zip of the dataset; `cache`: where packages and texts are kept. */
export function readWebTestBench(zips: string, cache: string, count: number): readonly App[] {
  const texts = join(cache, 'web-test-bench')
  mkdirSync(texts, { recursive: true })
  const folders = readdirSync(zips)
    .filter((name) => name.endsWith('.zip'))
    .toSorted()
    .map((zip) => {
      const name = zip.replace(/\.zip$/, '')
      const folder = join(texts, name)
      if (!existsSync(folder)) spawnSync('unzip', ['-q', '-o', join(zips, zip), '-d', folder])
      return join(folder, name)
    })
    .filter((folder) => existsSync(join(folder, 'package-lock.json')))
  const byLock = Map.groupBy(folders, (folder) => hashOf(join(folder, 'package-lock.json')))
  const [lock, common = []] = [...byLock].toSorted((a, b) => b[1].length - a[1].length)[0] ?? []
  if (lock === undefined) return []
  const packages = installLock(join(cache, `packages-${lock}`), common[0] ?? '')
  // Spread over all of them.
  const chosen = common.filter(
    (_, index) =>
      Math.floor((index * count) / common.length) !== Math.floor(((index - 1) * count) / common.length),
  )
  return chosen.map((folder) => ({
    name: folder.split('/').at(-1) ?? '',
    packages,
    folder,
    files: {},
    dev: DEV,
  }))
}

// --- internal ---

const hashOf = (path: string): string =>
  createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 12)

function installLock(folder: string, app: string): string {
  const done = join(folder, 'installed')
  if (existsSync(done)) return folder
  mkdirSync(folder, { recursive: true })
  for (const name of ['package.json', 'package-lock.json'])
    writeFileSync(join(folder, name), readFileSync(join(app, name)))
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--silent']
  const { status, stderr } = spawnSync('npm', args, {
    cwd: folder,
    encoding: 'utf8',
    timeout: INSTALL_LIMIT_MS,
  })
  if (status !== 0) throw new Error(`npm ci: ${stderr}`)
  writeFileSync(done, '')
  return folder
}
