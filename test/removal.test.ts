// A feature goes by deleting its folder and its line. Those that import it, and so name it in `after`, go with it.

import { afterAll, expect, test } from 'bun:test'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { features } from '../src/features/index.ts'
import { removedWith } from './support/removed-features.ts'

const root = join(import.meta.dir, '..')
const folder = mkdtempSync(join(tmpdir(), 'fl-removal-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function copyWithout(names: ReadonlySet<string>, copy: string): void {
  for (const path of ['src', 'tsconfig.json', 'package.json'])
    cpSync(join(root, path), join(copy, path), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  for (const name of names) rmSync(join(copy, 'src/features', name), { recursive: true })
  const list = join(copy, 'src/features/index.ts')
  const lines = readFileSync(list, 'utf8').split('\n')
  const gone = lines.filter((line) => [...names].some((name) => line.includes(`'./${name}/feature.ts'`)))
  const constants = gone.map((line) => /\{ (\w+) \}/.exec(line)?.[1])
  const rest = lines.filter(
    (line) => !gone.includes(line) && !constants.includes(line.trim().replace(',', '')),
  )
  writeFileSync(list, rest.join('\n'))
  writeFileSync(
    join(copy, 'tsconfig.json'),
    readFileSync(join(copy, 'tsconfig.json'), 'utf8').replace(/"include": \[[^\]]*\]/, '"include": ["src"]'),
  )
}

const PER_DAY = 3
const today = Math.floor(Date.now() / 86_400_000) * PER_DAY
const isRelease = process.env['FOOTLIGHT_ALL_FEATURES'] === 'true'
/** Three by turns; all of them for a release. */
const tried = isRelease
  ? removable
  : Array.from({ length: PER_DAY }, (_, index) => removable[(today + index) % removable.length] ?? '')

test.each(tried)(
  'without %s the rest is whole',
  async (name) => {
    const copy = join(folder, name)
    copyWithout(removedWith(name), copy)
    const check = Bun.spawn([process.execPath, 'check', '--no-script'], {
      cwd: copy,
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const text = await new Response(check.stdout).text()
    expect([await check.exited, text.includes('error') ? text : '']).toEqual([0, ''])
  },
  300_000,
)
