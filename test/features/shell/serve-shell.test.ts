import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { findCallingAgent } from '../../../src/features/shell/calling-agent.ts'
import { endWithOwner } from '../../../src/features/shell/serve-shell.ts'

let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fl-life-'))
  mkdirSync(join(folder, 'tree'))
  writeFileSync(join(folder, 'a.sock'), '')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const HALF_AN_HOUR_MS = 1_800_000

/** Resolves when the server would end. */
async function watch(idleMs = () => 0, owner = { pid: process.pid, startTime: '' }): Promise<string> {
  const { owner: own } = await findCallingAgent(process.pid)
  const start = { path: join(folder, 'a.sock'), tree: join(folder, 'tree'), agent: 'a' }
  const startTime = owner.startTime || (own?.startTime ?? '')
  return new Promise((resolve) =>
    endWithOwner({ ...start, owner: { pid: owner.pid, startTime } }, idleMs, resolve),
  )
}

test('a server that nobody uses for half an hour ends, and says why', async () =>
  expect(await watch(() => HALF_AN_HOUR_MS + 1)).toContain('30 minutes'))

test('a server whose owner is another process of its number ends', async () =>
  expect(await watch(undefined, { pid: process.pid, startTime: '1' })).toContain(`process ${process.pid}`))

test.each([
  ['its socket is gone', () => rmSync(join(folder, 'a.sock'))],
  [
    'another socket has its name',
    () => {
      writeFileSync(join(folder, 'b.sock'), '')
      renameSync(join(folder, 'b.sock'), join(folder, 'a.sock'))
    },
  ],
  ['its work tree is gone', () => rmSync(join(folder, 'tree'), { recursive: true })],
])('a server ends when %s, and not before', async (_, change) => {
  let hasChanged = false
  const end = watch().then(() => hasChanged)
  await new Promise((resolve) => setTimeout(resolve, 0))
  change()
  hasChanged = true
  expect(await end).toBe(true)
})
