// The folders that results go to, on a real disk.

import { afterAll, afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import fc from 'fast-check'
import { createFiles } from '../../../../src/core/base/files/session-files.ts'
import { findWorkspaceFolder, isBelow } from '../../../../src/core/base/files/workspace-roots.ts'
import { writeState } from '../../../../src/features/states/named-states.ts'

const session = '12345678-0000-4000-8000-000000000000'
const bytes = new TextEncoder().encode('x')
const root = realpathSync(mkdtempSync(join(tmpdir(), 'fl-files-')))
const previousCwd = process.cwd()
let workFolder: string
let outside: string
beforeEach(() => {
  workFolder = mkdtempSync(join(root, 'work-'))
  outside = mkdtempSync(join(root, 'outside-'))
})
afterEach(() => process.chdir(previousCwd))
afterAll(() => rmSync(root, { recursive: true }))

const write = (output: string) => createFiles(output).folder(session).write('a.json', bytes)
const denied = {
  ok: false,
  error: {
    code: 'ACCESS_DENIED',
    rule: 'symbolic links in the output directory are not followed',
  },
}

// A small disk is mounted, which only root may do.
test.skipIf(process.getuid?.() !== 0)(
  'on a full disk nothing is left of a file that could not be written',
  async () => {
    expect(spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', workFolder]).status).toBe(0)
    try {
      const large = new Uint8Array(100_000)
      const full = { ok: false, error: { code: 'RESOURCE_EXHAUSTED', resource: 'disk' } }
      const files = createFiles(workFolder)
      expect(await files.create(join(workFolder, 'state.json'), large)).toMatchObject(full)
      expect(await files.folder(session).write('page.png', large)).toMatchObject(full)
      const state = {
        cookies: [],
        origins: [{ origin: 'https://a', localStorage: [{ name: 'a', value: 'x'.repeat(100_000) }] }],
      }
      await expect(writeState(workFolder, 'work.json', state)).rejects.toThrow('ENOSPC')
      expect(readdirSync(workFolder, { recursive: true })).toEqual(['12345678', '12345678/.gitignore'])
    } finally {
      spawnSync('umount', [workFolder])
    }
  },
)

describe('the output directory', () => {
  test('is made with what is above it, for this user only, and git leaves it out', async () => {
    const output = join(workFolder, 'deep/out')
    const file = await write(output)
    expect(file).toMatchObject({ ok: true, value: { path: join(output, '12345678/a.json') } })
    for (const path of [output, join(output, '12345678')]) expect(statSync(path).mode & 0o777).toBe(0o700)
    expect(statSync(join(output, '12345678/a.json')).mode & 0o777).toBe(0o600)
    expect(readFileSync(join(output, '.gitignore'), 'utf8')).toBe('*\n')
    writeFileSync(join(output, '.gitignore'), 'mine')
    await write(output)
    expect(readFileSync(join(output, '.gitignore'), 'utf8')).toBe('mine')
  })
  test('that was there before gets no .gitignore', async () => {
    await write(workFolder)
    expect(readdirSync(workFolder)).toEqual(['12345678'])
  })
  test('that is a link is refused, and what it leads to is not read either', async () => {
    const output = join(workFolder, 'out')
    symlinkSync(outside, output)
    writeFileSync(join(outside, 'secret.json'), '{}')
    expect(await write(output)).toMatchObject(denied)
    expect(readdirSync(outside)).toEqual(['secret.json'])
    process.chdir(mkdtempSync(join(root, 'elsewhere-')))
    const files = createFiles(output)
    expect(await files.read(join(output, 'secret.json'))).toMatchObject({ error: { code: 'ACCESS_DENIED' } })
    expect(await files.create(join(output, 'new.json'), bytes)).toMatchObject({
      error: { code: 'ACCESS_DENIED' },
    })
    expect(readdirSync(outside)).toEqual(['secret.json'])
  })
  test('below a link is as good as its real path: only what is below it counts', async () => {
    symlinkSync(outside, join(workFolder, 'disk'))
    expect(await write(join(workFolder, 'disk/out'))).toMatchObject({
      ok: true,
      value: { path: join(outside, 'out/12345678/a.json') },
    })
  })
  test('that is a file says so', async () => {
    writeFileSync(join(workFolder, 'out'), '')
    expect(await write(join(workFolder, 'out'))).toMatchObject({ error: { code: 'RESOURCE_EXHAUSTED' } })
  })
})

describe('a file that an agent names', () => {
  const withFolders = { createsFolders: true }
  test('may be missing; what it then gets are its bytes and the folders above it', async () => {
    process.chdir(workFolder)
    const files = createFiles(join(workFolder, 'out'))
    expect(await files.readIfExists('a/b/c.png')).toEqual({ ok: true, value: undefined })
    expect(await files.create('a/b/c.png', bytes)).toMatchObject({ ok: false })
    expect(existsSync(join(workFolder, 'a'))).toBe(false)
    const path = join(workFolder, 'a/b/c.png')
    expect(await files.create('a/b/c.png', bytes, withFolders)).toEqual({ ok: true, value: path })
    expect(await files.readIfExists('a/b/c.png')).toMatchObject({ ok: true, value: expect.anything() })
    expect(await files.create('a/b/c.png', bytes, withFolders)).toMatchObject({
      ok: false,
      error: { field: 'path' },
    })
  })
  test('gets no folders outside of the workspace, not through links either', async () => {
    process.chdir(workFolder)
    const files = createFiles(join(workFolder, 'out'))
    symlinkSync(outside, join(workFolder, 'link'))
    symlinkSync(join(outside, 'gone'), join(workFolder, 'dangling'))
    writeFileSync(join(workFolder, 'file'), '')
    for (const path of [join(outside, 'a/b.png'), 'link/a/b.png', '../a/b.png', 'link/b.png'])
      expect(await files.create(path, bytes, withFolders)).toMatchObject({
        ok: false,
        error: { code: 'ACCESS_DENIED' },
      })
    for (const path of ['dangling/a/b.png', 'dangling', 'file/a/b.png'])
      expect([path, (await files.create(path, bytes, withFolders)).ok]).toEqual([path, false])
    expect(readdirSync(outside)).toEqual([])
    expect(readdirSync(root)).not.toContain('a')
    // What is there and may not be read is not missing.
    for (const path of ['dangling', 'link'])
      expect([path, (await files.readIfExists(path)).ok]).toEqual([path, false])
  })
})

describe('the folder of a session', () => {
  test('that is a link is refused, at first or later', async () => {
    const output = join(workFolder, 'out')
    mkdirSync(output)
    symlinkSync(outside, join(output, '12345678'))
    expect(await write(output)).toMatchObject(denied)
    rmSync(join(output, '12345678'))
    const folder = createFiles(output).folder(session)
    expect((await folder.write('a.json', bytes)).ok).toBe(true)
    rmSync(join(output, '12345678'), { recursive: true })
    symlinkSync(outside, join(output, '12345678'))
    expect(await folder.write('b.json', bytes)).toMatchObject(denied)
    expect(readdirSync(outside)).toEqual([])
  })
  test('and a file in it that became a link is neither finished nor read', async () => {
    writeFileSync(join(outside, 'secret'), 'secret', { mode: 0o644 })
    const folder = createFiles(join(workFolder, 'out')).folder(session)
    const path = await folder.reserve('a.zip')
    if (!path.ok) throw new Error(path.error.code)
    rmSync(path.value)
    symlinkSync(join(outside, 'secret'), path.value)
    expect(await folder.finish(path.value).catch((error: Error) => error)).toBeInstanceOf(Error)
    expect(await folder.read('a.zip')).toBeUndefined()
    expect(statSync(join(outside, 'secret')).mode & 0o777).toBe(0o644)
  })
})

test('a named path below the output directory passes no link, though it leads to where one may write', async () => {
  process.chdir(workFolder)
  const output = join(workFolder, 'out')
  mkdirSync(join(output, 'plain'), { recursive: true })
  mkdirSync(join(workFolder, 'src'))
  symlinkSync(join(workFolder, 'src'), join(output, 'link'))
  const files = createFiles(output)
  expect(await files.create('out/link/new.json', bytes)).toMatchObject(denied)
  expect(existsSync(join(workFolder, 'src/new.json'))).toBe(false)
  expect(await files.create('out/plain/new.json', bytes)).toMatchObject({ ok: true })
  expect(await files.create('src/new.json', bytes)).toMatchObject({ ok: true })
})

test('the workspace is none where a link makes the home folder look like another one, or in the root', () => {
  const link = join(root, `home-${Bun.nanoseconds()}`)
  symlinkSync(workFolder, link)
  expect(findWorkspaceFolder(workFolder, outside)).toBe(workFolder)
  expect(findWorkspaceFolder(link, outside)).toBe(workFolder)
  for (const [cwd, home] of [
    [workFolder, workFolder],
    [workFolder, link],
    [link, workFolder],
    ['/', outside],
    ['/proc/self/root', outside],
  ])
    expect([cwd, findWorkspaceFolder(cwd, home)]).toEqual([cwd, undefined])
})

test('a path is below a root exactly when it begins with all of its parts', () => {
  const part = fc.constantFrom('a', 'b', '..a', '.', 'a.')
  const parts = fc.array(
    part.filter((one) => one !== '.'),
    { maxLength: 4 },
  )
  fc.assert(
    fc.property(parts, parts, (path, rootParts) => {
      const isPrefix = rootParts.every((one, index) => path[index] === one)
      expect(isBelow(`/${path.join('/')}`, `/${rootParts.join('/')}`)).toBe(isPrefix)
    }),
    { numRuns: 500 },
  )
})
