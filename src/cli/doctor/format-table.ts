import type { CheckRow, CheckState } from './check-row.ts'

/** The rows for people: what to do stands below what was found. */
export function formatTable(rows: readonly CheckRow[]): string {
  const width = Math.max(...rows.map(({ check }) => check.length))
  return rows
    .flatMap(({ check, state, found, next }) => [
      `${stateMarks[state]} ${state.padEnd(5)} ${check.padEnd(width)}  ${found}`,
      ...(next === undefined ? [] : [`${' '.repeat(width + 10)}→ ${next}`]),
    ])
    .join('\n')
}

const stateMarks: Record<CheckState, string> = { ok: '✓', warn: '!', fail: '✗', skip: '-' }
