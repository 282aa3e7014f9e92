// The shape of src, held by its imports. Rooms of the core import downwards, features import the core, `lib` and what their row names.

import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { Glob } from 'bun'
import { features } from '../src/features/index.ts'
import {
  circleExceptions,
  effects,
  pairExceptions,
  roomExceptions,
  rooms,
  writers,
} from './support/folders.ts'
import { codeIn } from './support/identifiers.ts'

const homes: Record<string, readonly string[]> = {
  playwright: [
    'core/browser',
    'features/attach',
    'features/audit',
    'features/baseline',
    'features/emulate',
    'features/evidence',
    'features/extension',
    'features/lib',
    'features/login',
    'features/mock',
    'features/pace',
    'features/page-tools',
    'features/remote',
    'features/sources',
    'features/states',
    'features/touch',
    'features/verify',
    'features/video',
    'features/view',
  ],
  'playwright-core': ['core/browser'],
  'modern-tar': ['features/browsers'],
  yauzl: ['features/browsers', 'features/run-test'],
  ws: ['features/attach', 'features/remote'],
  '@modelcontextprotocol/server/validators': ['features/page-tools'],
  '@modelcontextprotocol/server': ['core/mcp', 'features/http', 'features/shell', 'features/view'],
  '@modelcontextprotocol/node': ['features/http'],
  '@modelcontextprotocol/client': ['features/call'],
  '@valibot/to-json-schema': ['core/mcp/calls'],
  '@secretlint/secretlint-rule-preset-recommend': ['core/sessions'],
  jose: ['features/http'],
  valibot: [
    'core/browser/tools',
    'core/cli/options',
    'core/devserver',
    'core/mcp/calls',
    'core/sessions/tools',
    'core/snapshot/tools',
    'core/tool',
    'features/attach',
    'features/audit',
    'features/baseline',
    'features/browsers',
    'features/compare',
    'features/emulate',
    'features/evidence',
    'features/extension',
    'features/freshness',
    'features/host-rules',
    'features/http',
    'features/lib/calls',
    'features/mock',
    'features/page-tools',
    'features/remote',
    'features/report',
    'features/run-test',
    'features/save-test',
    'features/shell',
    'features/sources',
    'features/states',
    'features/touch',
    'features/trace',
    'features/verify',
    'features/video',
    'features/view',
  ],
  citty: ['core/cli', 'core/tool'],
  consola: ['core/cli', 'features/doctor'],
  'jsonc-parser': ['features/setup'],
  'smol-toml': ['features/setup'],
  diff: ['features/setup', 'features/verify/flows'],
  re2js: ['core/tool'],
  mrmime: ['features/mock'],
  '@jridgewell/trace-mapping': ['features/sources'],
  acorn: ['features/verify/coverage'],
  '@csstools/css-tokenizer': ['features/verify/page'],
  '@babel/parser': ['features/verify/source'],
  'axe-core': ['features/audit'],
  'web-vitals': ['features/audit'],
  pixelmatch: ['features/baseline'],
  pngjs: ['features/baseline'],
  'webm-muxer': ['features/video'],
}

const root = join(import.meta.dir, '../src')
const files = [...new Glob('**/*.ts').scanSync(root)].sort()
const sources = files.map((file) => {
  const text = readFileSync(join(root, file), 'utf8')
  const imports = [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1] ?? '')
  return { file, text, imports }
})

const under = (path: string, places: readonly string[]) =>
  places.some((place) => path === place || path.startsWith(`${place}/`))
const breaches = (rule: (source: (typeof sources)[number]) => readonly string[]) =>
  sources.flatMap((source) => rule(source).map((what) => `${source.file}: ${what}`))
const local = (source: (typeof sources)[number]) => source.imports.filter((path) => path.startsWith('.'))
const packages = (source: (typeof sources)[number]) =>
  source.imports.filter((path) => !path.startsWith('.') && !path.startsWith('node:'))

