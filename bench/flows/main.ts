// `bun bench/flows/main.ts [APP] [--mutants N] [--seed N] [--minutes N] [--results FILE]`: single-line mutants of small applications with eight saved
// tests each. A test that fails on a mutant must be one that verify names for it; the named ones should take less than a third of the time
// of all; a failure says that it is not due to the mutant if the test was made to fail by chance, and never if the mutant made it fail. What
// the file of results has is not tried again, and the tables, which go to stdout, are of all that it has.

import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import process from 'node:process'
import { ownApps } from '../verify/apps/own-apps.ts'
import { withApp } from './apps.ts'
import { listMutants } from './mutants.ts'
import { type MutantResult, nameOf, tryMutant } from './try-mutants.ts'

const textOption = (name: string): string | undefined =>
  process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined
const numberOption = (name: string, fallback: number): number => Number(textOption(name) ?? fallback)
const options = ['--mutants', '--seed', '--minutes', '--results']
const words = process.argv.slice(2)
const [wanted = ''] = words.filter(
  (word, index) => !options.includes(word) && !options.includes(words[index - 1] ?? ''),
)
const results = textOption('--results')
const end = Date.now() + numberOption('--minutes', Infinity) * 60_000

const known: MutantResult[] =
  results !== undefined && existsSync(results)
    ? readFileSync(results, 'utf8')
        .trim()
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    : []

function add(result: MutantResult): void {
  known.push(result)
  if (results !== undefined) appendFileSync(results, `${JSON.stringify(result)}\n`)
  for (const one of result.missed) console.error(`bench: not named: ${result.app}: ${result.mutant}: ${one}`)
}

for (const app of ownApps.filter(({ name }) => name.toLowerCase().includes(wanted.toLowerCase()))) {
  const count = numberOption('--mutants', 10)
  const isDone = known.filter((one) => one.app === app.name).length >= count
  if (isDone || Date.now() > end) continue
  try {
    await withApp(app, async (tested) => {
      const mutants = listMutants(tested.sources, count, numberOption('--seed', 1))
      for (const [index, mutant] of mutants.entries()) {
        const isKnown = known.some((one) => one.app === app.name && one.mutant === nameOf(mutant))
        if (!isKnown && Date.now() < end) add(await tryMutant(tested, mutant, index))
      }
    })
  } catch (error) {
    console.error(`bench: ${app.name}: ${String(error).slice(0, 2500)}`)
  }
}

const sum = (rows: readonly MutantResult[], of: (row: MutantResult) => number) =>
  rows.reduce((all, row) => all + of(row), 0)
const tableRowOf = (name: string, rows: readonly MutantResult[]): string => {
  const reached = rows.filter(({ named }) => named.length > 0)
  const share = Math.round(
    (100 * sum(reached, ({ namedMs }) => namedMs)) / sum(reached, ({ allMs }) => allMs),
  )
  const flakes = rows.flatMap(({ flake }) => flake ?? [])
  const apart = flakes.filter(({ isNamed }) => !isNamed)
  const cells = [
    ...[name, rows.length, reached.length, sum(rows, ({ failing }) => failing.length)],
    ...[sum(rows, ({ missed }) => missed.length), reached.length > 0 ? `${share} %` : ''],
    `${apart.filter(({ isSaid }) => isSaid).length} of ${apart.length} (${flakes.length} in all)`,
    `${sum(rows, ({ wronglySaid }) => wronglySaid)} of ${sum(rows, ({ realCount }) => realCount)}`,
  ]
  return `| ${cells.join(' | ')} |`
}
console.log(
  '| application | mutants | that a test reaches | failing tests | of them not named | time of the named | said of failures by chance, of tests that did not run the line | wrongly said of real failures |',
)
console.log('| --- | --- | --- | --- | --- | --- | --- | --- |')
for (const [name, rows] of Map.groupBy(known, ({ app }) => app)) console.log(tableRowOf(name, rows))
console.log(tableRowOf('all', known))
