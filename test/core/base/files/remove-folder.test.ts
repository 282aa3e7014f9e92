import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removeEntry } from '../../../../src/core/base/files/remove-folder.ts'

test('entry by entry goes what is in a folder, and not what a link in it points to', () => {
  const root = mkdtempSync(join(tmpdir(), 're-'))
  const [folder, kept] = [join(root, 'folder'), join(root, 'kept')]
  mkdirSync(join(folder, 'deep/empty'), { recursive: true })
  mkdirSync(kept)
  writeFileSync(join(folder, 'deep/file'), '')
  writeFileSync(join(kept, 'file'), '')
  symlinkSync(kept, join(folder, 'deep/link'))
  symlinkSync(join(root, 'nowhere'), join(folder, 'broken'))
  removeEntry(folder)
  expect([existsSync(folder), existsSync(join(kept, 'file'))]).toEqual([false, true])
  rmSync(root, { recursive: true })
})
