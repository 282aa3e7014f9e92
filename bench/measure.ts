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
  /** After this time no run begins, once two were counted. */
  readonly limitMs?: number
}

export async function sideBySide(
  name: string,
  contenders: Readonly<Record<string, Run>>,
  { runs, warmUp, limitMs = Infinity }: Runs,
): Promise<Row> {
  const end = performance.now() + limitMs
  const samples: Record<string, number[]> = Object.fromEntries(
    Object.keys(contenders).map((key) => [key, []]),
  )
  const inOrder = Object.entries(contenders)
  for (let run = -warmUp; run < runs && (run < 2 || performance.now() < end); run += 1) {
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

interface Ratio {
  readonly ratio: number
  readonly low: number
  readonly high: number
}

/** How much of the time of another the first takes: the median of the ratios of neighbouring runs, with its interval of 95 % by the sign test,
 * which assumes nothing about how times are distributed; of a few runs it is all of them. */
export function ratioOf(times: readonly number[], otherTimes: readonly number[]): Ratio {
  const ratios = times.map((time, run) => time / (otherTimes[run] ?? Number.NaN)).sort((a, b) => a - b)
  const reach = 0.98 * Math.sqrt(ratios.length)
  const at = (index: number) => ratios[Math.min(ratios.length - 1, Math.max(0, index))] ?? Number.NaN
  return {
    ratio: median(ratios),
    low: at(Math.floor(ratios.length / 2 - reach)),
    high: at(Math.ceil(ratios.length / 2 + reach)),
  }
}

/** A Markdown table: the median of each contender, and how much of it the first takes, with the interval of that. */
export function table(rows: readonly Row[]): string {
  const names = [...new Set(rows.flatMap(({ samples }) => Object.keys(samples)))]
  const [first = ''] = names
  const cell = ({ samples }: Row, name: string) => {
    const [firstSamples, ownSamples] = [samples[first], samples[name]]
    if (!firstSamples || !ownSamples) return ''
    const ownMedian = median(ownSamples).toFixed(1)
    if (name === first) return ownMedian
    const { ratio, low, high } = ratioOf(firstSamples, ownSamples)
    return `${ownMedian} **${ratio.toFixed(2)}** (${low.toFixed(2)} to ${high.toFixed(2)})`
  }
  const header = [`ms: median, **${first} takes this part of it** (95 %)`, ...names]
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
