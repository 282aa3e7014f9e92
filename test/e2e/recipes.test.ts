// Every recipe of docs/recipes.md, and its twin in docs/shell.md, is run as it stands there, in a shell, and answers what the page says.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Trace, trace } from '../support/leftovers.ts'
import { type Fetched, install } from '../support/npm.ts'
import { readRecipes, runRecipe, VITE_RECIPE } from '../support/recipes.ts'

const recipes = readRecipes('recipes.md')
const twins = readRecipes('shell.md')

let folder: string
let fetched: Fetched
let left: Trace
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fl-recipes-'))
  left = trace()
  fetched = install('create-vite@9.3.0', 'vite@8.3.8')
  const create = join(fetched.folder, 'node_modules/.bin/create-vite')
  spawnSync('node', [create, 'app', '--template', 'vanilla'], { cwd: fetched.folder, input: '' })
}, 300_000)
afterAll(async () => {
  rmSync(folder, { recursive: true })
  fetched.remove()
  await left.expectNothing()
})

test('there are recipes, and each has a twin', () => {
  expect(recipes.length).toBeGreaterThanOrEqual(5)
  expect(twins.map(([title]) => title)).toEqual(recipes.map(([title]) => title))
})

describe.each([
  ['recipes.md', recipes, ''],
  ['shell.md', twins, 'footlight daemon stop --all > daemon.log'],
] as const)('%s', (page, list, after) => {
  test.each(list)(
    '%s',
    async (title, script, printed) => {
      const own = join(folder, page)
      mkdirSync(own, { recursive: true })
      const place = title === VITE_RECIPE ? join(fetched.folder, 'app') : own
      await runRecipe([title, script, printed], { folder: place, env: left.env, after })
    },
    300_000,
  )
})
