import { afterAll, expect, test } from 'bun:test'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createFileRetention } from '../../../../src/core/base/files/retain-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'fl-retain-'))
afterAll(() => rmSync(folder, { recursive: true }))

function write(session: string, ...sizes: number[]) {
  mkdirSync(join(folder, session))
  const paths = sizes.map((size, index) => {
    const path = join(folder, session, `${index}.bin`)
    writeFileSync(path, Buffer.alloc(size))
    return path
  })
  return { list: () => paths.map((path) => ({ name: '', path, resource: '' })) }
}

test('the oldest files of a client go first, those of its last session and of others stay', async () => {
  const retain = createFileRetention({ bytes: 100, sessions: 3 })
  await retain('eve', write('other', 90))
  await retain('ada', write('one', 30, 30))
  await retain('ada', write('two', 30))
  writeFileSync(join(folder, 'one', 'own.txt'), 'of the user')
  await retain('ada', write('three', 40))
  expect(readdirSync(join(folder, 'one'))).toEqual(['own.txt'])
  expect(existsSync(join(folder, 'two', '0.bin'))).toBe(true)
  await retain('ada', write('large', 500))
  expect(readdirSync(folder).toSorted()).toEqual(['large', 'one', 'other'])
  for (const name of ['a', 'b', 'c', 'd']) await retain('eve', write(name, 1))
  expect(readdirSync(folder).toSorted()).toEqual(['b', 'c', 'd', 'large', 'one'])
})
