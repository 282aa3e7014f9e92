import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRedactor } from '../../../../src/core/base/redaction/redactor.ts'
import { createRedactedLogs } from '../../../../src/core/devserver/logs/redacted-logs.ts'
import { until } from '../../../support/leftovers.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'redacted-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const read = (path: string) => readFileSync(path, 'utf8')

test('each stream and both together, without secrets, also of several lines; for the user only', async () => {
  const { paths, add } = createRedactedLogs(folder, createRedactor().redactText)
  expect(Object.values(paths).map(read)).toEqual(['', '', ''])
  add('stdout', ['one', '-----BEGIN PRIVATE KEY-----'])
  add('stdout', ['MIIEvQIBADANBgkq', '-----END PRIVATE KEY-----', 'password=hunter2'])
  add('stderr', ['two'])
  add('stdout', ['three'])
  expect(await until(() => read(paths.combined).includes('three'))).toBe(true)
  expect(read(paths.stdout)).toBe('one\n[redacted private key]\npassword=[redacted]\nthree\n')
  expect(read(paths.stderr)).toBe('two\n')
  expect(read(paths.combined).replaceAll(/^\S+Z /gm, '')).toBe(
    'stdout one\nstdout [redacted private key]\nstdout password=[redacted]\nstderr two\nstdout three\n',
  )
  for (const path of Object.values(paths)) expect(statSync(path).mode & 0o777).toBe(0o600)
})

test('a log of a command that has its own combined one has no lines of the others', async () => {
  const { paths, add } = createRedactedLogs(folder, createRedactor().redactText, () => false)
  add('stdout', ['one'])
  add('combined', ['api | two'])
  expect(await until(() => read(paths.stdout) !== '' && read(paths.combined) !== '')).toBe(true)
  expect([read(paths.stdout), read(paths.combined)]).toEqual(['one\n', 'api | two\n'])
})

test('of a flood only its begin, which is said, in parts between which others go on', async () => {
  const sizes: number[] = []
  let others = 0
  const { paths, add } = createRedactedLogs(folder, (text) => {
    sizes.push(text.length)
    setImmediate(() => (others += 1))
    return text
  })
  for (let chunk = 0; chunk < 100; chunk += 1) add('stdout', Array<string>(100).fill('x'.repeat(99)))
  expect(await until(() => read(paths.stdout).endsWith('… lines omitted: read_server_logs has them\n'))).toBe(
    true,
  )
  expect(statSync(paths.stdout).size).toBeLessThan(150_000)
  expect(Math.max(...sizes)).toBeLessThan(10_000)
  expect(others).toBeGreaterThan(10)
})
