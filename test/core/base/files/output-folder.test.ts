import { afterEach, beforeEach, expect, test } from 'bun:test'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openFolder } from '../../../../src/core/base/files/output-folder.ts'

let outer = ''
beforeEach(() => {
  outer = mkdtempSync(join(tmpdir(), 'fl-output-'))
})
afterEach(() => rmSync(outer, { recursive: true, force: true }))

const ignored = (name: string) => {
  const path = join(outer, name, '.gitignore')
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

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

test('what a user has there stays, and so does what a link leads to', async () => {
  mkdirSync(join(outer, '.footlight'))
  writeFileSync(join(outer, '.footlight', '.gitignore'), '!report.html\n')
  await openFolder(join(outer, '.footlight'), 'a')
  expect(ignored('.footlight')).toBe('!report.html\n')
  mkdirSync(join(outer, 'docs'))
  await openFolder(join(outer, 'docs'), 'a')
  expect(ignored('docs')).toBeUndefined()
  rmSync(join(outer, '.footlight', '.gitignore'))
  symlinkSync(join(outer, 'profile'), join(outer, '.footlight', '.gitignore'))
  await openFolder(join(outer, '.footlight'), 'b')
  expect(existsSync(join(outer, 'profile'))).toBe(false)
})
