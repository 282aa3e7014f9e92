// `bun bench/mutants/choose.ts OLD NEW [seed] [count]` chooses single lines that stand exactly once in src of each of two trees, wherever
// they stand there, and changes each by an operator that applies. The first COUNT which still have the right types are the list.

import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { operators } from './operators.ts'

export interface Mutant {
  readonly id: number
  readonly operator: string
  readonly line: string
  readonly mutated: string
  readonly old: string
  readonly new: string
  /** The names of the tests that drive the executable where this may show, added by hand. */
  readonly driving?: readonly string[]
}

/** The old tree, then the new one: each with the file where each line stands, or nothing if it stands twice. */
type Places = ReadonlyMap<string, string | undefined>

const NO_CODE = /^(\/\/|\/?\*|import |export \*|export type |type |interface |readonly |declare |[|&`] )/
const LINE_MIN_CHARS = 12

export const listFile = join(import.meta.dir, 'mutants.jsonl')

function placesIn(tree: string): Places {
  const places = new Map<string, string | undefined>()
  for (const path of [...new Bun.Glob('src/**/*.ts').scanSync(tree)].sort()) {
    if (path.endsWith('/generated.ts')) continue
    for (const line of readFileSync(join(tree, path), 'utf8')
      .split('\n')
      .map((text) => text.trim()))
      places.set(line, places.has(line) ? undefined : path)
  }
  return places
}

/** Numbers from 0 to 1, the same for a seed (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** The text of a file with the line changed. */
export function apply(text: string, { line, mutated }: Pick<Mutant, 'line' | 'mutated'>): string {
  return text
    .split('\n')
    .map((whole) => (whole.trim() === line ? whole.replace(line, () => mutated) : whole))
    .join('\n')
}

function mutate(line: string, random: () => number): { operator: string; mutated: string } | undefined {
  const changes = Object.entries(operators).flatMap(([operator, change]) => {
    const mutated = change(line)
    return mutated === undefined || mutated === line ? [] : [{ operator, mutated }]
  })
  return changes[Math.floor(random() * changes.length)]
}

const transpiler = new Bun.Transpiler({ loader: 'ts' })

/** The code of a file, or nothing if it cannot be parsed. */
function compile(text: string): string | undefined {
  try {
    return transpiler.transformSync(text)
  } catch {
    return undefined
  }
}

/** Candidates in a seeded order, at most one a file, so that one check of all types tells which of them have the right ones. */
function candidates(oldTree: string, newTree: string, random: () => number): Mutant[] {
  const before = placesIn(oldTree)
  const lines = [...placesIn(newTree)]
    .filter(
      ([line, path]) => line.length >= LINE_MIN_CHARS && !NO_CODE.test(line) && path && before.get(line),
    )
    .map(([line, path = '']) => ({ order: random(), line, path, old: before.get(line) ?? '' }))
    .sort((a, b) => a.order - b.order)
  const taken = new Set<string>()
  return lines.flatMap(({ line, path, old }, id) => {
    const change = taken.has(path) ? undefined : mutate(line, random)
    const text = readFileSync(join(newTree, path), 'utf8')
    const compiled = change && compile(apply(text, { line, ...change }))
    if (!change || compiled === undefined || compiled === compile(text)) return []
    taken.add(path)
    return [{ id, ...change, line, old, new: path }]
  })
}

/** The files in which the types are wrong once all the mutants are there. */
function wrongFiles(tree: string, mutants: readonly Mutant[]): string {
  const originals = mutants.map(
    ({ new: path }) => [join(tree, path), readFileSync(join(tree, path), 'utf8')] as const,
  )
  try {
    mutants.forEach((mutant, index) => {
      const [path, text] = originals[index] ?? ['', '']
      writeFileSync(path, apply(text, mutant))
    })
    return execFileSync(process.execPath, ['check', '--no-script'], {
      cwd: tree,
      encoding: 'utf8',
      stdio: 'pipe',
    })
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    return stdout + stderr
  } finally {
    for (const [path, text] of originals) writeFileSync(path, text)
  }
}

if (import.meta.main) {
  const [oldTree = '', newTree = '', seed = '58', count = '100'] = process.argv.slice(2)
  const all = candidates(oldTree, newTree, createRandom(Number(seed))).slice(0, 2 * Number(count))
  const errors = wrongFiles(newTree, all)
  const list = all.filter((mutant) => !errors.includes(`${mutant.new}(`)).slice(0, Number(count))
  const numbered = list.map((mutant, index) => ({ ...mutant, id: index + 1 }))
  writeFileSync(listFile, numbered.map((mutant) => `${JSON.stringify(mutant)}\n`).join(''))
}
