import type { ChangedPath } from '../change/changed-path.ts'
import { readStructure } from '../source/source-structure.ts'

/** Whether a file imports a runner of unit tests, by its parser: no application does. */
export function isUnitTest({ path, content, baseContent = '' }: ChangedPath): boolean {
  const { imports = [] } = readStructure(path, content ?? baseContent) ?? {}
  return imports.some((name) => RUNNER.test(name))
}

// --- internal ---

const RUNNER = /^(?:vitest|@jest\/globals|(?:node|bun):test|mocha|ava|uvu|tape)$/
