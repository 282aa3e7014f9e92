import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { failureText } from '../src/mcp/answers/failure-text.ts'
import { current, path } from './support/readme.ts'

const text = readFileSync(path, 'utf8')

test('the tables of tools and options are current; `bun run docs` rewrites them', () => {
  expect(text).toBe(current(text))
  expect(text).toContain('`create_session`')
  expect(text).toContain('`--session-timeout MS`')
})

test('every error code is explained', () => {
  const codes = [...failureText.toString().matchAll(/case "?'?([A-Z_]+)/g)].map((match) => match[1] ?? '')
  expect(codes.length).toBeGreaterThan(15)
  for (const code of codes) expect(text).toContain(`\`${code}\``)
})

test('it starts with the two commands of a fresh machine', () => {
  expect(text.slice(0, 1200)).toContain('npx -y bun@1.4.5 run demo')
  expect(text.slice(0, 1200)).toContain('npx -y bun@1.4.5 run test')
})
