import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { isOlderVersion, readDynamicSection } from '../../../src/features/browsers/elf.ts'
import {
  findIncompatibility,
  isLinkInside,
  type Manifest,
  parseManifest,
} from '../../../src/features/browsers/kit-manifest.ts'

const kit: Manifest = {
  format: 1,
  browser: 'chromium',
  shell: true,
  version: '156.0.1',
  platform: 'linux',
  arch: 'x64',
  glibc: '2.36',
  entry: 'run',
  files: [{ path: 'run', size: 1, executable: true, sha256: '0'.repeat(64) }],
  links: [{ path: 'browser/a', target: '../run' }],
}
const [file] = kit.files
const at = (path: string) => ({ ...kit, files: [...kit.files, { ...file, path }] })

test('a manifest is what it says', () => {
  expect(parseManifest(JSON.stringify(kit))).toEqual({ ok: true, value: kit })
})

test.each([
  ['no JSON', '{', 'is invalid'],
  ['another format', { ...kit, format: 2 }, 'format'],
  ['a path that leaves', at('a/../../x'), 'a path within the kit'],
  ['an absolute path', at('/etc/passwd'), 'a path within the kit'],
  ['a path of Windows', at('C:/x'), 'a path within the kit'],
  ['a backslash', at('a\\..\\x'), 'a path within the kit'],
  ['its own name', at('kit.json'), 'a path within the kit'],
  ['a version that is a path', { ...kit, version: '1/../../x' }, 'a version'],
  ['a path twice', at('run'), 'twice'],
  ['a link that leaves', { ...kit, links: [{ path: 'browser/a', target: '../../x' }] }, 'points out'],
  ['a link to a root', { ...kit, links: [{ path: 'a', target: '/etc' }] }, 'points out'],
  ['a file behind a link', { ...at('browser/a/b'), links: kit.links }, 'behind a link'],
  ['no program', { ...kit, entry: 'other' }, 'not in it'],
])('a manifest with %s is refused', (_, value, words) => {
  const parsed = parseManifest(typeof value === 'string' ? value : JSON.stringify(value))
  expect(parsed).toMatchObject({ ok: false, error: expect.stringContaining(words) })
})

test.each([
  ['a/b', 'c', true],
  ['a/b', '../c', true],
  ['a/b', '../../c', false],
  ['a', '..', false],
  ['a/b', 'x/../../../y', false],
  ['a', '', false],
  ['a', 'C:\\x', false],
])('%s -> %s stays inside: %p', (path, target, stays) => {
  expect(isLinkInside(path, target)).toBe(stays)
})

test.each([
  [{ platform: 'linux', arch: 'x64', glibc: '2.36' }, undefined],
  [{ platform: 'linux', arch: 'x64', glibc: '2.41' }, undefined],
  [{ platform: 'linux', arch: 'x64', glibc: '2.9' }, 'this machine has 2.9'],
  [{ platform: 'linux', arch: 'x64' }, 'another C library'],
  [{ platform: 'linux', arch: 'arm64', glibc: '2.36' }, 'this machine is linux arm64'],
  [{ platform: 'darwin', arch: 'x64' }, 'this machine is darwin x64'],
])('on %p a kit for linux x64 with glibc 2.36: %p', (here, words) => {
  const problem = findIncompatibility(kit, here)
  if (words === undefined) expect(problem).toBeUndefined()
  else expect(problem).toContain(words)
})

test('versions are compared by their numbers', () => {
  expect([
    isOlderVersion('2.9', '2.36'),
    isOlderVersion('2.36', '2.36'),
    isOlderVersion('2.36', '2.9'),
  ]).toEqual([true, false, false])
})

describe('programs for Linux', () => {
  const reader = (bytes: Buffer) => (offset: number, length: number) =>
    bytes.subarray(offset, offset + length)
  test.skipIf(process.platform !== 'linux')('the libraries that a program names', () => {
    const found = readDynamicSection(reader(readFileSync('/bin/sh')))
    expect(found?.needed).toContain('libc.so.6')
    expect(found?.glibc).toMatch(/^2\.\d+$/)
  })
  test('what is none, or is cut off, is none', () => {
    expect(readDynamicSection(reader(Buffer.from('#!/bin/sh\n')))).toBeUndefined()
    expect(readDynamicSection(reader(readFileSync('/bin/sh').subarray(0, 100)))).toBeUndefined()
  })
})
