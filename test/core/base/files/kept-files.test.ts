// One writer and one reader of the files that have fixed names, against all that somebody else may have put there.

import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import {
  appendToFile,
  createNewFile,
  readKeptFile,
  replaceFile,
} from '../../../../src/core/base/files/kept-files.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'fl-kept-')))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let folder: string
let path: string
let outside: string
beforeEach(() => {
  folder = mkdtempSync(join(root, 'folder-'))
  path = join(folder, 'verify.md')
  outside = join(mkdtempSync(join(root, 'outside-')), 'profile')
  writeFileSync(outside, 'of the user', { mode: 0o644 })
})

const isRoot = process.getuid?.() === 0

/** What may have the name of a file. */
const planted: Record<string, { put: () => void; needsRoot?: true }> = {
  'a link to a file': { put: () => symlinkSync(outside, path) },
  'a link to nowhere': { put: () => symlinkSync(`${outside}-not-there`, path) },
  'a link to /dev/null': { put: () => symlinkSync('/dev/null', path) },
  'a link to a folder': { put: () => symlinkSync(join(outside, '..'), path) },
  'a link to itself': { put: () => symlinkSync('verify.md', path) },
  'a pipe': { put: () => spawnSync('mkfifo', [path]) },
  'a hard link to a file': { put: () => linkSync(outside, path) },
  'a file that others may write': { put: () => (writeFileSync(path, 'x'), chmodSync(path, 0o666)) },
  'a file that a group may write': { put: () => (writeFileSync(path, 'x'), chmodSync(path, 0o660)) },
  'a file of another user': {
    put: () => (writeFileSync(path, 'x', { mode: 0o600 }), chownSync(path, 12_345, 12_345)),
    needsRoot: true,
  },
  'a device': { put: () => spawnSync('mknod', [path, 'c', '1', '5']), needsRoot: true },
}
const cases = Object.entries(planted).filter(([, { needsRoot }]) => isRoot || !needsRoot)

describe.each(cases)('%s', (_, { put }) => {
  beforeEach(put)
  const expectUntouched = () => {
    expect(readFileSync(outside, 'utf8')).toBe('of the user')
    expect(statSync(outside).mode & 0o777).toBe(0o644)
    expect(existsSync(`${outside}-not-there`)).toBe(false)
  }

  test('is replaced by a new file', async () => {
    await replaceFile(path, 'new')
    expect(lstatSync(path)).toMatchObject({ nlink: 1, size: 3 })
    expect(lstatSync(path).mode & 0o777).toBe(0o600)
    expect(readKeptFile(path, 100)).toEqual({ ok: true, value: Buffer.from('new') })
    expect(readdirSync(folder)).toEqual(['verify.md'])
    expectUntouched()
  })

  test('is not appended to, and not read', async () => {
    const before = lstatSync(path)
    await expect(appendToFile(path, 'new')).rejects.toThrow(/it is|it belongs|it may be/)
    expect(readKeptFile(path, 100)).toEqual({
      ok: false,
      error: expect.stringMatching(/it is|it belongs|it may be/),
    })
    expect(lstatSync(path)).toMatchObject({ ino: before.ino, size: before.size })
    expectUntouched()
  })
})

test('a read-only file is replaced and read; a folder stays, and nothing is left beside it', async () => {
  writeFileSync(path, 'old', { mode: 0o400 })
  expect(readKeptFile(path, 100)).toMatchObject({ ok: true })
  await replaceFile(path, 'new')
  expect(readFileSync(path, 'utf8')).toBe('new')
  rmSync(path)
  mkdirSync(path)
  await expect(replaceFile(path, 'new')).rejects.toThrow()
  expect(readKeptFile(path, 100)).toEqual({ ok: false, error: 'it is no regular file' })
  expect(readdirSync(folder)).toEqual(['verify.md'])
})

test('of a file of 2 GB only the size is looked at', async () => {
  writeFileSync(path, '', { mode: 0o600 })
  truncateSync(path, 2 ** 31)
  const before = process.memoryUsage().rss
  expect(readKeptFile(path, 1000)).toEqual({
    ok: false,
    error: 'it has 2147483648 bytes, more than 1000',
  })
  expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000)
  await replaceFile(path, 'new')
  expect(statSync(path).size).toBe(3)
})

test('no link above the file is followed, also one that comes at the last moment', async () => {
  const linked = join(root, `link-${folder.slice(-6)}`)
  symlinkSync(join(outside, '..'), linked)
  await expect(replaceFile(join(linked, 'profile'), 'new')).rejects.toThrow('is a link')
  expect(readFileSync(outside, 'utf8')).toBe('of the user')
  expect(readdirSync(join(outside, '..'))).toEqual(['profile'])
})

test.each([
  ['replaced', (one: string) => replaceFile(one, 'new')],
  ['appended to', (one: string) => appendToFile(one, 'more')],
] as const)(
  'whoever exchanges names while a file is %s gets nothing written elsewhere',
  async (how, write) => {
    const isAppending = how === 'appended to'
    const stop = new AbortController()
    const exchange = (async () => {
      for (let count = 0; !stop.signal.aborted; count += 1) {
        try {
          rmSync(path, { force: true })
          if (isAppending || count % 2 === 0) symlinkSync(outside, path)
          else linkSync(outside, path)
        } catch {
          // The writer was quicker.
        }
        await new Promise((resolve) => setImmediate(resolve))
      }
    })()
    for (let count = 0; count < 300; count += 1) await write(path).catch(() => {})
    stop.abort()
    await exchange
    expect(readFileSync(outside, 'utf8')).toBe('of the user')
  },
)

test('nothing of a file is lost while others read it, and two that append lose nothing', async () => {
  await replaceFile(path, 'a'.repeat(100_000))
  let isDone = false
  const reading = (async () => {
    const seen = new Set<number>()
    while (!isDone) {
      const read = readKeptFile(path, 1_000_000)
      if (read.ok) seen.add(read.value?.length ?? -1)
      await new Promise((resolve) => setImmediate(resolve))
    }
    return [...seen]
  })()
  for (let count = 0; count < 100; count += 1) await replaceFile(path, 'b'.repeat(100_000))
  isDone = true
  expect(await reading).toEqual([100_000])
  await replaceFile(path, '')
  await Promise.all(Array.from({ length: 50 }, () => appendToFile(path, 'line\n')))
  expect(readFileSync(path, 'utf8')).toBe('line\n'.repeat(50))
})

test('a new file takes no name that anything has, a link to nowhere included', async () => {
  symlinkSync(`${outside}-not-there`, path)
  await expect(createNewFile(path, 'new')).rejects.toThrow('EEXIST')
  expect(existsSync(`${outside}-not-there`)).toBe(false)
  expect(readKeptFile(join(folder, 'none'), 10)).toEqual({ ok: true, value: undefined })
})
