import { afterEach, beforeEach, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openFolder } from '../../../../src/core/base/files/output-folder.ts'
import { createFileRetention } from '../../../../src/core/base/files/retain-files.ts'
import { createFiles } from '../../../../src/core/base/files/session-files.ts'

let outer = ''
beforeEach(() => {
  outer = realpathSync(mkdtempSync(join(tmpdir(), 'fl-output-')))
})
afterEach(() => rmSync(outer, { recursive: true, force: true }))

const ignored = (name: string) => {
  const path = join(outer, name, '.gitignore')
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

const untracked = () =>
  spawnSync('git', ['ls-files', '--others', '--exclude-standard'], { cwd: outer, encoding: 'utf8' })
    .stdout.split('\n')
    .filter(Boolean)

test('git ignores the folder, whoever has made it', async () => {
  mkdirSync(join(outer, '.footlight'))
  await openFolder(join(outer, '.footlight'), 'a')
  expect(ignored('.footlight')).toBe('*\n')
  writeFileSync(join(outer, '.footlight', '.gitignore'), '')
  await openFolder(join(outer, '.footlight'), 'b')
  expect(ignored('.footlight')).toBe('*\n')
  await openFolder(join(outer, 'made'), 'a')
  expect(ignored('made')).toBe('*\n')
})

test('rules that somebody has put there change nothing', async () => {
  const folder = join(outer, '.footlight')
  spawnSync('git', ['init', '-q'], { cwd: outer })
  writeFileSync(join(outer, '.gitignore'), '!.footlight\n!.footlight/**\n')
  for (const rules of [
    '!*\n',
    '!report.html',
    '*\n!state.json\n',
    '/*\n!a/\n',
    '# *\n',
    '\\*\n',
    ' *\n',
    '*/\n',
    '*\r\n!*\r\n',
    '\0',
  ]) {
    mkdirSync(folder)
    writeFileSync(join(folder, '.gitignore'), rules)
    mkdirSync(join(folder, 'a'))
    writeFileSync(join(folder, 'a/.gitignore'), '!*\n')
    expect(await openFolder(folder, 'a')).toMatchObject({ ok: true })
    for (const name of ['state.json', 'a/download.spec.js', 'report.html'])
      writeFileSync(join(folder, name), '')
    expect(untracked()).toEqual(['.gitignore'])
    // What the user has written stays.
    expect(ignored('.footlight')).toStartWith(rules.trimEnd())
    rmSync(folder, { recursive: true })
  }
})

test('right rules stay as they are', async () => {
  for (const rules of ['*\n', '*', '# results\n*\n!.gitignore\n', 'a\n*\r\n']) {
    mkdirSync(join(outer, '.footlight'))
    writeFileSync(join(outer, '.footlight', '.gitignore'), rules)
    await openFolder(join(outer, '.footlight'), 'a')
    expect(ignored('.footlight')).toBe(rules)
    rmSync(join(outer, '.footlight'), { recursive: true })
  }
})

test('in a folder of another name that was there before, git ignores what Footlight adds', async () => {
  spawnSync('git', ['init', '-q'], { cwd: outer })
  mkdirSync(join(outer, 'artifacts'))
  writeFileSync(join(outer, 'artifacts', 'own.txt'), '')
  const files = createFiles(join(outer, 'artifacts'))
  const written = await files.folder('12345678-0000').write('evil.spec.js', '')
  expect(written).toMatchObject({ ok: true })
  expect(ignored('artifacts')).toBeUndefined()
  expect(untracked()).toEqual(['artifacts/own.txt'])
  const retain = createFileRetention({ bytes: 0, sessions: 0 })
  const listed = written.ok ? [written.value] : []
  await retain('a', { list: () => listed })
  await retain('a', { list: () => listed })
  expect(readdirSync(join(outer, 'artifacts'))).toEqual(['own.txt'])
})

test('a file at a path that an agent names there is ignored too', async () => {
  spawnSync('git', ['init', '-q'], { cwd: outer })
  const folder = join(outer, '.footlight')
  mkdirSync(folder)
  writeFileSync(join(folder, '.gitignore'), '!*')
  expect(await createFiles(folder).create(join(folder, 'state.json'), new Uint8Array(1))).toMatchObject({
    ok: true,
  })
  expect(untracked()).toEqual([])
})

test('a link, a pipe and what is no file in place of the rules are replaced; what a link leads to stays', async () => {
  const folder = join(outer, '.footlight')
  mkdirSync(folder)
  symlinkSync(join(outer, 'profile'), join(folder, '.gitignore'))
  await openFolder(folder, 'b')
  expect(existsSync(join(outer, 'profile'))).toBe(false)
  expect(ignored('.footlight')).toBe('*\n')
  rmSync(join(folder, '.gitignore'))
  spawnSync('mkfifo', [join(folder, '.gitignore')])
  await openFolder(folder, 'b')
  expect(ignored('.footlight')).toBe('*\n')
  rmSync(join(folder, '.gitignore'))
  mkdirSync(join(folder, '.gitignore'))
  const refused = await openFolder(folder, 'b')
  expect(refused).toMatchObject({
    ok: false,
    error: { code: 'RESOURCE_EXHAUSTED', text: expect.stringContaining('.gitignore') },
  })
})
