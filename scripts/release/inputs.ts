// The inputs of a release, files of dist and of the checkout, and its output folder.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { err, ok, type Result } from '../../src/core/base/result.ts'
import { type Entry, sha256 } from './archive.ts'
import type { Lock } from './lock.ts'
import type { Options } from './options.ts'
import { version } from './project.ts'
import { builtName, hostTarget, program, slug, type Target, targets } from './targets.ts'

export interface Built {
  readonly target: Target
  readonly path: string
}

/** Finds the targets to pack, and the names of those that are not built. Errors are sentences. */
export function findExecutables({
  which,
  dist,
}: Options): Result<{ built: readonly Built[]; missing: readonly string[] }, string> {
  if (which === 'host') {
    const { platform, arch } = process
    const target = hostTarget(platform, arch, isMusl())
    if (!target) return err(`there is no target for ${platform} ${arch}`)
    const path = join(dist, program(target))
    return existsSync(path)
      ? ok({ built: [{ target, path }], missing: [] })
      : err(`${path} is not there; run bun run build first`)
  }
  const all = targets.map((target) => ({ target, path: join(dist, builtName(target)) }))
  const built = all.filter(({ path }) => existsSync(path))
  const missing = all.filter(({ path }) => !existsSync(path)).map(({ target }) => slug(target))
  if (built.length === 0 || (which === 'all' && missing.length > 0))
    return err(`not built: ${missing.join(', ')}; run bun run build --all first`)
  return ok({ built, missing })
}

function isMusl(): boolean {
  if (process.platform !== 'linux') return false
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } }
  return header.glibcVersionRuntime === undefined
}

/** Reads an executable and verifies the checksum that build.ts wrote. */
export function readExecutable({ path }: Built): Uint8Array {
  const bytes = readFileSync(path)
  const [checksum] = readFileSync(`${path}.sha256`, 'utf8').split(' ')
  if (checksum !== sha256(bytes))
    throw new Error(`release: ${path} is not what ${path}.sha256 says; build it again`)
  return bytes
}

/** The documents that every archive contains. */
export const readDocuments = (dist: string): Entry[] => [
  { name: 'LICENSE', bytes: readFileSync('LICENSE') },
  { name: 'README.md', bytes: readFileSync('README.md') },
  { name: 'THIRD_PARTY_NOTICES.md', bytes: readFileSync(join(dist, 'THIRD_PARTY_NOTICES.md')) },
]

/** The modules of the build for Node. */
export const readModules = (folder: string): Entry[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.mjs'))
    .map((name) => ({ name: name.replaceAll('\\', '/'), bytes: readFileSync(join(folder, name)) }))

export const readLock = (): Lock => Bun.JSONC.parse(readFileSync('bun.lock', 'utf8')) as Lock

/** The licence of a package, from its copy in node_modules; `place` is its key in bun.lock. */
export function licenceOf(place: string, version: string): string | undefined {
  const folder = place.replace(/(@[^/]+\/)?[^/]+/g, (name) => `node_modules/${name}`)
  const path = join(folder, 'package.json')
  if (!existsSync(path)) return undefined
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as { version?: string; license?: string }
  return manifest.version === version && typeof manifest.license === 'string' ? manifest.license : undefined
}

/** Empties the release folder. Fails if it contains anything but a release. */
export function emptyFolder(out: string): Result<string, string> {
  const versionFile = join(out, 'VERSION')
  if (existsSync(out) && readdirSync(out).length > 0 && !existsSync(versionFile))
    return err(`${out} holds something else than a release; empty it, or name another with --out`)
  rmSync(out, { recursive: true, force: true })
  mkdirSync(join(out, 'npm'), { recursive: true })
  writeFileSync(versionFile, `${version}\n`)
  return ok(out)
}
