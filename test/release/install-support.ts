// A small release with a stand-in for the executable, a server for it, and install.sh run against both.

import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { gzip, sha256, tarOf, xz } from '../../scripts/release/archive.ts'
import { filesOf } from '../support/npm.ts'
import { serveSite, type Site } from '../support/site.ts'

export const script = resolve(import.meta.dir, '../../install.sh')

const libc = (process.report.getReport() as { header: { glibcVersionRuntime?: string } }).header
const musl = process.platform === 'linux' && libc.glibcVersionRuntime === undefined
export const platform = `${process.platform}-${process.arch}${musl ? '-musl' : ''}`

export const archiveOf = (version: string, suffix = 'tar.gz'): string =>
  `footlight-v${version}-${platform}.${suffix}`

/** A program that only knows its version. */
export const standIn = (version: string): string => `#!/bin/sh\necho ${version}\n`

interface Ran {
  readonly status: number
  readonly stdout: string
  readonly stderr: string
}

export interface Ground {
  readonly folder: string
  /** Where releases lie: v1.0.0/…, latest/VERSION. */
  readonly mirror: string
  readonly site: Site
  /** Puts a version on the mirror; `latest` names it as the newest. */
  release(version: string, program?: string): Promise<void>
  /** Runs a command with a home of its own, and no more of the environment than PATH. */
  run(command: readonly string[], env?: Record<string, string | undefined>, input?: string): Promise<Ran>
  remove(): void
}

export async function ground(): Promise<Ground> {
  const folder = mkdtempSync(join(tmpdir(), 'fl-install-'))
  const mirror = join(folder, 'mirror')
  mkdirSync(join(folder, 'home'))
  const site = await serveSite({}, filesOf(mirror))
  return {
    folder,
    mirror,
    site,
    async release(version, program = standIn(version)) {
      const place = join(mirror, `v${version}`)
      mkdirSync(place, { recursive: true })
      const tar = await tarOf([{ name: 'footlight', bytes: Buffer.from(program), runs: true }])
      const files = { 'tar.gz': gzip(tar, 'fast'), 'tar.xz': xz(tar, 'fast') }
      const sums = Object.entries(files).map(([suffix, bytes]) => {
        writeFileSync(join(place, archiveOf(version, suffix)), bytes)
        return `${sha256(bytes)}  ${archiveOf(version, suffix)}\n`
      })
      writeFileSync(join(place, 'SHA256SUMS'), sums.join(''))
      mkdirSync(join(mirror, 'latest'), { recursive: true })
      writeFileSync(join(mirror, 'latest/VERSION'), `${version}\n`)
    },
    async run(command, env = {}, input = '') {
      const child = Bun.spawn([...command], {
        cwd: folder,
        env: {
          PATH: process.env['PATH'] ?? '',
          HOME: join(folder, 'home'),
          SHELL: '/bin/bash',
          FOOTLIGHT_DOWNLOAD_URL: site.url,
          ...env,
        },
        stdin: Buffer.from(input),
        stdout: 'pipe',
        stderr: 'pipe',
      })
      const [stdout, stderr] = await Promise.all([
        new Response(child.stdout).text(),
        new Response(child.stderr).text(),
      ])
      return { status: await child.exited, stdout, stderr }
    },
    remove() {
      site.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const basics = [
  'sh',
  'cat',
  'uname',
  'mktemp',
  'rm',
  'cp',
  'mv',
  'mkdir',
  'chmod',
  'tar',
  'gzip',
  'cut',
  'dirname',
]

/** A folder for PATH with what the script cannot do without, and these. */
export function toolsIn(folder: string, ...more: string[]): string {
  const place = mkdtempSync(join(folder, 'path-'))
  for (const name of [...basics, ...more]) {
    const found = Bun.which(name)
    if (!found) throw new Error(`${name} is not on this machine`)
    symlinkSync(found, join(place, name))
  }
  return place
}

/** Puts a program into a folder of `toolsIn`. */
export function tool(place: string, name: string, text: string): void {
  writeFileSync(join(place, name), text)
  chmodSync(join(place, name), 0o755)
}
