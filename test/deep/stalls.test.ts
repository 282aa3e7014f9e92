// One page, one dev server or one caller does its worst, and another session of the same server is served meanwhile. The whole list is
// in test/support/attacks.ts; bench/soak/other-session.ts measures all of it.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { attacks } from '../support/attacks.ts'
import { page, serveSite, type Site } from '../support/site.ts'
import { type Arena, openArena } from '../support/stalls.ts'

/** Milliseconds of waiting that are the aim; ten times that, or ten times the calm wait on a busy machine, is a stall. */
const AIM_MS = 250

let site: Site
let arena: Arena
let calm = 0
beforeAll(async () => {
  site = await serveSite({ '/': page('<input><button>Go</button>') }, (_, response) => void response.end('x'))
  arena = await openArena()
  calm = await longestBeside('nothing')
})
afterAll(async () => {
  await arena.close()
  site.close()
})

let told: any
async function longestBeside(name: string): Promise<number> {
  const victim = await arena.open(site.url)
  const { waits, done } = await arena.beside(async () => attacks[name]?.(victim))
  told = done
  await arena.end(victim)
  return Math.max(...waits)
}

const rows: [name: string, answer: object][] = [
  ['a pattern that backtracks, 20 console lines', { entries: [] }],
  ['a pattern that backtracks, 20 requests', { entries: [] }],
  ['a pattern that backtracks, a snapshot of 20 texts', { snapshot: '' }],
  ['a pattern that backtracks, 20 log lines', { lineCount: 0 }],
  ['a glob that backtracks', { errorCode: 'TIMEOUT' }],
  ['a title of 10 MB', { title: expect.stringMatching(/^.{300}…$/) }],
  ['terminal codes without an end, 10 MB', { lineCount: 0 }],
  ['a tool name of 10 MB', { code: -32_602 }],
  ['a field name of 10 MB', { errorCode: 'INVALID_PARAMETERS' }],
  ['a selector of 10 MB', { errorCode: 'INVALID_PARAMETERS' }],
  ['arguments nested 100,000 deep', { errorCode: 'INVALID_PARAMETERS' }],
  ['storage state with 100,000 cookies', { errorCode: 'INVALID_PARAMETERS' }],
]
test.each(rows)(
  '%s: nobody else waits',
  async (name, answer) => {
    const limit = 10 * Math.max(AIM_MS, calm)
    let longest = await longestBeside(name)
    // A busy machine may stand still once; what blocks Footlight does so every time.
    if (longest >= limit) longest = await longestBeside(name)
    expect(told).toMatchObject(answer)
    expect(JSON.stringify(told).length).toBeLessThan(20_000)
    expect(longest).toBeLessThan(limit)
  },
  120_000,
)
