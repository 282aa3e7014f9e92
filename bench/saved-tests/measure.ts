// How good tests are: how often they pass in a clean copy of the application, and whether they notice its bugs.

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cloneApplication, seedBug } from './clone.ts'
import type { Application } from './flow.ts'
import { runSpecs, type SpecResult, writeRunConfig } from './run-specs.ts'
import type { Spec } from './specs.ts'

// A test that passes does so in a fraction of this.
const BUG_TIMEOUT_MS = 20_000

export interface Row {
  readonly application: string
  readonly flow: string
  readonly bytes: number
  readonly passed: number
  readonly total: number
  readonly bugsNoticed: number
  readonly bugs: number
  /** Why there is no test, or the first failure. */
  readonly problem?: string
  /** Names of the bugs that were not noticed. */
  readonly missed: readonly string[]
}

export interface MeasureOptions {
  readonly runs: number
  /** Further runs, each with a server of its own. */
  readonly restarts: number
  /** The limit of one test in milliseconds. */
  readonly timeout: number
  readonly executablePath: string
  readonly env: Readonly<Record<string, string>>
  report(text: string): void
}

/** Runs the tests in a clean copy at `folder`. Bugs count only for tests that pass without them. */
export async function measureSpecs(
  application: Application,
  specs: readonly Spec[],
  folder: string,
  options: MeasureOptions,
): Promise<readonly Row[]> {
  const { runs, restarts, timeout, executablePath, env, report } = options
  await cloneApplication(application.name, folder)
  writeRunConfig(folder, application, executablePath)
  mkdirSync(join(folder, 'tests'), { recursive: true })
  for (const { flow, text } of specs)
    if (text !== undefined) writeFileSync(join(folder, 'tests', `${flow}.spec.ts`), text)

  const names = specs.flatMap(({ flow, text }) => (text === undefined ? [] : [flow]))
  const results: ReadonlyMap<string, SpecResult>[] = []
  if (names.length > 0) results.push(await runSpecs(folder, { names, repeats: runs, timeout, env }))
  for (let run = 0; run < restarts && names.length > 0; run += 1)
    results.push(await runSpecs(folder, { names, timeout, env }))
  const outcomes = new Map(names.map((name) => [name, sumOf(results.map((result) => result.get(name)))]))
  for (const [name, { passed, total, problem }] of outcomes)
    report(`${application.name} ${name}: ${passed}/${total} ${problem ?? ''}`)

  const able = names.filter((name) => (outcomes.get(name)?.passed ?? 0) > 0)
  const redBugs = new Map<string, Set<string>>()
  for (const bug of application.bugs) {
    const touched = able.filter((name) => bug.flows.includes(name))
    if (touched.length === 0) continue
    const remove = seedBug(folder, bug)
    const red = await runSpecs(folder, { names: touched, timeout: BUG_TIMEOUT_MS, env })
    remove()
    const noticed = touched.filter((name) => red.get(name)?.passed === 0)
    redBugs.set(bug.name, new Set(noticed))
    report(`${application.name}, ${bug.name}: red ${noticed.join(', ') || '-'} of ${touched.join(', ')}`)
  }
  return specs.map((spec) => rowOf(application, spec, outcomes.get(spec.flow), redBugs))
}

// --- internal ---

function sumOf(results: readonly (SpecResult | undefined)[]): SpecResult {
  const problem = results.find((result) => result?.problem !== undefined)?.problem
  return {
    passed: results.reduce((sum, result) => sum + (result?.passed ?? 0), 0),
    total: results.reduce((sum, result) => sum + (result?.total ?? 0), 0),
    ...(problem !== undefined && { problem }),
  }
}

function rowOf(
  { name, bugs }: Application,
  { flow, text, problem: reason }: Spec,
  result: SpecResult | undefined,
  redBugs: ReadonlyMap<string, ReadonlySet<string>>,
): Row {
  const touching = bugs.filter((bug) => bug.flows.includes(flow))
  const missed = touching.filter((bug) => !redBugs.get(bug.name)?.has(flow)).map((bug) => bug.name)
  const problem = reason ?? result?.problem
  return {
    application: name,
    flow,
    bytes: text === undefined ? 0 : Buffer.byteLength(text),
    passed: result?.passed ?? 0,
    total: result?.total ?? 0,
    bugs: touching.length,
    bugsNoticed: touching.length - missed.length,
    missed,
    ...(problem !== undefined && { problem }),
  }
}
