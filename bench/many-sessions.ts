// `bun bench/many-sessions.ts [--sessions 1,10,50,100,200]`: how cost grows with the sessions of one Footlight on the headless shell, and what its
// own records cost at 10,000 sessions without browsers. What a thousand sessions need is calculated from it.

import { cpus } from 'node:os'
import { resolve } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { createCallQueue } from '../src/core/sessions/call/call-queue.ts'
import {
  createSessionsState,
  type SessionDraft,
  type SessionsState,
} from '../src/core/sessions/store/session.ts'
import { transition } from '../src/core/sessions/store/transition.ts'
import { footlight } from './contenders.ts'
import { quantile } from './measure.ts'
import { findBenchBrowser } from './peers.ts'
import { type Crowd, crowdOf, crowdTable, pacedClicksOf } from './sessions.ts'

const CALL_COUNT = 500

const { values } = parseArgs({ options: { sessions: { type: 'string', default: '1,10,50,100,200' } } })
const counts = values.sessions.split(',').map(Number)
const most = Math.max(...counts)

const siteProcess = Bun.spawn([process.execPath, resolve(import.meta.dir, 'site.ts')], { stdout: 'pipe' })
const url = new TextDecoder().decode((await siteProcess.stdout.getReader().read()).value).trim()
const ours = footlight(findBenchBrowser(), ['--max-sessions', String(most + 1)])
const crowds: Crowd[] = []
for (const count of counts) {
  console.error(`bench: ${count} sessions …`)
  crowds.push(await crowdOf(ours, count, url))
}
console.error(`bench: ${most} sessions with a click each 10 s …`)
const paced = await pacedClicksOf(ours, most, url)
siteProcess.kill()
console.log(crowdTable(crowds))
console.log(
  `\n${most} sessions with a click each 10 s: median ${paced.median.toFixed(0)} ms, slowest 1 % ${paced.p99.toFixed(0)} ms, ${paced.failed} failed.`,
)
const [first] = crowds
const last = crowds.at(-1)
if (first && last && last.sessions > first.sessions) {
  const each = (last.memory - first.memory) / (last.sessions - first.sessions)
  const machine = { memory: last.memory, cores: cpus().length }
  console.log(
    `\nA further session: ${each.toFixed(1)} MB. A session of ${last.sessions}: ${(last.memory / last.sessions).toFixed(1)} MB.`,
  )
  console.log(
    `${last.sessions} sessions: ${(last.memory / 1024).toFixed(1)} GB and ${last.rate.toFixed(0)} clicks a second on ${machine.cores} cores.`,
  )
  const memoryGb = (1000 * (last.memory / last.sessions)) / 1024
  const coresOf = (clicks: number) => ((1000 * clicks) / last.rate) * machine.cores
  console.log(
    `1,000 sessions, calculated: ${memoryGb.toFixed(0)} GB; ${coresOf(0.1).toFixed(0)} cores for an action each 10 s of each, ${coresOf(0.5).toFixed(0)} for one each 2 s.`,
  )
}
for (const count of [1000, 10_000]) console.log(`\n${await measureRecords(count)}`)

/** The store of sessions and the queues of their calls alone: what one call costs beside so many sessions. */
async function measureRecords(count: number): Promise<string> {
  let state: SessionsState = createSessionsState(count, 0)
  const send = (event: Parameters<typeof transition>[1]) => void ([state] = transition(state, event))
  const openedAt = performance.now()
  for (let index = 0; index < count; index += 1) {
    const draft: SessionDraft = {
      id: `id${index}`,
      owner: `owner${index % 100}`,
      browser: 'chromium',
      timeout: 300_000,
      lifetime: 3_600_000,
    }
    send({ type: 'open', at: index, draft })
    send({ type: 'opened', at: index, id: draft.id })
  }
  const opening = (performance.now() - openedAt) / count
  const queue = createCallQueue()
  const times: number[] = []
  await Promise.all(
    Array.from({ length: CALL_COUNT }, async (_, index) => {
      const id = `id${index}`
      const job = queue.add(id, async () => {
        const startedAt = performance.now()
        send({ type: 'called', at: count + index, id })
        send({ type: 'answered', at: count + index, id })
        times.push(performance.now() - startedAt)
      })
      await job.result
    }),
  )
  const open = [...state.byId.values()].filter(({ status }) => status === 'open').length
  return `${open} sessions in the store: ${opening.toFixed(2)} ms to open one, a call of one ${quantile(times, 0.5).toFixed(2)} ms (slowest 1 %: ${quantile(times, 0.99).toFixed(2)} ms).`
}
