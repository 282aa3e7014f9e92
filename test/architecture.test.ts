// The shape of src, held by its imports. A folder may import what its row names; a heavy package has one home.

import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { Glob } from 'bun'
import { may, neighbours } from './support/folders.ts'
import { codeIn } from './support/identifiers.ts'

const homes: Record<string, readonly string[]> = {
  playwright: ['browser'],
  'playwright-core': ['browser'],
  'modern-tar': ['cli/browsers'],
  yauzl: ['cli/browsers', 'devserver/test-run'],
  ws: ['runtime/attach', 'browser/remote'],
  '@modelcontextprotocol/server/validators': ['tools'],
  '@modelcontextprotocol/server': ['mcp'],
  '@modelcontextprotocol/node': ['mcp/http'],
  '@modelcontextprotocol/client': ['cli/commands'],
  '@valibot/to-json-schema': ['mcp'],
  '@secretlint/secretlint-rule-preset-recommend': ['runtime'],
  jose: ['mcp'],
  valibot: ['tools', 'mcp', 'cli', 'devserver'],
  citty: ['cli'],
  consola: ['cli'],
  'jsonc-parser': ['cli/setup'],
  'smol-toml': ['cli/setup'],
  diff: ['cli/setup'],
  re2js: ['tools'],
  mrmime: ['tools'],
  '@jridgewell/trace-mapping': ['runtime/sources'],
  'axe-core': ['browser'],
  'web-vitals': ['browser'],
  pixelmatch: ['browser'],
  pngjs: ['browser'],
  'webm-muxer': ['browser/video'],
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

test('inner folders import only what their rows name', () => {
  const importsOf = (folder: string) =>
    sources
      .filter(({ file }) => dirname(file) === folder)
      .flatMap((source) => local(source).map((path) => dirname(normalize(join(dirname(source.file), path)))))
      .filter((path) => path !== folder && path.split('/')[0] === folder.split('/')[0])
  const folders = [...new Set(sources.map(({ file }) => dirname(file)))].filter((folder) => folder !== '.')
  const imports = Object.fromEntries(
    folders.map((folder) => [folder, [...new Set(importsOf(folder))].sort()]),
  )
  expect(imports).toEqual(neighbours as Record<string, string[]>)
})

test('no two folders import each other', () => {
  const pairs = Object.entries(neighbours).flatMap(([folder, others]) =>
    others.filter((other) => neighbours[other]?.includes(folder)).map((other) => `${folder}, ${other}`),
  )
  expect(pairs).toEqual([])
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
    /Date\.now|new Date\b|performance\.|setTimeout|setInterval|Math\.random|\bprocess\b|\basync\b|\bawait\b/
  expect(
    breaches(({ folder, text, imports }) => {
      if (folder !== 'core') return []
      // What it writes in texts, such as the code of a test, does not run there.
      return [...imports.filter((path) => !path.startsWith('.')), ...(impure.exec(codeIn(text)) ?? [])]
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
    'runtime/system/expiry-timer.ts',
    'runtime/system/timer.ts',
    'browser/tab/page-activity.ts',
    'browser/actions/load-stall.ts',
    'browser/in-page/observe/throttle-console.ts',
    'browser/process/start-browser.ts',
    'browser/process/launch-browser.ts',
    'browser/network/save-downloads.ts',
    'browser/in-page/actions/drag-watch.ts',
    'browser/in-page/actions/actionability.ts',
    'browser/tab/page-activity.ts',
    'browser/in-page/actions/form-fields.ts',
    'devserver/process/child-process.ts',
    'devserver/start/run-command.ts',
    'devserver/start/wait-until-ready.ts',
    'devserver/start/contract-server.ts',
    'runtime/files/named-states.ts',
    'mcp/calls/suspended-calls.ts',
    'mcp/subscriptions.ts',
    'cli/serve/shutdown.ts',
    'cli/browsers/install-build.ts',
    'cli/view/in-page/pointing.ts',
    'cli/view/in-page/start-view.ts',
  ]
  expect(
    breaches(({ file, text }) =>
      /(?<!\.)\b(setTimeout|setInterval)\b/.test(codeIn(text)) && !timers.includes(file) ? ['timer'] : [],
    ),
  ).toEqual([])
  // A command of the shell starts its server, and looks for who calls it.
  const starters = ['cli/shell-client/start-server.ts', 'cli/shell-client/calling-agent.ts']
  expect(
    breaches(({ folder, file, imports }) =>
      imports.includes('node:child_process') && folder !== 'devserver' && !starters.includes(file)
        ? ['child process']
        : [],
    ),
  ).toEqual([])
  // The page of the demo speaks to its own console.
  const own = (file: string) => file === 'cli/commands/demo-app.ts'
  expect(
    breaches(({ file, text }) =>
      /\bconsole\.(log|error|warn|info|debug)\b/.test(text) && !own(file) ? ['console'] : [],
    ),
  ).toEqual([])
})

test('files are written in few known places, where texts pass the redactor', () => {
  const writers = [
    // Texts of sessions.
    'runtime/files/session-files.ts',
    'devserver/logs/redacted-logs.ts',
    // What stays private: states, the output of servers, the scripts and events of test runs.
    'runtime/files/named-states.ts',
    'devserver/logs/log-folder.ts',
    'devserver/test-run',
    // Bytes, and no text of a page.
    'browser/network/save-downloads.ts',
    // A trace that has ended by itself; its answer says that it keeps secrets.
    'browser/tab/tracing.ts',
    // The preferences of a profile.
    'browser/process/extension.ts',
    'runtime/files/output-folder.ts',
    'runtime/attach/run-relay.ts',
    'cli/browsers',
    'cli/setup/client-file.ts',
    'cli/record/uploaded-files.ts',
    // Of reports, whose texts were redacted.
    'cli/commands/report-index.ts',
    // The answer of a server, which has redacted it, on stdout.
    'cli/shell-client/run-client.ts',
  ]
  const writes =
    /\b(writeFile|writeFileSync|appendFile|appendFileSync|writeSync|createWriteStream|copyFile|copyFileSync|saveAs)\(/
  expect(
    breaches(({ file, text }) => (writes.test(codeIn(text)) && !under(file, writers) ? ['file'] : [])),
  ).toEqual([])
})

test('no classes, default exports, any or barrels; no export below a line internal; no file over 400 lines', () => {
  expect(
    breaches(({ text, folder }) => [
      ...(/^\s*(export )?(default|abstract class|class) /m.exec(text) ?? []),
      ...(/: any\b|as any\b|<any>|@ts-ignore/.exec(text) ?? []),
      ...(/^export (\*|\{.*\}) from/m.exec(text) ?? []),
      ...(folder !== 'browser' && /^\/\/ --- internal ---$[^]*^export /m.test(text) ? ['export'] : []),
      ...(text.split('\n').length > 401 ? ['too long'] : []),
    ]),
  ).toEqual([])
})

const isInPage = (file: string) => /^(browser|cli\/view)\/in-page\//.test(file)

// The generated file has their text, each with its own copy of what it imports: nothing is shared by them but what the page keeps.
test('functions that run in a page come from the generated file and keep nothing in their modules', () => {
  const kept = /^(?:export )?(?:let |const \w+ = new ).*/gm
  const value = /^import (?!type )(?:(?!\bfrom\b)[^])*from '.*\/in-page\/(?!generated|page-function).*/gm
  expect(
    breaches(({ file, text }) => {
      const isSource = isInPage(file) && !file.endsWith('/generated.ts')
      return [...text.matchAll(isSource ? kept : value)].map(([line]) => line)
    }),
  ).toEqual([])
})

test('functions are put together for a page in one place', () => {
  const known: Record<string, RegExp> = {
    'browser/playwright/compose-in-page.ts': /./,
    'browser/in-page/page-function.ts': /./,
    'browser/in-page/generated.ts': /./,
    // They compile a script of a caller, and never run it.
    'browser/actions/evaluate.ts': /new Function\(`return \$\{source\}`\)/,
    'browser/in-page/actions/serialize-value.ts': /new Function\(source\)/,
    // The text of a function that was put together elsewhere.
    'browser/playwright/run-script.ts': /String\(run\)/,
  }
  const composed = /.*(?:new Function\(|\.toString\(\)|\bpageFunction\(|functionDeclaration: ).*/g
  expect(
    breaches(({ file, text }) =>
      file.startsWith('browser/')
        ? [...text.matchAll(composed)].map(([line]) => line.trim()).filter((line) => !known[file]?.test(line))
        : [],
    ),
  ).toEqual([])
})

// A callback of one expression may stand where it is used. All others come from in-page, directly or put together.
test('functions of more than one expression run in a page from in-page only', () => {
  const senders =
    /\b(?:evaluate\w*|addInitScript|runScript|composeInPage|examine|readElement|variantsOf|editor\.run)\(/g
  const topLevelArguments = (text: string, start: number): string[] => {
    const found = ['']
    for (let depth = 1, at = start; at < text.length; at += 1) {
      const char = text[at] ?? ''
      if ('([{'.includes(char)) depth += 1
      if (')]}'.includes(char)) depth -= 1
      if (depth === 0) break
      if (char === ',' && depth === 1) found.push('')
      else found[found.length - 1] += char
    }
    return found.map((one) => one.trim())
  }
  const declared = /\bfunction\*? (\w+)|\bconst (\w+) = (?:async )?(?:\([^()]*\)|\w+)(?:: [^=]+)? => \{/g
  expect(
    breaches(({ file, text }) => {
      if (!file.startsWith('browser/') || isInPage(file)) return []
      const given = [...text.matchAll(senders)]
        .flatMap(({ index, 0: name }) => topLevelArguments(text, index + name.length))
        .flatMap((one) => (one.startsWith('{') ? topLevelArguments(one, 1) : one))
        .map((one) => one.replace(/^\w+: /, ''))
      const local = new Set([...text.matchAll(declared)].map(([, name, value]) => name ?? value ?? ''))
      return given.filter((one) => /=>\s*\{|^(async )?function\b/.test(one) || local.has(one))
    }),
  ).toEqual([])
})
