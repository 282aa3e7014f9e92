import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createFiles } from '../../../src/core/base/files/session-files.ts'
import { createRevocableFiles } from '../../../src/features/record/record-command.ts'

let root: string
beforeAll(() => (root = realpathSync(mkdtempSync(join(tmpdir(), 'fl-revocable-')))))
afterAll(() => rmSync(root, { recursive: true, force: true }))

test('what was created goes with its new folders, what was there stays, and nothing is created afterwards', async () => {
  mkdirSync(join(root, 'tests'))
  const interruption = new AbortController()
  const { files, revoke } = createRevocableFiles(createFiles(root), interruption.signal)
  const create = (path: string) => files.create(join(root, path), new Uint8Array(), { createsFolders: true })
  for (const path of ['tests/a.spec.ts', 'tests/files/deep/photo.png', 'new/b.spec.ts'])
    expect(await create(path)).toMatchObject({ ok: true })
  const late = create('tests/late.spec.ts')
  interruption.abort()
  await revoke()
  expect(await late).toMatchObject({ ok: true })
  expect(await create('tests/never.spec.ts')).toEqual({ ok: false, error: { code: 'CANCELLED' } })
  expect(readdirSync(root)).toEqual(['tests'])
  expect(readdirSync(join(root, 'tests'))).toEqual([])
  expect(existsSync(join(root, 'new'))).toBe(false)
})
