import { afterAll, expect, test } from 'bun:test'
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogFollower, resolveLogPaths } from '../../../../src/core/devserver/logs/log-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'fl-follower-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('each line is reported once, also with bytes that are no UTF-8 and characters that arrive in parts', () => {
  const paths = resolveLogPaths({
    stdout: join(folder, 'stdout.log'),
    stderr: join(folder, 'stderr.log'),
    combined: join(folder, 'combined.log'),
  })
  for (const path of Object.values(paths)) writeFileSync(path, '')
  const lines: string[] = []
  const reportLines = createLogFollower(paths, (stream, text) => lines.push(`${stream} ${text}`))
  appendFileSync(paths.stdout, Buffer.from('caf\xe9\n', 'latin1'))
  for (let call = 0; call < 4; call += 1) reportLines()
  expect(lines).toEqual(['stdout caf\ufffd'])
  const euro = Buffer.from('3 €\n')
  appendFileSync(paths.stderr, euro.subarray(0, 3))
  reportLines()
  appendFileSync(paths.stderr, euro.subarray(3))
  for (let call = 0; call < 2; call += 1) reportLines()
  expect(lines).toEqual(['stdout caf\ufffd', 'stderr 3 €'])
})
