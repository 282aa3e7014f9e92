// Timing side by side: the contenders take turns, run by run, so that a machine that slows down slows all of them; every other run in
// reverse order, because what comes first in a run may find the browser asleep.

export interface Row {
  readonly name: string
  /** Milliseconds by contender, in the order of the runs. */
  readonly samples: Readonly<Record<string, readonly number[]>>
}

/** A contender's run: either timed as a whole, or answering its own milliseconds. */
export type Run = () => Promise<number | void>

export interface Runs {
  readonly runs: number
  /** Runs before those that count. */
  readonly warmUp: number
}

export async function sideBySide(
  name: string,
  contenders: Readonly<Record<string, Run>>,
  { runs, warmUp }: Runs,
): Promise<Row> {
  const samples: Record<string, number[]> = Object.fromEntries(
    Object.keys(contenders).map((key) => [key, []]),
  )
  const inOrder = Object.entries(contenders)
  for (let run = -warmUp; run < runs; run += 1) {
    for (const [key, work] of run % 2 === 0 ? inOrder : inOrder.toReversed()) {
      const startedAt = performance.now()
      const ownDurationMs = await work()
      if (run >= 0) samples[key]?.push(ownDurationMs ?? performance.now() - startedAt)
    }
  }
  return { name, samples }
}

export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN
}

export const median = (values: readonly number[]): number => quantile(values, 0.5)

/** A Markdown table: the median of each contender, with the 95th percentile, and how the first compares with it. */
export function table(rows: readonly Row[]): string {
  const names = [...new Set(rows.flatMap(({ samples }) => Object.keys(samples)))]
  const [first = ''] = names
  const cell = ({ samples }: Row, name: string) => {
    const [firstSamples, ownSamples] = [samples[first], samples[name]]
    if (!firstSamples || !ownSamples) return ''
    const ratio = name === first ? '' : ` **${(median(firstSamples) / median(ownSamples)).toFixed(2)}**`
    return `${median(ownSamples).toFixed(1)} (${quantile(ownSamples, 0.95).toFixed(1)})${ratio}`
  }
  const header = [`ms: median (p95) **${first} is this part of it**`, ...names]
  const lines = rows.map((row) => [row.name, ...names.map((name) => cell(row, name))])
  return tableOf([header, ...lines])
}

/** Bytes of text by what was asked and by contender. */
export function bytesTable(bytes: Readonly<Record<string, Readonly<Record<string, number>>>>): string {
  const names = [...new Set(Object.values(bytes).flatMap((row) => Object.keys(row)))]
  const lines = Object.entries(bytes).map(([what, row]) => [
    what,
    ...names.map((name) => String(row[name] ?? '')),
  ])
  return tableOf([['bytes of text', ...names], ...lines])
}

export const tableOf = ([header = [], ...lines]: readonly (readonly string[])[]): string =>
  [header, header.map(() => '---'), ...lines].map((line) => `| ${line.join(' | ')} |`).join('\n')
