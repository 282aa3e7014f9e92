// An instrumented build of an application, and what its counters say of the lines of the sources. Scripts are instrumented in place, so that
// their lines are those of the sources without any map; what is compiled first by a plugin of Vite, with the map of the compiler.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping'
import { createInstrumenter } from 'istanbul-lib-instrument'

/** What istanbul knows of one file: where its counters are. */
interface FileMap {
  readonly path: string
  readonly hash: string
  readonly statementMap: Readonly<Record<string, Range>>
  readonly fnMap: Readonly<Record<string, { readonly decl: Range }>>
  readonly branchMap: Readonly<
    Record<string, { readonly type: string; readonly locations: readonly Range[] }>
  >
  readonly inputSourceMap?: ConstructorParameters<typeof TraceMap>[0]
}
interface Range {
  readonly start: { readonly line?: number; readonly column?: number }
}

/** The counters above 0, by the hash of the file: `s3`, `f1`, `b0.1`. */
export type Counted = Readonly<Record<string, readonly string[]>>

/** The text of a function that returns them, for pages and servers. */
export const COUNTED = `() => Object.fromEntries(Object.values(globalThis.__coverage__ ?? {}).map(({ hash, s, f, b }) => [hash, [
  ...Object.keys(s).filter((id) => s[id] > 0).map((id) => 's' + id),
  ...Object.keys(f).filter((id) => f[id] > 0).map((id) => 'f' + id),
  ...Object.entries(b).flatMap(([id, counts]) => counts.flatMap((count, index) => count > 0 ? 'b' + id + '.' + index : [])),
]]))`

interface LineTruth {
  /** Whether each statement that begins on the line ran. */
  readonly statements: boolean[]
  /** The same of functions and branches. */
  readonly parts: boolean[]
}
/** By file, relative to the folder of the application, and line. */
export type Truth = ReadonlyMap<string, ReadonlyMap<number, LineTruth>>

const SCRIPT = /\.[cm]?[jt]sx?$/
const COMPILED = /\.(?:vue|svelte|astro)$/
const SKIPPED =
  /(^|\/)(node_modules|dist|\.git|\.next|\.astro)\/|\.config\.[cm]?[jt]s$|\.d\.ts$|(^|\/)server\.mjs$/

const isOwnScript = (file: string): boolean => SCRIPT.test(file) && !SKIPPED.test(file)

/** Where the counters are is written to the folder `maps`. */
export function instrument(folder: string, maps: string): void {
  const names = listFiles(folder)
  for (const name of names) {
    if (!isOwnScript(name)) continue
    const path = join(folder, name)
    const text = readFileSync(path, 'utf8')
    const isModule = /^\s*(?:import|export)\b/m.test(text)
    const instrumenter = createInstrumenter({
      esModules: isModule,
      compact: false,
      parserPlugins: [
        'classProperties',
        'classPrivateProperties',
        'decorators-legacy',
        ...(/\.[cm]?tsx?$/.test(name) ? ['typescript'] : []),
        ...(/x$|js$/.test(name) ? ['jsx'] : []),
      ],
    })
    const instrumented = instrumenter.instrumentSync(text, path)
    writeFileSync(path, `// @ts-nocheck\n${instrumented}`)
    const hash = /\bhash = "(\w+)"/.exec(instrumented)?.[1]
    writeFileSync(
      join(maps, `${hash}.map.json`),
      JSON.stringify({ ...instrumenter.lastFileCoverage(), hash }),
    )
  }
  if (names.some((name) => COMPILED.test(name))) addPlugin(folder, names, maps)
}

/** `folder` is the real path of the application. */
export function readTruth(
  counted: ReadonlyMap<string, ReadonlySet<string>>,
  folder: string,
  maps: string,
): Truth {
  const truth = new Map<string, Map<number, LineTruth>>()
  for (const name of readdirSync(maps).filter((one) => one.endsWith('.map.json'))) {
    const file: FileMap = JSON.parse(readFileSync(join(maps, name), 'utf8'))
    const ids = counted.get(file.hash)
    const path = relative(folder, file.path.replace(/\?.*$/, ''))
    if (!ids || path.startsWith('..')) continue
    const map = file.inputSourceMap && new TraceMap(file.inputSourceMap)
    const lines = truth.get(path) ?? new Map<number, LineTruth>()
    truth.set(path, lines)
    const note = (kind: keyof LineTruth, { start: { line, column = 0 } }: Range, id: string) => {
      if (line === undefined) return
      const place = map ? originalPositionFor(map, { line, column }).line : line
      if (place === null) return
      const known = lines.get(place) ?? { statements: [], parts: [] }
      lines.set(place, known)
      known[kind].push(ids.has(id))
    }
    for (const [id, range] of Object.entries(file.statementMap)) note('statements', range, `s${id}`)
    for (const [id, { decl }] of Object.entries(file.fnMap)) note('parts', decl, `f${id}`)
    for (const [id, { type, locations }] of Object.entries(file.branchMap))
      if (type !== 'if') locations.forEach((range, index) => note('parts', range, `b${id}.${index}`))
  }
  return truth
}

// --- internal ---

const listFiles = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === 'node_modules' || entry.name === '.git') return []
    if (!entry.isDirectory()) return [entry.name]
    return listFiles(join(folder, entry.name)).map((name) => join(entry.name, name))
  })

const pluginOf = (maps: string) => `import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const instrumentation = createRequire('${import.meta.path}')('istanbul-lib-instrument')

export const instrument = {
  name: 'instrument',
  enforce: 'post',
  transform(code, id) {
    if (!/\\.(?:vue|svelte|astro)(?:\\?astro&type=script.*)?$/.test(id)) return
    const map = this.getCombinedSourcemap()
    const instrumenter = instrumentation.createInstrumenter({ esModules: true, compact: false })
    const instrumented = instrumenter.instrumentSync(code, id)
    const hash = /\\bhash = "(\\w+)"/.exec(instrumented)?.[1]
    const file = { ...instrumenter.lastFileCoverage(), hash, inputSourceMap: map }
    writeFileSync('${maps}/' + hash + '.map.json', JSON.stringify(file))
    return { code: instrumented, map: null }
  },
}
`

function addPlugin(folder: string, names: readonly string[], maps: string): void {
  writeFileSync(join(folder, 'instrument.config.mjs'), pluginOf(maps))
  const name = names.find((one) => /^(vite|astro)\.config\.\w+$/.test(one)) ?? ''
  const text = readFileSync(join(folder, name), 'utf8')
  const changed = name.startsWith('astro')
    ? text.replace('export default {', 'export default { vite: { plugins: [instrument] },')
    : text.replace('plugins: [', 'plugins: [instrument, ')
  writeFileSync(join(folder, name), `import { instrument } from './instrument.config.mjs'\n${changed}`)
}
