import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Glob } from 'bun'
import { pages, root } from '../scripts/docs/pages.ts'
import { samples } from '../scripts/docs/samples.ts'
import { kindOf } from '../scripts/docs/schema.ts'
import { words, wordsFor } from '../scripts/docs/words.ts'
import { generatedFiles, generatedSource } from '../scripts/in-page.ts'
import { ok } from '../src/core/base/result.ts'
import { optionNames } from '../src/core/cli/options/option-list.ts'
import { variableNameOf } from '../src/core/cli/options/option-names.ts'
import { everyTool } from '../src/core/cli/tools/catalogue.ts'
import { createRateLimiter } from '../src/core/mcp/calls/rate-limiter.ts'
import { dispatch } from '../src/core/mcp/calls/serve-tools.ts'
import { createToolNames } from '../src/core/mcp/calls/tool-names.ts'
import { count } from './fixtures/example-tool.ts'
import { stillBrowsers, stillContext, stillSessionManager } from './support/pages.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')

test.each(Object.entries(pages))('%s is current; `bun run docs` rewrites it', (path, text) => {
  expect(read(path)).toBe(text())
})

test.each(generatedFiles)('%s is current; `bun run in-page` rewrites it', async (path) => {
  expect(read(path) === (await generatedSource(path))).toBe(true)
})

test('every tool with every field, every option, every failure', () => {
  const tools = read('docs/tools.md')
  for (const { name, input } of everyTool) {
    const [, section = ''] = tools.split(`\n## ${name}\n`)
    for (const field of Object.keys(input.entries).filter((name) => name !== 'sessionId'))
      expect(section.split('\n## ')[0]).toMatch(new RegExp(`\`${field}!?\``))
  }
  for (const name of optionNames) expect(read('docs/options.md')).toContain(`\`${variableNameOf(name)}\``)
  for (const code of Object.keys(samples))
    expect(read('docs/failures.md')).toContain(`"errorCode": "${code}"`)
})

test('every parameter has a description, and no description is unused', () => {
  const named = everyTool.flatMap(({ name, input }) =>
    Object.keys(input.entries).map((field) => [name, field] as const),
  )
  expect(named.filter(([tool, field]) => wordsFor(tool, field) === undefined)).toEqual([])
  const used = new Set(named.flatMap(([tool, field]) => [field, `${tool}.${field}`]))
  expect(Object.keys(words).filter((key) => !used.has(key))).toEqual([])
})

const allPages = [...new Glob('docs/**/*.md').scanSync(root)]
const handwritten = allPages.filter((path) => !(path in pages))

test('what users read of docs, beside what help prints too, has at most 26,000 words', () => {
  const printed = ['docs/tools.md', 'docs/options.md', 'docs/failures.md']
  const counted = allPages.filter((path) => !path.startsWith('docs/project/') && !printed.includes(path))
  const words = counted.map((path) => read(path).split(/\s+/).length)
  expect(words.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(26_000)
  for (const path of printed.slice(0, 2))
    expect(read(path).split('\n\n')[2]).toMatch(/^`footlight .* prints? what/)
})

test.each([
  ...Object.keys(pages),
  ...handwritten,
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
])('the links of %s lead somewhere', (path) => {
  const prose = read(path).replace(/^```[^]*?^```$/gm, '')
  const links = [...prose.matchAll(/\]\((?!https?:)([^)#\s]+)(?:#[^)\s]*)?[^)]*\)/g)].map(
    (match) => match[1] ?? '',
  )
  expect(links.filter((link) => !existsSync(join(root, dirname(path), link)))).toEqual([])
})

test('the architecture names files that exist', () => {
  const named = [...read('docs/project/architecture.md').matchAll(/`((?:src|test)\/[\w/.-]+)`/g)].map(
    (match) => match[1] ?? '',
  )
  expect(named.length).toBeGreaterThan(15)
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([])
})

test('the example tool runs as the page says', async () => {
  const sessions = stillSessionManager(stillBrowsers({ count: async () => ok(3) }))
  const call = (input: Record<string, unknown>) =>
    dispatch(
      {
        names: createToolNames([count], 'footlight'),
        everyTool: [count],
        isSessionOptional: true,
        limiter: createRateLimiter(undefined, undefined, () => 0),
        onCall: () => {},
        onBug: (_, error) => {
          throw error
        },
      },
      'count',
      input,
      stillContext(sessions),
    )
  expect(await call({ selector: 'li', atLeast: 4 })).toMatchObject({
    structuredContent: { count: 3, enough: false },
  })
  expect(await call({ selector: 'li' })).toMatchObject({ structuredContent: { enough: true } })
  expect(await call({})).toMatchObject({
    isError: true,
    structuredContent: { errorCode: 'INVALID_PARAMETERS' },
  })
})

describe('the type of a schema', () => {
  test.each([
    [{ type: 'integer', minimum: 1, maximum: 5 }, 'integer, 1 to 5'],
    [{ enum: ['a', 'b'] }, '`a`, `b`'],
    [{ type: 'array', items: { type: 'string', minLength: 1 } }, 'array of string, not empty'],
    [{ anyOf: [{ type: 'boolean' }, { type: 'number' }] }, 'boolean or number'],
    [
      { type: 'object', properties: { a: { type: 'string' }, b: {} }, required: ['a'] },
      '{ a: string; b?: any value }',
    ],
  ])('%j', (schema, words) => expect(kindOf(schema)).toBe(words))
})

test('the links of docs/clients.md have the command that setup writes, with the npm package', () => {
  const page = read('docs/clients.md')
  const launch = { command: 'npx', args: ['-y', 'footlight', '--headless', '--session-timeout', '1800000'] }
  const [, cursor = ''] = /install-mcp\?name=footlight&config=([^)]*)\)/.exec(page) ?? []
  expect(JSON.parse(atob(decodeURIComponent(cursor)))).toEqual(launch)
  const [, code = ''] = /redirect\?url=([^)]*)\)/.exec(page) ?? []
  const [scheme, input = ''] = decodeURIComponent(code).split('?')
  expect([scheme, JSON.parse(decodeURIComponent(input))]).toEqual([
    'vscode:mcp/install',
    { name: 'footlight', ...launch },
  ])
})
