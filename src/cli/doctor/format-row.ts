import type { CheckRow, CheckState } from './check-row.ts'

/** A row for people: what to do stands below what was found. */
export const formatRow = ({ check, state, found, next }: CheckRow): string =>
  [
    `${stateMarks[state]} ${state.padEnd(5)} ${check.padEnd(CHECK_WIDTH_CHARS)}  ${found}`,
    ...(next === undefined ? [] : [`${' '.repeat(CHECK_WIDTH_CHARS + 10)}→ ${next}`]),
  ].join('\n')

// That of the longest row.
const CHECK_WIDTH_CHARS = 'chromium (used)'.length

const stateMarks: Record<CheckState, string> = { ok: '✓', warn: '!', fail: '✗', skip: '-' }
