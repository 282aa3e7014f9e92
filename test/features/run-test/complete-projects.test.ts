// Which configurations are known to have a browser for all projects.

import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCompleteProjects } from '../../../src/features/run-test/complete-projects.ts'

const folder = mkdtempSync(join(tmpdir(), 'fl-projects-'))
afterAll(() => rmSync(folder, { recursive: true }))

const configuration = join(folder, 'playwright.config.ts')
const program = join(folder, 'firefox')
const complete = "export default { testDir: './tests', projects: [devices['Desktop Firefox']] }"
const listing = (isRunnable: boolean) => ({
  projects: [{ name: 'fox', browser: 'firefox', isRunnable, testCount: 1, program }],
})
const setup = { project: { configuration } }

function isKnownAfter(text: string, isRunnable = true): boolean {
  writeFileSync(configuration, text)
  const known = createCompleteProjects()
  known.note(setup, listing(isRunnable))
  return known.has(setup)
}

test('a configuration is known until its text, the environment or a browser changes', () => {
  writeFileSync(program, '')
  expect(isKnownAfter(complete)).toBe(true)
  expect(isKnownAfter(complete, false)).toBe(false)
  expect(isKnownAfter(`import { base } from './base'\n${complete}`)).toBe(false)
  writeFileSync(configuration, complete)
  const known = createCompleteProjects()
  known.note(setup, listing(true))
  expect(known.has({ ...setup, env: { ALL: '1' } })).toBe(false)
  writeFileSync(configuration, `${complete}\n`)
  expect(known.has(setup)).toBe(false)
  writeFileSync(configuration, complete)
  expect(known.has(setup)).toBe(true)
  rmSync(program)
  expect(known.has(setup)).toBe(false)
})
