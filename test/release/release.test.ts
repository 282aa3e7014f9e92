// A release of all targets, with stand-ins for the executables: names, contents, sums, and what is refused.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chmodSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { version } from '../../scripts/release/project.ts'
import { builtName, slug, targets } from '../../scripts/release/targets.ts'
import { lines, membersOf, release, type Scratch, scratch, standIns, sumsOf } from './support.ts'

let ground: Scratch
let dist: string
let out: string

beforeAll(() => {
  ground = scratch()
  dist = standIns(ground.folder)
  out = join(ground.folder, 'out')
  const ran = release(['--all', '--dist', dist, '--out', out])
  expect([ran.status, ran.stderr]).toEqual([0, ''])
})
afterAll(() => ground.remove())

const at = (file: string): string => join(out, file)
const unix = targets.filter(({ platform }) => platform !== 'win32').map(slug)

test('there is a file of each kind for each target, and nothing else', () => {
  const stem = (name: string) => `footlight-v${version}-${name}`
  expect(readdirSync(out).sort()).toEqual(
    [
      ...unix.flatMap((name) => [`${stem(name)}.tar.gz`, `${stem(name)}.tar.xz`]),
      `${stem('windows-x64')}.zip`,
      ...targets.map((target) => `${stem(slug(target))}.mcpb`),
      ...['', '.installer', '.locale.en-US'].map((part) => `Footlight.Footlight${part}.yaml`),
      `footlight-v${version}.cdx.json`,
      ...[
        'SHA256SUMS',
        'VERSION',
        'footlight.json',
        'footlight.rb',
        'install.ps1',
        'install.sh',
        'npm',
        'server.json',
      ],
    ].sort(),
  )
  expect(readdirSync(at('npm')).sort()).toEqual(
    [
      `footlight-${version}.tgz`,
      ...targets.map((target) => `footlight-${slug(target)}-${version}.tgz`),
    ].sort(),
  )
})

test('archives hold the executable, to be run, and its papers', async () => {
  const papers = ['LICENSE', 'README.md', 'THIRD_PARTY_NOTICES.md']
  for (const name of unix) {
    for (const suffix of ['gz', 'xz']) {
      const members = await membersOf(at(`footlight-v${version}-${name}.tar.${suffix}`))
      expect(members.map((member) => member.name)).toEqual([...papers, 'footlight'])
      expect(members.at(-1)).toMatchObject({ mode: 0o755, uid: 0, gid: 0 })
      expect(members.at(-1)?.mtime?.toISOString()).toBe('1985-10-26T08:15:00.000Z')
      expect(members.at(-1)?.text).toStartWith(`the executable for bun-${name}\n`)
    }
  }
  const zip = at(`footlight-v${version}-windows-x64.zip`)
  expect(lines('unzip', '-Z1', zip)).toEqual([...papers, 'footlight.exe'])
  expect(lines('unzip', '-p', zip, 'footlight.exe')[0]).toBe('the executable for bun-windows-x64')
})

test('SHA256SUMS lists every file, and each is right', () => {
  const listed = readFileSync(at('SHA256SUMS'), 'utf8').trimEnd().split('\n')
  const files = readdirSync(out).filter((name) => name !== 'npm' && name !== 'SHA256SUMS')
  expect(listed.map((line) => line.slice(66))).toEqual(files.sort())
  const sums = sumsOf(out)
  for (const line of listed) expect(sums[line.slice(66)]).toBe(line.slice(0, 64))
})

test('another run, in another time zone and from files with other times and modes, gives the same bytes', () => {
  const before = sumsOf(out)
  const again = join(ground.folder, 'again')
  for (const target of targets) {
    utimesSync(join(dist, builtName(target)), 1, 1)
    chmodSync(join(dist, builtName(target)), 0o600)
  }
  const ran = release(['--all', '--dist', dist, '--out', again], { TZ: 'Asia/Kathmandu' })
  expect(ran.status).toBe(0)
  expect(sumsOf(again)).toEqual(before)
})

describe('it refuses', () => {
  const refused = (...args: string[]) => {
    const { status, stderr } = release(args)
    return [status, stderr] as const
  }

  test('a flag it does not know, with 2', () => {
    expect(refused('--hots-only')).toEqual([2, expect.stringContaining('Usage: bun run release')])
  })

  test('a folder that holds something else', () => {
    const [status, stderr] = refused('--dist', dist, '--out', dist)
    expect([status, stderr]).toEqual([1, expect.stringContaining('name another with --out')])
    expect(readdirSync(dist)).toContain('npm')
  })

  test('a target that is missing, with --all; without it that one is left out', () => {
    const some = join(ground.folder, 'some')
    const partial = standIns(some)
    const one = targets.at(-1)!
    rmSync(join(partial, builtName(one)))
    expect(refused('--all', '--dist', partial, '--out', join(some, 'out'))).toEqual([
      1,
      expect.stringContaining(`not built: ${slug(one)}; run bun run build --all`),
    ])
    const [status, stderr] = refused('--fast', '--dist', partial, '--out', join(some, 'out'))
    expect([status, stderr]).toEqual([0, `release: not built, so left out: ${slug(one)}\n`])
    writeFileSync(join(partial, builtName(targets[0]!)), 'changed since')
    expect(refused('--dist', partial, '--out', join(some, 'out'))).toEqual([
      1,
      expect.stringContaining('build it again'),
    ])
  })
})
