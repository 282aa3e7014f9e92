// What verify and run_test say of single-line mutants of an application.

import { cpSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { callOrThrow } from '../../test/support/client.ts'
import { writeSource } from '../write-source.ts'
import { FLAKE_TEXT, flowNames, RUN_TIMEOUT_MS, type TestedApp } from './apps.ts'
import type { Mutant } from './mutants.ts'

export interface MutantResult {
  readonly app: string
  readonly mutant: string
  /** The tests that verify names for it, that fail because of it, and of these the ones that it does not name. */
  readonly named: readonly string[]
  readonly failing: readonly string[]
  readonly missed: readonly string[]
  readonly namedMs: number
  readonly allMs: number
  /** The tests that fail because of it whose evidence was read, and how many of them are said not to be due to it. */
  readonly realCount: number
  readonly wronglySaid: number
  /** The test that was made to fail by chance: whether it ran the line, by what verify names, and whether it is said not to be due to it. */
  readonly flake?: { readonly isNamed: boolean; readonly isSaid: boolean }
}

export const nameOf = ({ file, line, text }: Mutant): string => `${file}:${line} ${text.trim()}`

/** Tries one mutant, and puts everything back. */
export async function tryMutant(app: TestedApp, mutant: Mutant, index: number): Promise<MutantResult> {
  const { folder, peer } = app
  const ledger = join(folder, '.footlight/verify')
  const kept = `${folder}-ledger`
  cpSync(ledger, kept, { recursive: true })
  const before = readFileSync(join(folder, mutant.file), 'utf8')
  const durations = durationsIn(ledger)
  try {
    writeSource(folder, mutant.file, mutant.mutated)
    await sleep(EDIT_PAUSE_MS)
    const { flows } = await callOrThrow(peer, 'verify', { cwd: folder })
    const named: readonly string[] = flows.map((flow: { path: string }) => flow.path)
    const flake = flowNames[index % flowNames.length] ?? ''
    const first = await run(app, { env: { FLAKE: flake } })
    const flaked = first.find(({ error }) => error.includes(FLAKE_TEXT))
    const real = first.filter((failure) => failure !== flaked)
    const suspects = real.map(({ file }) => file).filter((file) => !named.includes(file))
    const missed = await confirm(app, mutant, before, suspects)
    const unstable = suspects.filter((file) => !missed.includes(file))
    const failing = real.filter(({ file }) => !unstable.includes(file))
    const isSaid = ({ notes }: Failure) => notes.some((note) => note.includes('probably not due to'))
    return {
      ...{ app: app.name, mutant: nameOf(mutant), named, missed },
      failing: failing.map(({ file }) => file),
      namedMs: named.reduce((sum, file) => sum + (durations.get(file) ?? 0), 0),
      allMs: [...durations.values()].reduce((sum, one) => sum + one, 0),
      realCount: failing.filter(({ error }) => error !== '').length,
      wronglySaid: failing.filter(isSaid).length,
      ...(flaked && { flake: { isNamed: named.includes(flaked.file), isSaid: isSaid(flaked) } }),
    }
  } finally {
    writeSource(folder, mutant.file, before)
    rmSync(ledger, { recursive: true })
    cpSync(kept, ledger, { recursive: true })
    rmSync(kept, { recursive: true })
    await sleep(EDIT_PAUSE_MS)
  }
}

// --- internal ---

/** Longer than a dev server needs to see an edit. */
const EDIT_PAUSE_MS = 700
const PROOF_RUNS = 2

interface Failure {
  readonly file: string
  readonly error: string
  readonly notes: readonly string[]
}

/** The tests that fail; the first ones with what is said of them. */
async function run({ peer }: TestedApp, input: object): Promise<readonly Failure[]> {
  const { data } = await peer.call('run_test', { timeout: RUN_TIMEOUT_MS, ...input })
  const { failures = [], alsoFailed = [] } = data.details ?? {}
  const fileOf = (name: string) => name.replace(/:\d.*/s, '')
  return [
    ...failures.map(({ test, error, notes = [] }: { test: string; error: string; notes?: string[] }) => ({
      ...{ file: fileOf(test), error, notes },
    })),
    ...alsoFailed.map((test: string) => ({ file: fileOf(test), error: '', notes: [] })),
  ]
}

/** Those of the tests that fail each time with the mutant, and never without it. */
async function confirm(
  app: TestedApp,
  mutant: Mutant,
  before: string,
  files: readonly string[],
): Promise<readonly string[]> {
  const confirmed: string[] = []
  for (const file of files) {
    const outcomes: boolean[] = []
    for (const text of [mutant.mutated, before])
      for (let count = 0; count < PROOF_RUNS; count += 1) {
        writeSource(app.folder, mutant.file, text)
        await sleep(EDIT_PAUSE_MS)
        const failures = await run(app, { path: file })
        outcomes.push(failures.length > 0 === (text !== before))
      }
    if (!outcomes.includes(false)) confirmed.push(file)
  }
  return confirmed
}

function durationsIn(ledger: string): ReadonlyMap<string, number> {
  const [name = ''] = new Bun.Glob('*.jsonl').scanSync(ledger)
  const lines = readFileSync(join(ledger, name), 'utf8').split('\n')
  const entries = lines.flatMap((line) =>
    line.includes('"kind":"flow"') ? JSON.parse(line.replace(/^\w+ /, '')) : [],
  )
  return new Map(entries.map(({ file, duration }: { file: string; duration: number }) => [file, duration]))
}