/** Imports from one file of src into another. */
const arrows = sources.flatMap((source) =>
  local(source).map((path) => ({ from: source.file, to: normalize(join(dirname(source.file), path)) })),
)

const roomOf = (file: string) => /^core\/([^/]+)\//.exec(file)?.[1]
const featureOf = (file: string) => /^features\/([^/]+)\//.exec(file)?.[1]

/** The targets of some arrows by their origin, as the rows of folders.ts have them. */
function rowsOf(chosen: typeof arrows): Record<string, string[]> {
  const rows: Record<string, Set<string>> = {}
  for (const { from, to } of chosen) (rows[from] ??= new Set()).add(to)
  return Object.fromEntries(Object.entries(rows).map(([from, targets]) => [from, [...targets].sort()]))
}

const fullRows = (rows: Readonly<Record<string, readonly string[]>>, from: string, to: string) =>
  Object.fromEntries(
    Object.entries(rows).map(([file, targets]) => [
      `${from}${file}`,
      targets.map((target) => `${to}${target}`),
    ]),
  )

test('rooms of the core import downwards only', () => {
  expect([...new Set(files.flatMap((file) => roomOf(file) ?? []))].sort()).toEqual(Object.keys(rooms).sort())
  const upwards = arrows.filter(({ from, to }) => {
    const [room, other] = [roomOf(from), roomOf(to)]
    return room && other && room !== other && !rooms[room]?.includes(other)
  })
  expect(rowsOf(upwards)).toEqual(fullRows(roomExceptions, '', 'core/'))
})

test('the core imports no feature; cli alone reads their list', () => {
  const into = arrows.filter(({ from, to }) => roomOf(from) && to.startsWith('features/'))
  expect(into.filter(({ to }) => to !== 'features/index.ts')).toEqual([])
  expect([...new Set(into.map(({ from }) => roomOf(from)))]).toEqual(['cli'])
})

const after: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  features.map((feature) => [feature.name, feature.after ?? []]),
)

test('every folder of features is in the list, by its name', () => {
  const folders = new Set(arrows.flatMap(({ from }) => featureOf(from) ?? []))
  expect(Object.keys(after).toSorted()).toEqual([...folders].filter((name) => name !== 'lib').toSorted())
})

test('features import the core, lib and those that they name in `after`, without a circle', () => {
  const between = arrows.filter(({ from, to }) => {
    const [feature, other] = [featureOf(from), featureOf(to)]
    return feature && other && feature !== other
  })
  const isNamed = ({ from, to }: (typeof arrows)[number]) =>
    featureOf(to) === 'lib' || after[featureOf(from) ?? '']?.includes(featureOf(to) ?? '')
  expect(rowsOf(between.filter((arrow) => !isNamed(arrow)))).toEqual(
    fullRows(circleExceptions, 'features/', 'features/'),
  )
  const unused = Object.entries(after).flatMap(([feature, others]) =>
    others
      .filter(
        (other) => !between.some(({ from, to }) => featureOf(from) === feature && featureOf(to) === other),
      )
      .map((other) => `${feature}: ${other}`),
  )
  expect(unused).toEqual([])
  const circles = Object.keys(after).filter((feature) => reach(feature).has(feature))
  expect(circles).toEqual([])
})

/** All features that a feature needs. */
function reach(feature: string, found = new Set<string>()): Set<string> {
  for (const other of after[feature] ?? []) if (!found.has(other)) reach(other, found.add(other))
  return found
}

