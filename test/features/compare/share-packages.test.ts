// What a checkout takes from the work tree, and what it lacks.

import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import {
  findMissingEnvironment,
  sharePackages,
} from '../../../src/features/compare/revisions/share-packages.ts'

let top: string
beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'fl-packages-')))
  for (const folder of ['now/node_modules', 'now/app/node_modules', 'then/app'])
    mkdirSync(join(top, folder), { recursive: true })
})
afterEach(() => rmSync(top, { recursive: true, force: true }))

function place(files: Readonly<Record<string, unknown>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(top, path)), { recursive: true })
    writeFileSync(join(top, path), typeof content === 'string' ? content : JSON.stringify(content))
  }
}
const share = () => sharePackages({ workTree: join(top, 'now'), checkout: join(top, 'then') }, ['.', 'app'])

test('packages that the base has in another version are named by the lock file, else by package.json', () => {
  place({
    'now/package.json': { dependencies: { a: '2' } },
    'then/package.json': { dependencies: { a: '1' } },
    'now/app/package.json': { dependencies: { a: '2' } },
    'then/app/package.json': { dependencies: { a: '1' } },
    'now/app/pnpm-lock.yaml': 'a: 2',
    'then/app/pnpm-lock.yaml': 'a: 1',
    'now/requirements.txt': 'flask==3',
    'then/requirements.txt': 'flask==2',
  })
  expect(share()).toEqual(['package.json', join('app', 'pnpm-lock.yaml'), 'requirements.txt'])
})

test('another version, name or script of the project is no other package', () => {
  const lock = (version: string) => ({ version, packages: { '': { version, dependencies: { a: '1' } } } })
  place({
    'now/package.json': { version: '2', scripts: { dev: 'x' }, dependencies: { a: '1' } },
    'then/package.json': { version: '1', dependencies: { a: '1' } },
    'now/package-lock.json': lock('2'),
    'then/package-lock.json': lock('1'),
  })
  expect(share()).toEqual([])
})

test('variables that only the work tree has are named', () => {
  place({
    'now/.env': 'A=1',
    'then/.env': 'A=0',
    'now/.env.local': 'B=1',
    'now/app/.dev.vars': 'C=1',
    'now/.envrc': '',
  })
  const trees = { workTree: join(top, 'now'), checkout: join(top, 'then') }
  expect(findMissingEnvironment(trees, ['.', 'app', 'none'])).toEqual([
    '.env.local',
    join('app', '.dev.vars'),
  ])
})
