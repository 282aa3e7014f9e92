// A written file and the formatter that its project names, which is a program in its node_modules.

import { afterAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { formatFile } from '../../../src/features/run-test/format-file.ts'

const workspace = mkdtempSync(join(tmpdir(), 'format-'))
afterAll(() => rmSync(workspace, { recursive: true }))

function write(path: string, text: string): string {
  const file = join(workspace, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return file
}

const runtime = { path: process.execPath, isBun: true }
const format = async (path: string, root = workspace) => {
  const file = write(path, 'a')
  await formatFile(file, root, runtime, process.env)
  return readFileSync(file, 'utf8')
}

const program = (args: string) => `
const [${args}, file] = process.argv.slice(2)
require('node:fs').writeFileSync(file, [${args}, process.cwd()].join(' '))`

test('it is formatted by the program that the nearest package.json names', async () => {
  write('node_modules/prettier/bin/prettier.cjs', program('write'))
  write('node_modules/@biomejs/biome/bin/biome', program('command, write'))
  write('package.json', '{"devDependencies":{"prettier":"3"}}')
  write('packages/app/package.json', '{"devDependencies":{"@biomejs/biome":"2"}}')
  write('packages/other/package.json', '{}')
  const [root, app] = [workspace, join(workspace, 'packages/app')]
  expect(await format('tests/a.spec.ts')).toBe(`--write ${root}`)
  expect(await format('packages/app/e2e/a.spec.ts')).toBe(`format --write ${app}`)
  expect(await format('packages/other/a.spec.ts')).toBe(`--write ${root}`)
})

test('it stays as it is without a formatter, with one above the workspace, and where the formatter fails', async () => {
  write('packages/broken/package.json', '{"devDependencies":{"prettier":"3"}}')
  write('packages/broken/node_modules/prettier/bin/prettier.cjs', 'process.exit(2)')
  expect(await format('packages/other/a.spec.ts', join(workspace, 'packages/other'))).toBe('a')
  expect(await format('packages/broken/a.spec.ts')).toBe('a')
})
