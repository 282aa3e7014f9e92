// What a release is made from, files of dist and of the checkout, and where it goes.

import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { sha256, type Entry } from './archive.ts'
import type { Lock } from './lock.ts'
import type { Options } from './options.ts'
import { version } from './project.ts'
import { builtName, hostTarget, program, slug, targets, type Target } from './targets.ts'
import { err, ok, type Result } from '../../src/core/result.ts'

export interface Built {
  readonly target: Target
  readonly path: string
}

/** The targets to pack, and the names of those that are not built. Errors are sentences. */
export function find({
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

/** An executable's bytes; it must be the file that build.ts wrote the sum of. */
export function readExecutable({ path }: Built): Uint8Array {
  const bytes = readFileSync(path)
  const [sum] = readFileSync(`${path}.sha256`, 'utf8').split(' ')
  if (sum !== sha256(bytes))
    throw new Error(`release: ${path} is not what ${path}.sha256 says; build it again`)
  return bytes
}

/** What every archive holds beside the executable. */
export const papers = (dist: string): Entry[] => [
  { name: 'LICENSE', bytes: readFileSync('LICENSE') },
  { name: 'README.md', bytes: readFileSync('README.md') },
  { name: 'THIRD_PARTY_NOTICES.md', bytes: readFileSync(join(dist, 'THIRD_PARTY_NOTICES.md')) },
]

export const readLock = (): Lock => Bun.JSONC.parse(readFileSync('bun.lock', 'utf8')) as Lock

/** A package's licence, from its copy in node_modules; `place` is its key in bun.lock. */
export function licenceOf(place: string, version: string): string | undefined {
  const folder = place.replace(/(@[^/]+\/)?[^/]+/g, (name) => `node_modules/${name}`)
  const path = join(folder, 'package.json')
  if (!existsSync(path)) return undefined
  const pack = JSON.parse(readFileSync(path, 'utf8')) as { version?: string; license?: string }
  return pack.version === version && typeof pack.license === 'string' ? pack.license : undefined
}

/** Makes the release folder anew. One that holds anything but a release is left alone, and the answer says so. */
export function emptyFolder(out: string): Result<string, string> {
  const mark = join(out, 'VERSION')
  if (existsSync(out) && readdirSync(out).length > 0 && !existsSync(mark))
    return err(`${out} holds something else than a release; empty it, or name another with --out`)
  rmSync(out, { recursive: true, force: true })
  mkdirSync(join(out, 'npm'), { recursive: true })
  writeFileSync(mark, `${version}\n`)
  return ok(out)
}
