// `bun soak/figures.ts [steps of each session, 1000]`: how long a failure takes to be told and to be mended, as medians of some rounds. Milliseconds.

import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { median, quantile } from '../bench/measure.ts'
import { connect, type Peer } from '../test/support/client.ts'
import { until } from '../test/support/leftovers.ts'
import { startRaw, toolCall } from '../test/support/raw.ts'
import { crowd } from './crowd.ts'
import { app } from './visitor.ts'
import { serveSite } from '../test/support/site.ts'

const ROUNDS = 5
const server = "require('http').createServer((q, r) => r.end('up')).listen(process.env.PORT, '127.0.0.1')"
const daemon = `setsid sleep 7773 & exec node -e "${server}"`

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const since = performance.now()
  await work()
  return performance.now() - since
}

async function browserKilled(peer: Peer): Promise<[told: number, mended: number]> {
  const sessionId = await peer.session()
  const pending = peer.call('evaluate', { sessionId, script: 'new Promise(() => {})', timeout: 20_000 })
  await peer.call('list_sessions')
  process.kill(peer.trace.browsers()[0]?.pid ?? -1, 'SIGKILL')
  const told = await timed(async () => {
    const { data } = await pending
    if (data.errorCode !== 'BROWSER_CRASHED') throw new Error(`told ${data.errorCode}`)
  })
  const mended = await timed(async () => {
    const next = await peer.session()
    await peer.call('evaluate', { sessionId: next, script: '1' })
    await peer.call('close_session', { sessionId: next })
  })
  return [told, told + mended]
}

async function loopFreed(peer: Peer): Promise<number> {
  const sessionId = await peer.session()
  const took = await timed(() => peer.call('evaluate', { sessionId, script: 'for (;;);', timeout: 1000 }))
  const { data } = await peer.call('evaluate', { sessionId, script: '1' })
  if (data.result !== 1) throw new Error('the page was not freed')
  await peer.call('close_session', { sessionId })
  return took - 1000
}

async function ending(signal: NodeJS.Signals | 'EOF'): Promise<[browsers: number, all: number]> {
  const raw = await startRaw()
  raw.send(toolCall(1, 'create_session', { command: daemon }))
  await raw.answer(1)
  const since = performance.now()
  if (signal !== 'EOF') process.kill(raw.pid, signal)
  const closed = signal === 'EOF' ? raw.close() : raw.exit
  await until(() => raw.trace.browsers().length === 0, 10_000)
  const browsers = performance.now() - since
  await until(() => raw.trace.processes().length === 0, 10_000)
  const all = performance.now() - since
  await closed
  if (signal === 'EOF') return [browsers, all]
  await until(() => readdirSync(raw.trace.folder).length === 0, 5000)
  await raw.close()
  return [browsers, all]
}

const rounds = async <T>(work: () => Promise<T>): Promise<T[]> => {
  const all: T[] = []
  for (let round = 0; round < ROUNDS; round += 1) all.push(await work())
  return all
}
const row = (name: string, values: readonly number[]): string =>
  `| ${name} | ${median(values).toFixed(0)} | ${quantile(values, 1).toFixed(0)} |`

const site = await serveSite({}, app)
const cwd = mkdtempSync(join(tmpdir(), 'fl-figures-'))
const peer = await connect({ args: ['--headless', '--max-sessions', '25'], cwd })
const killed = await rounds(() => browserKilled(peer))
const freed = await rounds(() => loopFreed(peer))
const killedUs = await rounds(() => ending('SIGKILL'))
const eof = await rounds(() => ending('EOF'))
const term = await rounds(() => ending('SIGTERM'))
console.log(
  [
    '| ms | median | most |',
    '|---|---|---|',
    row(
      'browser killed → the call under way is told',
      killed.map(([told]) => told),
    ),
    row(
      'browser killed → the next session is usable',
      killed.map(([, mended]) => mended),
    ),
    row('endless loop → freed, beyond its deadline', freed),
    row(
      'SIGKILL of footlight → browsers gone',
      killedUs.map(([browsers]) => browsers),
    ),
    row(
      'SIGKILL of footlight → servers and daemons gone',
      killedUs.map(([, all]) => all),
    ),
    row(
      'stdin at its end → all gone',
      eof.map(([, all]) => all),
    ),
    row(
      'SIGTERM → all gone',
      term.map(([, all]) => all),
    ),
  ].join('\n'),
)
const since = performance.now()
const taken = await crowd(peer, site.url, 20, Number(process.argv[2] ?? 1000))
console.log(
  `\n20 sessions side by side, ${taken} random steps in ${((performance.now() - since) / 1000).toFixed(0)} s: nothing of another session was seen`,
)
await peer.close()
site.close()
rmSync(cwd, { recursive: true })
