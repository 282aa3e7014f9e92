// The shape of src, held by its imports. A folder may import what its row names; a heavy package has one home.

import { Glob } from 'bun'
import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'bun:test'
import { may } from './support/folders.ts'

const homes: Record<string, readonly string[]> = {
  playwright: ['browser'],
  'playwright-core': ['browser'],
  'modern-tar': ['cli/browsers'],
  yauzl: ['cli/browsers'],
  '@modelcontextprotocol/sdk': [
    'mcp',
    'cli/client/own-client.ts',
    'cli/client/demo.ts',
    'cli/client/call-tools.ts',
  ],
  '@valibot/to-json-schema': ['mcp'],
  '@secretlint/secretlint-rule-preset-recommend': ['runtime'],
  jose: ['mcp'],
  valibot: ['tools', 'mcp', 'cli', 'devserver'],
  citty: ['cli'],
  consola: ['cli'],
  'jsonc-parser': ['cli/setup'],
  'smol-toml': ['cli/setup'],
  diff: ['cli/setup'],
  zod: ['mcp'],
  re2js: ['tools'],
}

const root = join(import.meta.dir, '../src')
const files = [...new Glob('**/*.ts').scanSync(root)].sort()
const sources = files.map((file) => {
  const text = readFileSync(join(root, file), 'utf8')
  const imports = [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1] ?? '')
  return { file, text, imports, folder: file.includes('/') ? (file.split('/')[0] ?? '') : file }
})

const under = (path: string, places: readonly string[]) =>
  places.some((place) => path === place || path.startsWith(`${place}/`))
const breaches = (rule: (source: (typeof sources)[number]) => readonly string[]) =>
  sources.flatMap((source) => rule(source).map((what) => `${source.file}: ${what}`))
const local = (source: (typeof sources)[number]) => source.imports.filter((path) => path.startsWith('.'))
const packages = (source: (typeof sources)[number]) =>
  source.imports.filter((path) => !path.startsWith('.') && !path.startsWith('node:'))

test('folders import only what lies below them', () => {
  expect(
    breaches(({ file, folder, ...rest }) =>
      local({ file, folder, ...rest })
        .map((path) => normalize(join(dirname(file), path)))
        .filter((path) => !under(path, may[folder] ?? [])),
    ),
  ).toEqual([])
})

test('every package has its home', () => {
  const outside = breaches(({ file, ...rest }) =>
    packages({ file, ...rest }).filter((path) => {
      const home = Object.entries(homes).find(([name]) => path === name || path.startsWith(`${name}/`))
      return !home || !under(file, home[1])
    }),
  )
  expect(outside).toEqual([])
})

test('core is pure: no node:, no package, no clock, no timer, no randomness', () => {
  const impure =
    /'node:|Date\.now|new Date\b|performance\.|setTimeout|setInterval|Math\.random|\bprocess\b|\basync\b|\bawait\b/
  expect(
    breaches(({ folder, text, imports }) => {
      if (folder !== 'core') return []
      const code = text.replace(/^\s*(\/\/|\*|\/\*).*$/gm, '')
      return [...imports.filter((path) => !path.startsWith('.')), ...(impure.exec(code) ?? [])]
    }),
  ).toEqual([])
})

test('sources run anywhere: .ts imports, node: prefixes, no Bun, no require', () => {
  expect(
    breaches((source) => [
      ...local(source).filter((path) => !path.endsWith('.ts')),
      ...source.imports.filter((path) =>
        /^(fs|path|os|child_process|process|util|http|net|crypto)(\/|$)/.test(path),
      ),
      ...(/\bBun\.|'bun:|\brequire\(/.exec(source.text) ?? []),
    ]),
  ).toEqual([])
})

test('timers, processes and the console are used in few known places', () => {
  const timers = [
    'runtime/sessions/expiry-timer.ts',
    'runtime/calls/deadline.ts',
    'browser/tab/navigation-watch.ts',
    'browser/observe/console-throttle.ts',
    'runtime/calls/settle-within.ts',
    'browser/process/health-check.ts',
    'browser/actions/press-and-hold.ts',
    'browser/in-page/actionability.ts',
    'browser/tab/settle.ts',
    'browser/forms/fast-fill.ts',
    'devserver/process/child-process.ts',
    'devserver/start/run-command.ts',
    'devserver/start/wait-until-ready.ts',
    'devserver/start/contract-server.ts',
    'devserver/start/http-probe.ts',
    'mcp/resource-updates.ts',
    'cli/serve/shutdown.ts',
    'cli/browsers/install-build.ts',
  ]
  expect(
    breaches(({ file, text }) =>
      /(?<!\.)\b(setTimeout|setInterval)\b/.test(text) && !timers.includes(file) ? ['timer'] : [],
    ),
  ).toEqual([])
  expect(
    breaches(({ folder, imports }) =>
      imports.includes('node:child_process') && folder !== 'devserver' ? ['child process'] : [],
    ),
  ).toEqual([])
  // The page of the demo speaks to its own console.
  const own = (file: string) => file === 'cli/client/demo-app.ts'
  expect(
    breaches(({ file, text }) =>
      /\bconsole\.(log|error|warn|info|debug)\b/.test(text) && !own(file) ? ['console'] : [],
    ),
  ).toEqual([])
})

test('no classes, default exports, any or barrels; no file over 200 lines', () => {
  expect(
    breaches(({ text }) => [
      ...(/^\s*(export )?(default|abstract class|class) /m.exec(text) ?? []),
      ...(/: any\b|as any\b|<any>|@ts-ignore/.exec(text) ?? []),
      ...(/^export (\*|\{.*\}) from/m.exec(text) ?? []),
      ...(text.split('\n').length > 201 ? ['too long'] : []),
    ]),
  ).toEqual([])
})
