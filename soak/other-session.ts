// `bun soak/other-session.ts [PROGRAM [WORDS]]`: for each attack, how long an `evaluate` of another session takes, and how long without it.

import process from 'node:process'
import { quantile } from '../bench/measure.ts'
import { attacks } from '../test/support/attacks.ts'
import { page, serveSite } from '../test/support/site.ts'
import { openArena } from '../test/support/stalls.ts'

const [program, words = ''] = process.argv.slice(2)
const site = await serveSite(
  { '/': page('<input><button>Go</button>') },
  (_, response) => void response.end('x'),
)
const rows: string[] = []
for (const [name, attack] of Object.entries(attacks)) {
  if (!name.includes(words)) continue
  const arena = await openArena(program)
  const victim = await arena.open(site.url)
  const baseline = await arena.beside(() => attacks['nothing']?.(victim) ?? Promise.resolve())
  const { waits, done } = await arena
    .beside(() => attack(victim))
    .catch((error: Error) => ({ waits: [NaN], done: error.message }))
  const longestBaselineMs = Math.max(...baseline.waits)
  const longestMs = Math.max(...waits)
  rows.push(
    `| ${name} | ${quantile(baseline.waits, 0.5).toFixed(0)} | ${longestBaselineMs.toFixed(0)} | ${longestMs.toFixed(0)} |`,
  )
  console.error(rows.at(-1), JSON.stringify(done)?.slice(0, 160))
  await arena.close().catch(() => {})
}
site.close()
console.log(
  [
    '| attack | calm, middle | calm, longest | longest beside it |',
    '| --- | --- | --- | --- |',
    ...rows,
  ].join('\n'),
)
