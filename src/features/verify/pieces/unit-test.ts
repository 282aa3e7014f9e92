import type { ChangedPath } from '../change/changed-path.ts'

/** Whether a file asks a runner of unit tests for what it needs: no application does. */
export const isUnitTest = ({ content, baseContent = '' }: ChangedPath): boolean =>
  RUNNER.test(content ?? baseContent)

// --- internal ---

const RUNNER =
  /\b(?:from|require\()\s*['"](?:vitest|@jest\/globals|node:test|bun:test|mocha|ava|uvu|tape)['"]/
