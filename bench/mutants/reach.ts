// Which tests of a tree can see a change of a file without a browser: those that import it, the nearest first.

import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'

export interface Reach {
  /** Need no browser and no build. */
  unitsOf(file: string): readonly string[]
  /** Those of the commit that drive the executable or a browser, by their names. */
  drivingNamed(names: readonly string[]): readonly string[]
}

const UNITS_MAX_COUNT = 12
const DISTANCE_MAX_SPREAD = 2
/** Other tiers, and what looks at the sources rather than at what they do. */
const NOT_ASKED =
  /^test\/((deep|release|grid|linux|windows|clients|apps|faults)\/|(architecture|lint|words|readme|removal|peers)\.)/
const DRIVES = /dist\/footlight|src\/main\.ts'|\.launch\(|createBrowserPool\(/

export function createReach(tree: string): Reach {
  const importsOf = createImports(tree)
  const tests = [...new Bun.Glob('test/**/*.test.ts').scanSync(tree)]
    .filter((path) => !NOT_ASKED.test(path))
    .sort()
    .map((path) => describeTest(tree, path, importsOf))
  return {
    unitsOf(file) {
      const wordsOf = (path: string) => path.toLowerCase().split(/[^a-z]+/)
      const words = new Set(wordsOf(file))
      const near = tests
        .filter(({ isDriving }) => !isDriving)
        .map(({ path, distances }) => ({
          path,
          distance: distances.get(file) ?? Number.POSITIVE_INFINITY,
          alike: wordsOf(path).filter((word) => words.has(word)).length,
        }))
        .filter(({ distance }) => distance !== Number.POSITIVE_INFINITY)
        .sort((a, b) => a.distance - b.distance || b.alike - a.alike)
      const limit = (near[0]?.distance ?? 0) + DISTANCE_MAX_SPREAD
      const paths = near.filter(({ distance }) => distance <= limit).map(({ path }) => path)
      return paths.slice(0, UNITS_MAX_COUNT)
    },
    drivingNamed: (names) =>
      tests
        .filter(({ path, isDriving }) => isDriving && names.includes(basename(path, '.test.ts')))
        .map(({ path }) => path),
  }
}

// --- internal ---

/** The files that a file imports at run time; what a generated file bundles is named by its imports of types. */
function createImports(tree: string): (path: string) => readonly string[] {
  const known = new Map<string, readonly string[]>()
  const transpiler = new Bun.Transpiler({ loader: 'ts' })
  return (path) => {
    const found = known.get(path)
    if (found) return found
    const text = readFileSync(join(tree, path), 'utf8')
    const types = path.endsWith('/generated.ts') ? [...text.matchAll(/ from '(\.[^']+)'/g)] : []
    const imports = [
      ...transpiler.scanImports(text).map(({ path: to }) => to),
      ...types.map(([, to = '']) => to),
    ]
      .filter((to) => to.startsWith('.') && to.endsWith('.ts'))
      .map((to) => relative(tree, join(tree, dirname(path), to)))
      .filter((to) => existsSync(join(tree, to)))
    known.set(path, imports)
    return imports
  }
}

function describeTest(tree: string, path: string, importsOf: (path: string) => readonly string[]) {
  const distances = new Map([[path, 0]])
  for (const [from, distance] of distances)
    for (const to of importsOf(from)) if (!distances.has(to)) distances.set(to, distance + 1)
  const own = [...distances.keys()].filter((file) => file.startsWith('test/'))
  return {
    path,
    distances,
    isDriving: own.some((file) => DRIVES.test(readFileSync(join(tree, file), 'utf8'))),
  }
}
