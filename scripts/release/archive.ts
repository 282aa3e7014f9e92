// Reproducible archives: entries are sorted, owners are root, all timestamps are equal.

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { type Zippable, zipSync } from 'fflate'
import { pack } from 'tar-stream'

export interface Entry {
  readonly name: string
  readonly bytes: Uint8Array
  /** Whether it is executable. */
  readonly runs?: boolean
}

/** The compression level. `fast` is for tests and gives larger files. */
export type Effort = 'best' | 'fast'

const modeOf = ({ runs = false }: Entry): number => (runs ? 0o755 : 0o644)
const sortEntries = (entries: readonly Entry[]): Entry[] =>
  [...entries].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))

/** An uncompressed tar file, with the timestamp that npm uses for packages. */
export async function tarOf(entries: readonly Entry[]): Promise<Buffer> {
  const mtime = new Date('1985-10-26T08:15:00Z')
  const tar = pack()
  for (const entry of sortEntries(entries)) {
    tar.entry({ name: entry.name, mode: modeOf(entry), mtime, uid: 0, gid: 0 }, Buffer.from(entry.bytes))
  }
  tar.finalize()
  return buffer(tar)
}

export const gzip = (bytes: Uint8Array, effort: Effort): Buffer =>
  gzipSync(bytes, { level: effort === 'best' ? 9 : 1 })

/** Compresses with the program xz; `best` uses one thread, because the output of several could depend on the machine. */
export function xz(bytes: Uint8Array, effort: Effort): Buffer {
  const args = effort === 'best' ? ['-9', '--threads=1'] : ['-0', '--threads=0']
  const result = spawnSync('xz', ['--stdout', ...args], { input: bytes, maxBuffer: 2 ** 30 })
  if (result.error) throw new Error('release: the program xz is needed; on Debian: apt-get install xz-utils')
  if (result.status !== 0) throw new Error(`release: xz failed: ${String(result.stderr)}`)
  return result.stdout
}

export function zipOf(entries: readonly Entry[], effort: Effort): Uint8Array {
  // Zip stores local time, so this is local time: the same digits in every time zone.
  const mtime = new Date(1985, 9, 26, 8, 15)
  const files: Zippable = {}
  for (const entry of sortEntries(entries)) {
    // 3 is Unix, where unpackers read the mode from the upper half of the attributes.
    files[entry.name] = [entry.bytes, { mtime, os: 3, attrs: (0o100000 | modeOf(entry)) * 0x10000 }]
  }
  return zipSync(files, { level: effort === 'best' ? 9 : 1 })
}

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

export const json = (value: unknown): Uint8Array => Buffer.from(`${JSON.stringify(value, null, 2)}\n`)
