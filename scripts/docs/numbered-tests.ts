// Finds the tests whose titles carry a number of the fault matrix.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Glob } from 'bun'

const folder = join(import.meta.dir, '../../test')

/** A number, and the test files that carry it, as paths below `test/` in alphabetical order. */
export type NumberedTests = ReadonlyMap<string, readonly string[]>

/** Rows of the fault matrix: `fault(7, ...)`, or a title that begins with `row 7:`. */
export function faultTests(): NumberedTests {
  const filesByNumber = new Map<string, string[]>()
  for (const file of testFiles()) {
    const matches = readFileSync(join(folder, file), 'utf8').matchAll(/[fF]ault\(\s*(\d+),|row (\d+)[:']/g)
    const numbers = [...matches].map(([, helperNumber, titleNumber]) => helperNumber ?? titleNumber ?? '')
    for (const number of new Set(numbers))
      filesByNumber.set(number, [...(filesByNumber.get(number) ?? []), file])
  }
  return filesByNumber
}

const testFiles = (): string[] => [...new Glob('**/*.test.ts').scanSync(folder)].toSorted()
