// `bun bench/soak/other-session.ts [PROGRAM [WORDS]]`: for each attack, how long calls of another session take beside it: an `evaluate`, and a call
// that needs no browser; how long without it; and the most memory of the program.

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import process from 'node:process'
import { attacks } from '../../test/support/attacks.ts'
import { heavyAttacks } from '../../test/support/heavy-attacks.ts'
import { openArena } from '../../test/support/stalls.ts'
import { createTestProject } from '../../test/support/test-project.ts'

const [program, words = ''] = process.argv.slice(2)
const project = createTestProject({})
const siteProgram = resolve(import.meta.dir, '../../test/fixtures/heavy-documents.ts')
const siteProcess = Bun.spawn([process.execPath, siteProgram, project.folder], { stdout: 'pipe' })
const siteUrl = new TextDecoder().decode((await siteProcess.stdout.getReader().read()).value).trim()

const peakMbOf = (pid: number): number =>
  Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1000)

const longest = (waits: readonly number[]): string => Math.max(...waits).toFixed(0)
const rows: string[] = []
for (const [name, attack] of Object.entries({ ...attacks, ...heavyAttacks })) {
  if (!new RegExp(words).test(name)) continue
  const arena = await openArena(program, project.folder)
  const victim = await arena.open(siteUrl)
  const calm = await arena.beside(() => attacks['nothing']?.(victim) ?? Promise.resolve())
  const { waits, ownWaits, done } = await arena
    .beside(() => attack(victim))
    .catch((error: Error) => ({ waits: [NaN], ownWaits: [NaN], done: error.message }))
  const cells = [
    longest(calm.waits),
    longest(calm.ownWaits),
    longest(waits),
    longest(ownWaits),
    peakMbOf(arena.pid),
  ]
  rows.push(`| ${name} | ${cells.join(' | ')} |`)
  console.error(rows.at(-1), JSON.stringify(done)?.slice(0, 200))
  await arena.close().catch(() => {})
}
siteProcess.kill()
project.remove()
console.log(
  [
    '| attack | calm: evaluate | own | beside: evaluate | own | MB |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n'),
)
