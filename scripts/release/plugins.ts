// Build plugins that adapt the bundled packages to a single file, and omit the parts that are not used.

import { join } from 'node:path'
import type { BunPlugin } from 'bun'

// Playwright finds its own files by its installation folder, which a built file does not have: those reads become static. A pattern that no
// longer matches fails the build, because the result would fail on every other machine.
const staticReads: readonly [RegExp, string][] = [
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

// Playwright's command line, test runner, MCP server and dashboard are not used. Without them Playwright loads in half the time, which every
// first page waits for.
const omissions: readonly [RegExp, string][] = [
  [/^init_coreBundle\(\);$/m, 'init_inprocess();\ninit_registry();'],
  // Each call would parse its own stack, for file names that do not exist here.
  [
    /function captureLibraryStackTrace\(\) \{\n[^]*?\n\}\n(?=var init_clientStackTrace)/,
    'function captureLibraryStackTrace() { return { frames: [], apiName: "" } }\n',
  ],
  // An error of a page can have millions of lines, and Playwright parses each of them.
  [
    /const messageWithStack = getExceptionMessage\(exceptionDetails\);/,
    'const messageWithStack = getExceptionMessage(exceptionDetails).slice(0, 100_000);',
  ],
  // Sends a message to the browser in one write instead of two.
  [
    /_pipeWrite\.write\(JSON\.stringify\(message\)\);\n +this\._pipeWrite\.write\("\\0"\);/,
    '_pipeWrite.write(JSON.stringify(message) + "\\0");',
  ],
]

const bundledLibraries: readonly [RegExp, string][] = [
  [/\/\/ node_modules\/zod\/index\.js\n[^]*?(?=\/\/ packages\/playwright-core\/src\/utilsBundle\.ts\n)/, ''],
]

const staticPlaywright: BunPlugin = {
  name: 'static-playwright',
  setup(build) {
    build.onLoad({ filter: /playwright-core[\\/]lib[\\/]utilsBundle\.js$/ }, async ({ path }) => ({
      contents: bundledLibraries.reduce(replaceOnce, await Bun.file(path).text()),
      loader: 'js',
    }))
    build.onLoad({ filter: /playwright-core[\\/]lib[\\/]coreBundle\.js$/ }, async ({ path }) => {
      const source = [...staticReads, ...omissions].reduce(replaceOnce, await Bun.file(path).text())
      const missingFolder = JSON.stringify('/nonexistent/playwright-core/lib')
      return {
        contents: source.replaceAll('__dirname', missingFolder).replaceAll('__filename', missingFolder),
        loader: 'js',
      }
    })
    build.onLoad({ filter: /webp_codec\.wasm$/ }, async ({ path }) => {
      const base64 = Buffer.from(await Bun.file(path).arrayBuffer()).toString('base64')
      return { contents: `module.exports = ${JSON.stringify(base64)}`, loader: 'js' }
    })
  },
}

// The Node build of jsonc-parser loads its parts by calls that a bundler cannot resolve; the ESM build has static imports.
const esmJsoncParser: BunPlugin = {
  name: 'esm-jsonc-parser',
  setup(build) {
    build.onResolve({ filter: /^jsonc-parser$/ }, () => ({
      path: join(import.meta.dir, '../../node_modules/jsonc-parser/lib/esm/main.js'),
    }))
  },
}

// The SDK for servers and the one for clients are bundles that each contain a validator of JSON schemas, which is not used here
// (src/mcp/calls/ask-user.ts has its own check), and Zod loads its messages in every language.
const unusedModules: readonly [RegExp, string][] = [
  [
    /modelcontextprotocol[\\/](server|client)[\\/]dist[\\/]ajvProvider-[^\\/]+\.mjs$/,
    'export const t = undefined, n = class {}, r = undefined, i = undefined',
  ],
  [/zod[\\/]v4[\\/]locales[\\/]index\.js$/, "export { default as en } from './en.js'"],
]

// The SDK's high-level server, which is not used.
const highLevelServer = /modelcontextprotocol[\\/]server[\\/]dist[\\/]mcp-[^\\/]+\.mjs$/

const withoutHighLevelServer = (source: string): string =>
  replaceOnce(source, [
    /\/\/#region src\/server\/mcp\.ts\n[^]*?\n\/\/#endregion\n/,
    'const McpServer = class {}, ResourceTemplate = class {}\n',
  ])

// They also create a schema of every message type of both eras, of which a connection needs few. Each is created at its first use, and
// without a compiled function of its own.
const sdkSchemas =
  /modelcontextprotocol[\\/](core[\\/]dist[\\/](schemas|auth)|(server|client)[\\/]dist[\\/]src)-[^\\/]+\.mjs$/
const schemaDeclaration = /^(\t?)const (\w+Schema(?:\$\d+)?) = ([^]*?);\n(?=\1[^\s})\]]|\n)/gm
const lazySchemaHelper = `import { config as configureZod } from 'zod/v4/core'
configureZod({ jitless: true })
const later = (make) => {
  let made
  const real = () => (made ??= make())
  return new Proxy({}, {
    get: (_, key) => Reflect.get(real(), key),
    has: (_, key) => Reflect.has(real(), key),
    getPrototypeOf: () => Reflect.getPrototypeOf(real()),
  })
}
`
// The keys of a form for the user, which need its schemas; read only where a form is not given as JSON Schema.
const formKeys = /^const (ROOT_KEYS|PROPERTY_KEYS_BY_TYPE|SUPPORTED_STRING_FORMATS) = [^]*?;\n(?=\S)/gm

function lazySchemas(source: string): string {
  const count = source.match(schemaDeclaration)?.length ?? 0
  if (count < 10)
    throw new Error(`build: only ${count} schemas in the SDK's types; see scripts/release/plugins.ts`)
  return (
    lazySchemaHelper +
    source
      .replace(formKeys, (_, name) => `const ${name} = new Set();\n`)
      .replace(
        schemaDeclaration,
        (_, indent, name, expression) => `${indent}const ${name} = later(() => ${expression});\n`,
      )
  )
}

const reducedSdk: BunPlugin = {
  name: 'reduced-sdk',
  setup(build) {
    const matchedFilters = new Set<RegExp>()
    const changes = [
      ...unusedModules.map(([filter, text]) => [filter, () => text] as const),
      [highLevelServer, withoutHighLevelServer] as const,
      [sdkSchemas, lazySchemas] as const,
    ]
    for (const [filter, change] of changes)
      build.onLoad({ filter }, async ({ path }) => {
        matchedFilters.add(filter)
        return { contents: change(await Bun.file(path).text()), loader: 'js' }
      })
    build.onEnd(() => {
      const unmatchedFilters = changes
        .map(([filter]) => filter)
        .filter((filter) => !matchedFilters.has(filter))
      if (unmatchedFilters.length > 0)
        throw new Error(
          `build: the SDK no longer loads ${unmatchedFilters.join(', ')}; see scripts/release/plugins.ts`,
        )
    })
  },
}

function replaceOnce(source: string, [pattern, replacement]: readonly [RegExp, string]): string {
  if (!pattern.test(source))
    throw new Error(`build: a package no longer contains ${pattern}; see scripts/release/plugins.ts`)
  return source.replace(pattern, () => replacement)
}

export const plugins = [staticPlaywright, esmJsoncParser, reducedSdk]
