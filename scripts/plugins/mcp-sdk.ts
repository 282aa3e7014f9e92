// Leaves out the parts of the MCP SDK that are not used, and makes the rest start fast.

import type { BunPlugin } from 'bun'
import { replaceOnce } from './replace-once.ts'

// The SDK for servers and the one for clients are bundles that each contain a validator of JSON schemas, which is not used here
// (src/core/mcp/calls/suspended-calls.ts has its own check), and Zod loads its messages in every language.
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
    throw new Error(`build: only ${count} schemas in the SDK's types; see scripts/plugins/mcp-sdk.ts`)
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

export const reducedSdk: BunPlugin = {
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
          `build: the SDK no longer loads ${unmatchedFilters.join(', ')}; see scripts/plugins/mcp-sdk.ts`,
        )
    })
  },
}
