import { expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serverVariablesFor } from '../../../../src/core/devserver/process/server-variables.ts'

test('a server in a project with Astro gets what keeps it in the foreground, another one does not', () => {
  const root = mkdtempSync(join(tmpdir(), 'fl-astro-'))
  const app = join(root, 'apps/site')
  mkdirSync(app, { recursive: true })
  const isKept = (folder: string, command: string) =>
    'ASTRO_DEV_BACKGROUND' in serverVariablesFor(folder, command)
  expect(isKept(app, 'npm run dev')).toBe(false)
  expect(isKept(app, 'npx astro dev')).toBe(true)
  mkdirSync(join(root, 'node_modules/.pnpm/node_modules/astro'), { recursive: true })
  expect(isKept(app, 'npm run dev')).toBe(true)
  expect(isKept(root, 'npm run dev')).toBe(true)
  rmSync(root, { recursive: true })
})
