// What the build leaves out of Playwright is used nowhere in the rest: a name that is missing would fail in a rare path, far from here.

import { expect, test } from 'bun:test'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readBundle } from '../../scripts/plugins/playwright.ts'

const root = join(import.meta.dir, '../..')
const library = join(root, 'node_modules/playwright-core/lib')

/** The names that the files of a folder use and nobody declares, as the linter finds them. */
async function undeclaredNames(folder: string): Promise<Set<string>> {
  const config = join(folder, 'oxlintrc.json')
  const env = { node: true, browser: true, es2024: true }
  writeFileSync(
    config,
    JSON.stringify({ env, categories: { correctness: 'off' }, rules: { 'no-undef': 'error' } }),
  )
  const linter = Bun.spawn([join(root, 'node_modules/.bin/oxlint'), '-c', config, '-f', 'json', folder], {
    stdout: 'pipe',
    stderr: 'ignore',
  })
  const { diagnostics, number_of_files: count } = await new Response(linter.stdout).json()
  expect(count).toBe(1)
  const names = diagnostics.map(
    ({ message }: { message: string }) => /'([\w$]+)' is not defined/.exec(message)?.[1],
  )
  expect(names).not.toContain(undefined)
  return new Set(names)
}

for (const name of ['coreBundle.js', 'utilsBundle.js'])
  test(`${name} without the unused modules uses no other names than with them`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fl-bundles-'))
    const [whole, reduced] = [join(folder, 'whole'), join(folder, 'reduced')]
    try {
      for (const path of [whole, reduced]) mkdirSync(path)
      copyFileSync(join(library, name), join(whole, name))
      const text = await readBundle(join(library, name))
      writeFileSync(join(reduced, name), text)
      expect(text.length).toBeLessThan(Bun.file(join(library, name)).size * 0.85)
      const known = await undeclaredNames(whole)
      // Both bundles use some such names themselves; without one, the linter did not look.
      expect(known.size).toBeGreaterThan(0)
      expect([...(await undeclaredNames(reduced))].filter((undeclared) => !known.has(undeclared))).toEqual([])
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
