// Timing side by side: the contenders take turns, run by run, so that a machine that slows down slows all of them.

export interface Row {
  readonly name: string
  /** Milliseconds by contender, in the order of the runs. */
  readonly samples: Readonly<Record<string, readonly number[]>>
}

/** A contender's run: either timed as a whole, or answering its own milliseconds. */
export type Run = () => Promise<number | void>

export async function sideBySide(
  name: string,
  contenders: Readonly<Record<string, Run>>,
  runs: number,
  warmUp = 2,
): Promise<Row> {
  const samples: Record<string, number[]> = Object.fromEntries(
    Object.keys(contenders).map((key) => [key, []]),
  )
  for (let run = -warmUp; run < runs; run += 1) {
    for (const [key, work] of Object.entries(contenders)) {
      const since = performance.now()
      const own = await work()
      if (run >= 0) samples[key]?.push(own ?? performance.now() - since)
    }
  }
  return { name, samples }
}

export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN
}

export const median = (values: readonly number[]): number => quantile(values, 0.5)

/** A Markdown table: median (p95) of each contender, and how the first compares with each other one. */
export function table(rows: readonly Row[]): string {
  const names = [...new Set(rows.flatMap(({ samples }) => Object.keys(samples)))]
  const [first = ''] = names
  const cell = (values: readonly number[] | undefined) =>
    values ? `${median(values).toFixed(1)} (${quantile(values, 0.95).toFixed(1)})` : ''
  const compared = ({ samples }: Row, other: string) => {
    const [a, b] = [samples[first], samples[other]]
    if (!a || !b) return ''
    const [x, y] = [median(a), median(b)]
    return `${(x / y).toFixed(2)} ×, ${x - y >= 0 ? '+' : ''}${(x - y).toFixed(1)} ms`
  }
  const others = names.slice(1)
  const header = ['ms: median (p95)', ...names, ...others.map((name) => `${first} / ${name}`)]
  const lines = rows.map((row) => [
    row.name,
    ...names.map((name) => cell(row.samples[name])),
    ...others.map((name) => compared(row, name)),
  ])
  return [header, header.map(() => '---'), ...lines].map((line) => `| ${line.join(' | ')} |`).join('\n')
}
