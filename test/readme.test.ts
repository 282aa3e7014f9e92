import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { failureText } from '../src/core/mcp/answers/failure-text.ts'

const root = join(import.meta.dir, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const text = read('README.md')

test('it has at most 150 lines and names every page of docs', () => {
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(150)
  const pages = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md') && name !== 'README.md')
  expect(pages.length).toBeGreaterThan(10)
  for (const page of pages) expect(text).toContain(`(docs/${page})`)
})

test('the tables of tools and options have their rows; `bun run docs` writes them', () => {
  expect(read('docs/tools.md')).toContain('| `create_session` | name? ')
  expect(read('docs/options.md')).toContain('`--session-timeout MS`')
})

test('every error code is explained', () => {
  const failures = read('docs/failures.md')
  const codes = [...failureText.toString().matchAll(/case "?'?([A-Z_]+)/g)].map((match) => match[1] ?? '')
  expect(codes.length).toBeGreaterThan(15)
  for (const code of codes) expect(failures).toContain(`## ${code}`)
})

test('it starts with the two commands of a fresh machine', () => {
  expect(text.slice(0, 1200)).toContain('npx -y bun@1.4.5 run demo')
  expect(text.slice(0, 1200)).toContain('npx -y bun@1.4.5 run test')
})

test('it names no command that works only after the first release', () => {
  expect(text).toContain('is not published yet')
  for (const command of ['install.sh', 'npx -y footlight']) expect(text).not.toContain(command)
})
