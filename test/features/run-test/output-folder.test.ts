// Nothing of the output folder runs as a test, whatever names it: pages choose what is in there.

import { afterAll, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { ok } from '../../../src/core/base/result.ts'
import { createRunGit } from '../../../src/core/devserver/process/run-git.ts'
import type { ServerContext } from '../../../src/core/devserver/process/start-context.ts'
import { createTestRunner } from '../../../src/features/run-test/start-test-run.ts'
import { readChange } from '../../../src/features/verify/change/read-change.ts'
import { findTestFiles } from '../../../src/features/verify/flows/find-tests.ts'
import { findTouched } from '../../../src/features/verify/flows/find-touched.ts'

const top = realpathSync(mkdtempSync(join(tmpdir(), 'fl-run-output-')))
afterAll(() => rmSync(top, { recursive: true, force: true }))
const write = (path: string, text = "import { test } from '@playwright/test'\n") => {
  mkdirSync(dirname(join(top, path)), { recursive: true })
  writeFileSync(join(top, path), text)
}
const outputFolder = join(top, 'artifacts')
write('artifacts/12345678/a.spec.js')
write('artifacts/.gitignore', '!*\n')
write('tests/own.spec.js')
write('src/cart.js', 'export const a = 1\n')
symlinkSync(join(outputFolder, '12345678/a.spec.js'), join(top, 'tests/link.spec.js'))
symlinkSync(outputFolder, join(top, 'tests/linked'))

const runner = createTestRunner({
  createContext: () => ({ parentEnv: {}, folder: top }) as unknown as ServerContext,
  findBrowsers: () => {
    throw new Error('a run has begun')
  },
  workspace: top,
  outputFolder,
})
const call = { signal: new AbortController().signal, progress: () => {} }
const codeOf = async (path: string, ...morePaths: readonly string[]) => {
  const request = { path: join(top, path), morePaths: morePaths.map((one) => join(top, one)), timeout: 1000 }
  const outcome = await runner.run(request, call)
  return outcome.ok ? '' : outcome.error.code
}

test('each path of a run is looked at, and what a link leads to', async () => {
  expect(await codeOf('tests/own.spec.js')).toBe('TEST_RUN_FAILED')
  for (const path of [
    'artifacts/12345678/a.spec.js',
    'tests/link.spec.js',
    'tests/linked/12345678/a.spec.js',
    'artifacts',
    'tests/linked',
  ]) {
    expect(await codeOf(path)).toBe('ACCESS_DENIED')
    expect(await codeOf('tests/own.spec.js', path)).toBe('ACCESS_DENIED')
    expect(await codeOf('tests/own.spec.js', 'tests/own.spec.js', path)).toBe('ACCESS_DENIED')
  }
})

test('the configuration and the program of a project that links lead into it do not run', async () => {
  write('app/tests/b.spec.js')
  write('artifacts/12345678/config.js', 'export default {}')
  write('artifacts/12345678/@playwright/test/cli.js', '')
  write(
    'artifacts/12345678/@playwright/test/package.json',
    '{"name": "@playwright/test", "version": "1.50.0"}',
  )
  mkdirSync(join(top, 'app/node_modules'))
  symlinkSync(join(outputFolder, '12345678/@playwright'), join(top, 'app/node_modules/@playwright'))
  expect(await codeOf('app/tests/b.spec.js')).toBe('ACCESS_DENIED')
  rmSync(join(top, 'app/node_modules/@playwright'))
  write('app/node_modules/@playwright/test/cli.js', '')
  write('app/node_modules/@playwright/test/package.json', '{"name": "@playwright/test", "version": "1.50.0"}')
  expect(await codeOf('app/tests/b.spec.js')).toBe('TEST_RUN_FAILED')
  symlinkSync(join(outputFolder, '12345678/config.js'), join(top, 'app/playwright.config.js'))
  expect(await codeOf('app/tests/b.spec.js')).toBe('ACCESS_DENIED')
})

test('what a change touches is none of it, although git does not ignore it', async () => {
  const git = createRunGit({ parentEnv: process.env })
  for (const words of [
    ['init', '-q', '-b', 'main'],
    ['add', 'src', 'tests/own.spec.js'],
    ['-c', 'user.name=a', '-c', 'user.email=a@example.org', 'commit', '-qm', 'first'],
  ])
    expect(spawnSync('git', words, { cwd: top }).status).toBe(0)
  write('src/cart.js', 'export const a = 2\n')
  const change = await readChange(git, top, undefined)
  if (!change.ok) throw new Error(change.error.code)
  const sources = {
    ledgerOf: () => ({ read: async () => ({ entries: [], passedOver: [], isUnreadable: false }) }),
    findTestFiles: (folder: string) => findTestFiles(git, folder, outputFolder),
    outputFolder,
  }
  const own = ['app/tests/b.spec.js', 'tests/own.spec.js']
  const found = await sources.findTestFiles(top)
  expect(found.ok && [...found.value].toSorted()).toEqual(own)
  const all = {
    ...sources,
    findTestFiles: async () => ok([...own, 'artifacts/12345678/a.spec.js', 'tests/link.spec.js']),
  }
  const touched = await findTouched(change.value, all)
  expect(touched.ok && touched.value.map(({ path }) => path)).toEqual(own)
})
