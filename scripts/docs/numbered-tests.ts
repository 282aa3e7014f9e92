// Finds the tests whose titles carry a number of the fault matrix or of the requirements.

import { Glob } from 'bun'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dir, '../../test')

/** A number, and the test files that carry it, as paths below `test/` in alphabetical order. */
export type NumberedTests = ReadonlyMap<string, readonly string[]>

/** Rows of the fault matrix: `fault(7, ...)`, or a title that begins with `row 7:`. */
export const faultTests = (): NumberedTests =>
  numbersIn(testFiles(), /[fF]ault\(\s*(\d+),|row (\d+)[:']/g, ([, helperNumber, titleNumber]) => [
    helperNumber ?? titleNumber ?? '',
  ])

/** Acceptance criteria in test/e2e/requirements.test.ts: every number in a title, such as `6.5` and `6.6`. */
export const requirementTests = (): NumberedTests =>
  numbersIn(['e2e/requirements.test.ts'], /\btest(?:\.concurrent)?\(\s*(['"])(.*)\1/g, ([, , title = '']) =>
    [...title.matchAll(/\b([1-9]\.[1-9])\b/g)].map((match) => match[1] ?? ''),
  )

function numbersIn(
  files: readonly string[],
  pattern: RegExp,
  numbersOf: (match: RegExpMatchArray) => readonly string[],
): NumberedTests {
  const filesByNumber = new Map<string, string[]>()
  for (const file of files) {
    const text = readFileSync(join(folder, file), 'utf8')
    for (const number of new Set([...text.matchAll(pattern)].flatMap(numbersOf)))
      filesByNumber.set(number, [...(filesByNumber.get(number) ?? []), file])
  }
  return filesByNumber
}

const testFiles = (): string[] => [...new Glob('**/*.test.ts').scanSync(folder)].toSorted()
