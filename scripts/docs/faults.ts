// docs/project/faults.md: the fault matrix, with the test files of each row.

import { faultRows } from './fault-rows.ts'
import { cell, table } from './markdown.ts'
import { faultTests, type NumberedTests } from './numbered-tests.ts'

export function faultsPage(): string {
  const tests = faultTests()
  const rows = faultRows.map(([fault, expected], index) => [
    String(index + 1),
    cell(fault),
    cell(expected),
    linksTo(tests, String(index + 1)),
  ])
  return [
    '# Fault matrix',
    `${faultRows.length} faults that the tests inject. Tests cite a row by its number (\`row 41\`). In most of them another session works at the same time, and afterwards no process, file or descriptor may be left. [reliability.md](reliability.md) has measurements.`,
    table(['row', 'fault', 'expected behaviour', 'tests'], rows),
  ].join('\n\n')
}

/** Links to the test files of a number, from a page in docs/. */
const linksTo = (tests: NumberedTests, number: string): string =>
  (tests.get(number) ?? []).map((file) => `[${file}](../../test/${file})`).join(', ')
