// What the packages that we are made of need before they fit into one file, and what of them is left out of it.

import { join } from 'node:path'
import type { BunPlugin } from 'bun'

// Playwright finds its own files by the folder it was installed in, which a built file does not have: those reads become static.
// A pattern that no longer matches fails the build, because the result would die on every machine but this one.
const reads: readonly [RegExp, string][] = [
  [/require\(import_path\d*\.default\.join\(packageRoot, "package\.json"\)\)/, 'require("../package.json")'],
  [
    /require\(import_path\d*\.default\.join\(packageRoot, "browsers\.json"\)\)/,
    'require("../browsers.json")',
  ],
  [
    /import_fs\d*\.default\.readFileSync\(import_path\d*\.default\.join\(__dirname, "webp_codec\.wasm"\)\)/,
    'Buffer.from(require("./webp_codec.wasm"), "base64")',
  ],
]

// Of Playwright's own command line, test runner, MCP server and dashboard nothing is used. Without them it is there in half the time, and
// everybody's first page waits for that.
const cuts: readonly [RegExp, string][] = [
  [/^init_coreBundle\(\);$/m, 'init_inprocess();\ninit_registry();'],
  // Each of its calls would take its own stack apart, to be named by files that are not there.
  [
    /function captureLibraryStackTrace\(\) \{\n[^]*?\n\}\n(?=var init_clientStackTrace)/,
    'function captureLibraryStackTrace() { return { frames: [], apiName: "" } }\n',
  ],
  // An error of a page can have millions of lines, and Playwright takes it apart by line.
  [
    /const messageWithStack = getExceptionMessage\(exceptionDetails\);/,
    'const messageWithStack = getExceptionMessage(exceptionDetails).slice(0, 100_000);',
  ],
  // A message to the browser becomes one write instead of two.
  [
    /_pipeWrite\.write\(JSON\.stringify\(message\)\);\n +this\._pipeWrite\.write\("\\0"\);/,
    '_pipeWrite.write(JSON.stringify(message) + "\\0");',
  ],
]

const thirdParties: readonly [RegExp, string][] = [
  [/\/\/ node_modules\/zod\/index\.js\n[^]*?(?=\/\/ packages\/playwright-core\/src\/utilsBundle\.ts\n)/, ''],
]

const staticPlaywright: BunPlugin = {
  name: 'static-playwright',
  setup(build) {
    build.onLoad({ filter: /playwright-core[\\/]lib[\\/]utilsBundle\.js$/ }, async ({ path }) => ({
      contents: thirdParties.reduce(replaceOnce, await Bun.file(path).text()),
      loader: 'js',
    }))
    build.onLoad({ filter: /playwright-core[\\/]lib[\\/]coreBundle\.js$/ }, async ({ path }) => {
      const source = [...reads, ...cuts].reduce(replaceOnce, await Bun.file(path).text())
      const nowhere = JSON.stringify('/nonexistent/playwright-core/lib')
      return {
        contents: source.replaceAll('__dirname', nowhere).replaceAll('__filename', nowhere),
        loader: 'js',
      }
    })
    build.onLoad({ filter: /webp_codec\.wasm$/ }, async ({ path }) => {
      const base64 = Buffer.from(await Bun.file(path).arrayBuffer()).toString('base64')
      return { contents: `module.exports = ${JSON.stringify(base64)}`, loader: 'js' }
    })
  },
}

// Node's build of jsonc-parser finds its parts by calls that no bundler can follow; the other one says them plainly.
const plainParser: BunPlugin = {
  name: 'plain-parser',
  setup(build) {
    build.onResolve({ filter: /^jsonc-parser$/ }, () => ({
      path: join(import.meta.dir, '../../node_modules/jsonc-parser/lib/esm/main.js'),
    }))
  },
}

// The MCP SDK loads these for what is never asked of it here: its own check of a user's answer (ask.ts has one), and schemas of another
// version of Zod. Without them the first answer comes a tenth sooner.
const unused: readonly [RegExp, string][] = [
  [/sdk[\\/]dist[\\/]esm[\\/]validation[\\/]ajv-provider\.js$/, 'export class AjvJsonSchemaValidator {}'],
  [/zod-to-json-schema[\\/]dist[\\/]esm[\\/]index\.js$/, 'export const zodToJsonSchema = undefined'],
  [/zod[\\/]v3[\\/]index\.js$/, 'export const object = undefined'],
  [/zod[\\/]v4[\\/]locales[\\/]index\.js$/, "export { default as en } from './en.js'"],
]

// It also makes a schema of every message there is, of which a connection meets few. Each is made when it is first looked into.
const types = /sdk[\\/]dist[\\/]esm[\\/]types\.js$/
const schema = /^(export )?const (\w+Schema) = ([^]*?);\n(?=export|const|function|\/[/*])/gm
const later = `const later = (make) => {
  let made
  const real = () => (made ??= make())
  return new Proxy({}, {
    get: (_, key) => Reflect.get(real(), key),
    has: (_, key) => Reflect.has(real(), key),
    getPrototypeOf: () => Reflect.getPrototypeOf(real()),
  })
}
`

function lazySchemas(source: string): string {
  const count = source.match(schema)?.length ?? 0
  if (count < 100)
    throw new Error(`build: only ${count} schemas in the SDK's types; see scripts/release/plugins.ts`)
  return (
    later +
    source.replace(
      schema,
      (_, exported = '', name, made) => `${exported}const ${name} = later(() => ${made})\n`,
    )
  )
}

const lighterSdk: BunPlugin = {
  name: 'lighter-sdk',
  setup(build) {
    const met = new Set<RegExp>()
    const changes = [
      ...unused.map(([filter, text]) => [filter, () => text] as const),
      [types, lazySchemas] as const,
    ]
    for (const [filter, change] of changes)
      build.onLoad({ filter }, async ({ path }) => {
        met.add(filter)
        return { contents: change(await Bun.file(path).text()), loader: 'js' }
      })
    build.onEnd(() => {
      const missed = changes.map(([filter]) => filter).filter((filter) => !met.has(filter))
      if (missed.length > 0)
        throw new Error(`build: the SDK no longer loads ${missed.join(', ')}; see scripts/release/plugins.ts`)
    })
  },
}

function replaceOnce(source: string, [pattern, replacement]: readonly [RegExp, string]): string {
  if (!pattern.test(source))
    throw new Error(`build: playwright-core no longer contains ${pattern}; see scripts/release/plugins.ts`)
  return source.replace(pattern, () => replacement)
}

export const plugins = [staticPlaywright, plainParser, lighterSdk]
