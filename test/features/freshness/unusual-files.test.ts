// What a project has in the place of its files: pipes, which would never end, files that are too large to read, and links out of it. Each is
// read in a process of its own, because one that waits for a pipe cannot be stopped otherwise.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { execFileSync, spawnSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { readRegularFile } from '../../../src/core/base/files/read-regular-file.ts'
import { findMissingPackages } from '../../../src/core/devserver/start/missing-packages.ts'
import { findProjectRoot } from '../../../src/features/freshness/list-files.ts'
import { mentionsOtherBrowsers } from '../../../src/features/run-test/find-project.ts'
import { readSourceFile } from '../../../src/features/sources/place-source.ts'

const ANSWER_TIMEOUT_MS = 10_000
const SOURCE = join(import.meta.dir, '../../../src')

let top: string
let pipes: string
beforeAll(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'fl-unusual-')))
  pipes = join(top, 'pipes')
  for (const name of ['.git', 'app']) mkdirSync(join(pipes, name), { recursive: true })
  const names = [
    'package.json',
    'requirements.txt',
    'playwright.config.ts',
    'a.spec.ts',
    '.git/HEAD',
    'app/package.json',
    'app/a.ts',
    'upload.txt',
  ]
  execFileSync(
    'mkfifo',
    names.map((name) => join(pipes, name)),
  )
})
afterAll(() => rmSync(top, { recursive: true }))

const server = `{ code: () => ({ folder }), files: async () => ({ changes: new Map([['app/a.ts', {}]]) }) }`

test.skipIf(process.platform === 'win32').each([
  ['features/freshness/list-files.ts', 'findProjectRoot(folder + "/app") === folder'],
  ['core/devserver/start/missing-packages.ts', 'findMissingPackages(folder) === undefined'],
  [
    'core/devserver/start/missing-packages.ts',
    `findMissingPackage(folder, ["ModuleNotFoundError: No module named 'flask'"]) === undefined`,
  ],
  [
    'features/run-test/find-project.ts',
    `mentionsOtherBrowsers({ configuration: folder + '/playwright.config.ts' })`,
  ],
  ['features/lib/test-files/test-variables.ts', 'readTestVariables(folder).named.length === 0'],
  ['features/report/git-revision.ts', 'await readRevision(folder) === undefined'],
  [
    'features/sources/source-files.ts',
    `(await Array.fromAsync(readSources(${server}))).every(({ text }) => text === '')`,
  ],
  ['core/base/files/session-files.ts', `!(await createFiles(folder).read(folder + '/upload.txt')).ok`],
])('pipes: %s %s', (file, expression) => {
  const code = `const all = await import(${JSON.stringify(join(SOURCE, file))})
    const folder = ${JSON.stringify(pipes)}
    const { ${/\w+(?=\(fol|\(\{ con|\(\{ code)/.exec(expression)?.[0]} } = all
    process.exit(${expression} ? 0 : 1)`
  const { status, signal } = spawnSync(process.execPath, ['-e', code], {
    timeout: ANSWER_TIMEOUT_MS,
    killSignal: 'SIGKILL',
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  expect({ status, signal }).toEqual({ status: 0, signal: null })
})

test('files are read up to a size', () => {
  const folder = join(top, 'large')
  mkdirSync(join(folder, 'app'), { recursive: true })
  const path = join(folder, 'package.json')
  writeFileSync(path, JSON.stringify({ workspaces: ['app'] }))
  expect(findProjectRoot(join(folder, 'app'))).toBe(folder)
  truncateSync(path, 2_000_000_000)
  expect(readRegularFile(path)).toBeUndefined()
  expect(findProjectRoot(join(folder, 'app'))).toBe(join(folder, 'app'))
  expect(findMissingPackages(folder)).toBeUndefined()
  expect(
    mentionsOtherBrowsers({ folder, configuration: path, program: '', isPathConfiguration: false }),
  ).toBe(true)
})

test('a source behind a link out of the folder of the server has no text', async () => {
  const folder = join(top, 'server')
  mkdirSync(folder)
  writeFileSync(join(top, 'secret.js'), 'secret')
  writeFileSync(join(folder, 'own.js'), 'own')
  symlinkSync('../secret.js', join(folder, 'linked.js'))
  symlinkSync('own.js', join(folder, 'inner.js'))
  expect(await readSourceFile(folder, 'linked.js')).toBeUndefined()
  expect(await readSourceFile(folder, 'inner.js')).toBe('own')
})
