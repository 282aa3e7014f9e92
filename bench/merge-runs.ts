// `bun bench/merge-runs.ts RUN.json... [--svg FILE]`: several whole runs of `bun run bench` (their dist/bench.json) as one. The tables go to
// stdout, a chart with a row for each measure to FILE.

import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { median, ratioOf, type Row, table } from './measure.ts'
import { type Crowd, crowdTable } from './sessions.ts'

interface WholeRun {
  readonly rows: readonly Row[]
  readonly crowds: readonly Crowd[]
}

const { positionals, values } = parseArgs({ allowPositionals: true, options: { svg: { type: 'string' } } })
const runs = positionals.map((file) => JSON.parse(readFileSync(file, 'utf8')) as WholeRun)
const rows = mergeRows(runs)
console.log(`${table(rows)}\n\n${crowdTable(mergeCrowds(runs))}`)
if (values.svg !== undefined) writeFileSync(values.svg, drawRows(rows))

function mergeRows([first, ...others]: readonly WholeRun[]): readonly Row[] {
  return (first?.rows ?? []).map(({ name, samples }) => {
    const same = others.flatMap((run) => run.rows.filter((row) => row.name === name))
    const entries = Object.entries(samples).map(([contender, times]) => [
      contender,
      [...times, ...same.flatMap((row) => row.samples[contender] ?? [])],
    ])
    return { name, samples: Object.fromEntries(entries) as Row['samples'] }
  })
}

function mergeCrowds([first, ...others]: readonly WholeRun[]): readonly Crowd[] {
  return (first?.crowds ?? []).map((crowd) => {
    const isSame = (other: Crowd) => other.name === crowd.name && other.sessions === crowd.sessions
    const same = [crowd, ...others.flatMap((run) => run.crowds.filter(isSame))]
    const medianOf = (field: 'ready' | 'rate' | 'p99' | 'memory') => median(same.map((one) => one[field]))
    const failed = same.reduce((sum, one) => sum + one.failed, 0)
    const [ready, rate, p99, memory] = [
      medianOf('ready'),
      medianOf('rate'),
      medianOf('p99'),
      medianOf('memory'),
    ]
    return { ...crowd, ready, rate, p99, memory, failed }
  })
}

/** Bars of the medians: of each measure the longest has the whole width. Behind a bar is which part of it the first contender takes. */
function drawRows(all: readonly Row[]): string {
  const [width, label, bar, lineHeight] = [760, 170, 380, 17]
  const parts: string[] = []
  let y = 24
  const text = (x: number, at: number, content: string, style = '') =>
    `<text x="${x}" y="${at}"${style}>${content.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</text>`
  for (const { name, samples } of all) {
    const medians = Object.entries(samples).map(([contender, times]) => ({
      contender,
      times,
      ms: median(times),
    }))
    const most = Math.max(...medians.map(({ ms }) => ms))
    const [first] = medians
    parts.push(text(8, y, name, ' font-weight="600"'))
    for (const { contender, times, ms } of medians) {
      y += lineHeight
      const length = Math.max(1, (ms / most) * bar)
      const isFirst = contender === first?.contender
      const { ratio, low, high } = ratioOf(first?.times ?? [], times)
      const note = isFirst ? '' : `  × ${ratio.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`
      parts.push(
        text(20, y, contender),
        `<rect x="${label}" y="${y - 10}" width="${length.toFixed(1)}" height="11" fill="${isFirst ? '#2563eb' : '#94a3b8'}"/>`,
        text(label + length + 6, y, `${ms.toFixed(1)} ms${note}`, ' fill="#475569"'),
      )
    }
    y += 30
  }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y}" font-family="system-ui,sans-serif" font-size="12">`,
    '<rect width="100%" height="100%" fill="#fff"/>',
    ...parts,
    '</svg>\n',
  ].join('\n')
}
