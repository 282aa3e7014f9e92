import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { everyTool } from '../src/core/cli/tools/catalogue.ts'
import { failureText } from '../src/core/mcp/answers/failure-text.ts'
import { createToolNames } from '../src/core/mcp/calls/tool-names.ts'

const root = join(import.meta.dir, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const text = read('README.md')
const docs = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'))

test('it has at most 700 words and begins with the promise; the contents name every page of docs', () => {
  expect(text.split(/\s+/).length).toBeLessThanOrEqual(700)
  expect(text.replaceAll('\n', ' ')).toStartWith(
    '# Footlight  **When an agent says that it works, it has run in a browser,',
  )
  const pages = docs.filter((name) => name !== 'README.md')
  expect(pages.length).toBeGreaterThan(10)
  for (const page of pages) expect(read('docs/README.md')).toContain(`(${page})`)
  const project = readdirSync(join(root, 'docs/project')).filter((name) => name.endsWith('.md'))
  for (const page of project.filter((name) => name !== 'README.md'))
    expect(read('docs/project/README.md')).toContain(`(${page})`)
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

// A reader types what is shown: the call of a tool is its name and JSON, as `footlight call` and every client take it.
const toolNames = everyTool.map(({ name }) => name).join('|')
const toolCall = new RegExp(`(?<![\\w/-])(?:${toolNames}) ` + '(\\{(?![{\\\\])[^`\\n]*)', 'g')

const unreadableCallsIn = (page: string): string[] =>
  [...page.matchAll(toolCall)].map(([, input = '']) => input).filter((input) => !beginsWithJson(input))

function beginsWithJson(text: string): boolean {
  for (let end = text.indexOf('}'); end >= 0; end = text.indexOf('}', end + 1))
    try {
      JSON.parse(text.slice(0, end + 1))
      return true
    } catch {
      // It ends at a later bracket, or is no JSON.
    }
  return false
}

const handwrittenPages = [
  'README.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'CONTRIBUTING.md',
  ...docs.map((name) => `docs/${name}`),
  ...readdirSync(join(root, 'docs/project'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/project/${name}`),
]

test.each(handwrittenPages)('%s shows no call that cannot be typed', (path) => {
  expect(unreadableCallsIn(read(path).replace(/^```ts$[^]*?^```$/gm, ''))).toEqual([])
})

test('a call that is no JSON is found', () => {
  expect(unreadableCallsIn('`navigate {"url": "/"}` and `steps {"calls": [{"tool": "click"}]}`')).toEqual([])
  expect(unreadableCallsIn('wait_for { fresh: true }\nsnapshot {}\nreport {path?}')).toEqual([
    '{ fresh: true }',
    '{path?}',
  ])
})

// The ten questions of a newcomer: from README the answer is one page away, and the page has it.
test.each([
  ['run it on my application', 'docs/sessions.md', 'footlight up "npm run dev"'],
  ['see the browser', 'docs/clients.md', '-- --headed'],
  ['log in', 'docs/logins.md', 'footlight login'],
  ['keep a login', 'docs/logins.md', '"restore"'],
  ['write a test', 'docs/tests.md', 'footlight save '],
  ['use it in CI', 'docs/ci.md', '.github/workflows/footlight.yml'],
  ['sends where', 'SECURITY.md', 'telemetry'],
  ['remove it', 'docs/install.md', '--uninstall'],
  ['cost in tokens', 'docs/performance.md', 'tokens'],
  ['update it', 'docs/install.md', '## Update'],
])('README leads to the answer of: %s', (question, page, answer) => {
  const row = text.split('\n').find((line) => line.startsWith('|') && line.includes(question)) ?? ''
  expect(row).toContain(`(${page}`)
  expect(read(page)).toContain(answer)
})

test('each old name of @playwright/mcp that the page says works reaches the tool beside it', () => {
  const names = createToolNames(everyTool, 'footlight')
  const rows = [
    ...read('docs/from-playwright-mcp.md').matchAll(/^\| `(browser_\w+)` \| `(\w+)`[^|]*\| (yes)? ?\|$/gm),
  ]
  expect(rows.length).toBeGreaterThan(20)
  for (const [, old = '', tool, works] of rows)
    expect([old, names.resolve(old, {})?.tool.name]).toEqual([old, works ? tool : undefined])
})