test('no two folders import each other', () => {
  const ways = new Set(arrows.map(({ from, to }) => `${dirname(from)} ${dirname(to)}`))
  const pairs = [...ways].filter((way) => {
    const [folder = '', other = ''] = way.split(' ')
    return folder < other && ways.has(`${other} ${folder}`)
  })
  expect(pairs.sort()).toEqual([...pairExceptions])
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

test('what is pure stays pure: no node:, no package, no clock, no timer, no randomness', () => {
  const impure =
    /Date\.now|new Date\b|performance\.|setTimeout|setInterval|Math\.random|\bprocess\b|\basync\b|\bawait\b/
  // What it writes in texts, such as the code of a test, does not run there.
  const isImpure = ({ text, imports }: (typeof sources)[number]) =>
    imports.some((path) => !path.startsWith('.')) || impure.test(codeIn(text))
  const mayHaveEffects = (file: string) => {
    const row = effects[dirname(file)]
    return row === '*' || row?.split(' ').includes(basename(file, '.ts')) || file === 'main.ts'
  }
  const unlisted = sources.filter((source) => isImpure(source) && !mayHaveEffects(source.file))
  expect(unlisted.map(({ file }) => file)).toEqual([])
  const listed = Object.entries(effects).flatMap(([folder, row]) =>
    row.split(' ').map((name) => `${folder}/${name === '*' ? '' : `${name}.ts`}`),
  )
  const impureFiles = sources.filter(isImpure).map(({ file }) => file)
  expect(listed.filter((path) => !impureFiles.some((file) => file.startsWith(path)))).toEqual([])
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
    'core/base/system/expiry-timer.ts',
    'core/base/system/timer.ts',
    'core/browser/tab/page-activity.ts',
    'core/browser/actions/load-stall.ts',
    'core/browser/in-page/page/throttle-console.ts',
    'core/browser/process/start-browser.ts',
    'core/browser/process/launch-browser.ts',
    'core/browser/network/save-downloads.ts',
    'core/browser/in-page/actions/drag-watch.ts',
    'core/browser/in-page/actions/actionability.ts',
    'core/browser/in-page/actions/form-fields.ts',
    'core/devserver/process/child-process.ts',
    'core/devserver/start/run-command.ts',
    'core/devserver/start/wait-until-ready.ts',
    'core/devserver/start/contract-server.ts',
    'features/states/named-states.ts',
    'core/mcp/calls/suspended-calls.ts',
    'core/mcp/subscriptions.ts',
    'core/cli/serve/shutdown.ts',
    'features/browsers/install-build.ts',
    'features/verify/blank/in-page/page-content.ts',
    'features/verify/node/install-coverage.ts',
    'features/view/in-page/pointing.ts',
    'features/view/in-page/start-view.ts',
  ]
  expect(
    breaches(({ file, text }) =>
      /(?<!\.)\b(setTimeout|setInterval)\b/.test(codeIn(text)) && !timers.includes(file) ? ['timer'] : [],
    ),
  ).toEqual([])
  // The relay of the user's browser; the formatter of the user's project; a command of the shell, which starts its server and looks for
  // who calls it; the hook of a client, which gives up its own work after a while; the version of gh or glab.
  const starters = [
    'features/attach/relay-process.ts',
    'features/lib/pull-request/cli-version.ts',
    'features/run-test/format-file.ts',
    'features/shell/calling-agent.ts',
    'features/shell/start-server.ts',
    'features/verify/stop-hook/run-stop-hook.ts',
  ]
  expect(
    breaches(({ file, imports }) =>
      imports.includes('node:child_process') &&
      !file.startsWith('core/devserver/') &&
      !starters.includes(file)
        ? ['child process']
        : [],
    ),
  ).toEqual([])
  // Git runs what a repository names, unless it is kept from that.
  expect(
    breaches(({ file, text }) =>
      /\b(spawn\w*|exec\w*|findOnPath)\(\s*['"`]git\b/.test(text) &&
      file !== 'core/devserver/process/run-git.ts'
        ? ['git']
        : [],
    ),
  ).toEqual([])
  // The page of the demo speaks to its own console.
  const own = (file: string) => file === 'features/call/demo-app.ts'
  expect(
    breaches(({ file, text }) =>
      /\bconsole\.(log|error|warn|info|debug)\b/.test(text) && !own(file) ? ['console'] : [],
    ),
  ).toEqual([])
})

test('files are written by kept-files.ts, and elsewhere only for a reason', () => {
  const writes =
    /(?<!file\.)\b(writeFile|writeFileSync|appendFile|appendFileSync|writeSync|createWriteStream|copyFile|copyFileSync|saveAs|truncateSync|ftruncateSync|rename|renameSync)\(|\bO_(WRONLY|RDWR|CREAT|TRUNC|APPEND)\b|\bopen(Sync)?\([^)]*'(w|a|r\+)/
  const unlisted = breaches(({ file, text }) =>
    writes.test(codeIn(text)) && !under(file, Object.keys(writers)) ? ['file'] : [],
  )
  expect(unlisted).toEqual([])
  const unused = Object.keys(writers).filter(
    (place) => !sources.some(({ file, text }) => under(file, [place]) && writes.test(codeIn(text))),
  )
  expect(unused).toEqual([])
})

/** Files that have exports below such a line. */
const withExportsBelow = [
  'core/browser/console/page-events.ts',
  'core/browser/snapshot/aria-snapshot.ts',
  'core/browser/tab/page-redaction.ts',
  'core/browser/tab/tab-list.ts',
  'core/browser/tab/tab.ts',
  'features/baseline/compare-screenshot.ts',
  'features/evidence/failure-view.ts',
  'features/lib/in-page/watch-actions.ts',
  'features/mock/mock-routes.ts',
]

test('no classes, default exports, any or barrels; no export below a line internal; no file over 400 lines', () => {
  expect(
    breaches(({ file, text }) => [
      ...(/^\s*(export )?(default|abstract class|class) /m.exec(text) ?? []),
      ...(/: any\b|as any\b|<any>|@ts-ignore/.exec(text) ?? []),
      ...(/^export (\*|\{.*\}) from/m.exec(text) ?? []),
      ...(!withExportsBelow.includes(file) && /^\/\/ --- internal ---$[^]*^export /m.test(text)
        ? ['export']
        : []),
      ...(text.split('\n').length > 401 ? ['too long'] : []),
    ]),
  ).toEqual([])
})

const isInPage = (file: string) => /^(core\/browser|features\/[^/]+)\/in-page\//.test(file)

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

/** What calls functions of a page: the browser, and features that import Playwright. */
const isBrowserSide = (file: string) =>
  file.startsWith('core/browser/') || under(file, homes['playwright'] ?? []) || isInPage(file)

test('functions are put together for a page in one place', () => {
  const known: Record<string, RegExp> = {
    'core/browser/playwright/compose-in-page.ts': /./,
    'core/browser/in-page/page-function.ts': /./,
    // They compile a script of a caller, and never run it.
    'core/browser/actions/evaluate.ts': /new Function\(`return \$\{source\}`\)/,
    'core/browser/in-page/page/serialize-value.ts': /new Function\(source\)/,
    // The text of a function that was put together elsewhere.
    'core/browser/playwright/run-script.ts': /String\(run\)/,
  }
  const composed = /.*(?:new Function\(|\.toString\(\)|\bpageFunction\(|functionDeclaration: ).*/g
  expect(
    breaches(({ file, text }) =>
      isBrowserSide(file)
        ? [...text.matchAll(composed)]
            .map(([line]) => line.trim())
            .filter((line) => !(known[file]?.test(line) || file.endsWith('/in-page/generated.ts')))
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
      if (!isBrowserSide(file) || isInPage(file)) return []
      const given = [...text.matchAll(senders)]
        .flatMap(({ index, 0: name }) => topLevelArguments(text, index + name.length))
        .flatMap((one) => (one.startsWith('{') ? topLevelArguments(one, 1) : one))
        .map((one) => one.replace(/^\w+: /, ''))
      const local = new Set([...text.matchAll(declared)].map(([, name, value]) => name ?? value ?? ''))
      return given.filter((one) => /=>\s*\{|^(async )?function\b/.test(one) || local.has(one))
    }),
  ).toEqual([])
})
