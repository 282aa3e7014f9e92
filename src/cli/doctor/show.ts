import type { Row, State } from './row.ts'

/** The rows for people: what to do stands below what was found. */
export function table(rows: readonly Row[]): string {
  const width = Math.max(...rows.map(({ check }) => check.length))
  return rows
    .flatMap(({ check, state, found, next }) => [
      `${marks[state]} ${state.padEnd(5)} ${check.padEnd(width)}  ${found}`,
      ...(next === undefined ? [] : [`${' '.repeat(width + 10)}→ ${next}`]),
    ])
    .join('\n')
}

const marks: Record<State, string> = { ok: '✓', warn: '!', fail: '✗', skip: '-' }
