// The table of the tests, and the sums.

import type { Row } from './measure.ts'

const PROBLEM_LENGTH = 160

/** A table in Markdown of all flows, and what the tests of one way of writing them come to. */
export function formatReport(title: string, rows: readonly Row[]): string {
  const lines = rows.map((row) =>
    [
      row.application,
      row.flow,
      row.bytes === 0 ? 'no' : 'yes',
      `${row.passed}/${row.total}`,
      `${row.bugsNoticed}/${row.bugs}`,
      String(row.bytes),
      [...row.missed.map((name) => `missed: ${name}`), (row.problem ?? '').slice(0, PROBLEM_LENGTH)]
        .filter(Boolean)
        .join('; ')
        .replaceAll(/\s*\n\s*/g, ' ')
        .replaceAll('|', '\\|'),
    ].join(' | '),
  )
  const sum = (key: 'bugs' | 'bugsNoticed' | 'passed' | 'total' | 'bytes') =>
    rows.reduce((total, row) => total + row[key], 0)
  const saved = rows.filter(({ bytes }) => bytes > 0)
  const green = saved.filter(({ passed, total }) => passed === total)
  const blind = saved.filter(({ bugsNoticed }) => bugsNoticed === 0)
  return [
    `## ${title}`,
    '',
    '| application | flow | saved | green | red for bugs | bytes | remarks |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...lines.map((line) => `| ${line} |`),
    '',
    `${saved.length} of ${rows.length} flows have a test; ${green.length} passed in every run (${sum('passed')} of ${sum('total')} runs).`,
    `${sum('bugsNoticed')} of ${sum('bugs')} seeded bugs were noticed; ${blind.length} tests noticed none.`,
    `A test has ${Math.round(sum('bytes') / Math.max(1, saved.length))} bytes.`,
  ].join('\n')
}
