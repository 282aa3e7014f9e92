// Runs release.ts, and reads what it wrote.

import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { gunzipSync } from 'node:zlib'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { extract, type Header } from 'tar-stream'
import { sha256 } from '../../scripts/release/archive.ts'
import { builtName, targets } from '../../scripts/release/targets.ts'

export const root = resolve(import.meta.dir, '../..')

export interface Scratch {
  readonly folder: string
  remove(): void
}

export function scratch(): Scratch {
  const folder = mkdtempSync(join(tmpdir(), 'fl-release-'))
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** A dist with a few bytes in place of each executable. */
export function standIns(folder: string): string {
  const dist = join(folder, 'dist')
  mkdirSync(join(dist, 'npm'), { recursive: true })
  for (const target of targets) {
    const bytes = Buffer.from(`the executable for ${target.bun}\n`.repeat(1000))
    writeFileSync(join(dist, builtName(target)), bytes)
    writeFileSync(join(dist, `${builtName(target)}.sha256`), `${sha256(bytes)}  ${builtName(target)}\n`)
  }
  writeFileSync(join(dist, 'npm/footlight.mjs'), 'console.log("node")\n')
  writeFileSync(join(dist, 'THIRD_PARTY_NOTICES.md'), 'notices\n')
  return dist
}

export function release(args: readonly string[], env: Record<string, string> = {}) {
  return spawnSync(process.execPath, ['scripts/release.ts', ...args], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, ...env },
  })
}

/** The sum of every file below a folder, by path. */
export function sumsOf(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  const paths = files.map((entry) => join(entry.parentPath, entry.name)).sort()
  return Object.fromEntries(paths.map((path) => [path.slice(folder.length + 1), sha256(readFileSync(path))]))
}

/** What a program prints, its lines; it must end well. */
export function lines(...[program, ...args]: [string, ...string[]]): string[] {
  const ran = spawnSync(program, args, { encoding: 'utf8' })
  if (ran.status !== 0) throw new Error(`${program} ${args.join(' ')}: ${ran.error?.message ?? ran.stderr}`)
  return ran.stdout.trimEnd().split('\n')
}

export const parsed = (path: string): any => JSON.parse(readFileSync(path, 'utf8'))

/** Checks values against JSON schemas; addresses in other scripts than Latin are not looked into, none of ours is. */
export function checker(): Ajv {
  const ajv = new Ajv({ strict: false })
  addFormats.default(ajv)
  return ajv.addFormat('iri-reference', true).addFormat('idn-email', true)
}

export interface Member extends Header {
  readonly text: string
}

/** What a .tar.gz or .tar.xz holds. */
export async function membersOf(path: string): Promise<Member[]> {
  const packed = readFileSync(path)
  const tar = path.endsWith('.xz')
    ? spawnSync('xz', ['-dc'], { input: packed, maxBuffer: 2 ** 30 }).stdout
    : gunzipSync(packed)
  const members: Member[] = []
  const reader = extract()
  reader.end(tar)
  for await (const entry of reader) {
    const chunks: Buffer[] = []
    for await (const chunk of entry) chunks.push(chunk as Buffer)
    members.push({ ...entry.header, text: Buffer.concat(chunks).toString() })
  }
  return members
}
