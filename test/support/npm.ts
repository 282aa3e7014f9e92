// Packages that only a test needs, fetched by name into a folder that goes with the test.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { extname, join, normalize } from 'node:path'
import process from 'node:process'
import type { Route } from './site.ts'

export interface Fetched {
  readonly folder: string
  remove(): void
}

/** Installs packages, given as name@version, without running their scripts. By Bun, which links them from its cache. */
export function install(...packages: string[]): Fetched {
  const folder = mkdtempSync(join(tmpdir(), 'fl-npm-'))
  writeFileSync(join(folder, 'package.json'), '{}')
  const args = ['add', '--cwd', folder, '--silent', '--exact', '--ignore-scripts', ...packages]
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 180_000 })
  if (status !== 0) throw new Error(`bun add ${packages.join(' ')}: ${stderr}`)
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

const types: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
}

/** A route that serves the files of a folder. */
export const filesOf =
  (folder: string): Route =>
  (request, response) => {
    const path = decodeURIComponent((request.url ?? '/').split(/[?#]/)[0] ?? '/')
    const file = join(folder, normalize(path.endsWith('/') ? `${path}index.html` : path))
    try {
      const body = readFileSync(file)
      response
        .writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' })
        .end(body)
    } catch {
      response.writeHead(404).end()
    }
  }
