// `bun bench/soak/figures.ts [steps of each session, 1000]`: the time until a failure is reported and until its cause is repaired, as medians of
// several rounds.

import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { connect, type Peer } from '../../test/support/client.ts'
import { until } from '../../test/support/leftovers.ts'
import { startRaw, toolCall } from '../../test/support/raw.ts'
import { serveSite } from '../../test/support/site.ts'
import { median, quantile } from '../measure.ts'
import { runTestSessions } from './run-test-sessions.ts'
import { app } from './test-session.ts'

const ROUND_COUNT = 5
const server = "require('http').createServer((q, r) => r.end('up')).listen(process.env.PORT, '127.0.0.1')"
const daemon = `setsid sleep 7773 & exec node -e "${server}"`

const measureMs = async (work: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

async function measureBrowserKill(peer: Peer): Promise<[reportedMs: number, repairedMs: number]> {
  const sessionId = await peer.session()
  const pending = peer.call('evaluate', { sessionId, script: 'new Promise(() => {})', timeout: 20_000 })
  await peer.call('list_sessions')
  process.kill(peer.trace.browsers()[0]?.pid ?? -1, 'SIGKILL')
  const reportedMs = await measureMs(async () => {
    const { data } = await pending
    if (data.errorCode !== 'BROWSER_CRASHED')
      throw new Error(`expected BROWSER_CRASHED, received ${data.errorCode}`)
  })
  const repairedMs = await measureMs(async () => {
    const next = await peer.session()
    await peer.call('evaluate', { sessionId: next, script: '1' })
    await peer.call('close_session', { sessionId: next })
  })
  return [reportedMs, reportedMs + repairedMs]
}

async function measureLoopRecovery(peer: Peer): Promise<number> {
  const sessionId = await peer.session()
  const elapsedMs = await measureMs(() =>
    peer.call('evaluate', { sessionId, script: 'for (;;);', timeout: 1000 }),
  )
  const { data } = await peer.call('evaluate', { sessionId, script: '1' })
  if (data.result !== 1) throw new Error('the page was not freed')
  await peer.call('close_session', { sessionId })
  return elapsedMs - 1000
}

async function measureExit(signal: NodeJS.Signals | 'EOF'): Promise<[browsers: number, all: number]> {
  const raw = await startRaw()
  raw.send(toolCall(1, 'create_session', { command: daemon }))
  await raw.answer(1)
  const startedAt = performance.now()
  if (signal !== 'EOF') process.kill(raw.pid, signal)
  const closed = signal === 'EOF' ? raw.close() : raw.exit
  await until(() => raw.trace.browsers().length === 0, 10_000)
  const browsers = performance.now() - startedAt
  await until(() => raw.trace.processes().length === 0, 10_000)
  const all = performance.now() - startedAt
  await closed
  if (signal === 'EOF') return [browsers, all]
  await until(() => readdirSync(raw.trace.folder).length === 0, 5000)
  await raw.close()
  return [browsers, all]
}

const runRounds = async <T>(work: () => Promise<T>): Promise<T[]> => {
  const all: T[] = []
  for (let round = 0; round < ROUND_COUNT; round += 1) all.push(await work())
  return all
}
const row = (name: string, values: readonly number[]): string =>
  `| ${name} | ${median(values).toFixed(0)} | ${quantile(values, 1).toFixed(0)} |`

const site = await serveSite({}, app)
const cwd = mkdtempSync(join(tmpdir(), 'fl-figures-'))
const peer = await connect({ args: ['--headless', '--max-sessions', '25'], cwd })
const browserKills = await runRounds(() => measureBrowserKill(peer))
const loopRecoveries = await runRounds(() => measureLoopRecovery(peer))
const sigkillExits = await runRounds(() => measureExit('SIGKILL'))
const eofExits = await runRounds(() => measureExit('EOF'))
const sigtermExits = await runRounds(() => measureExit('SIGTERM'))
console.log(
  [
    '| ms | median | most |',
    '|---|---|---|',
    row(
      'browser killed → the running call fails',
      browserKills.map(([reportedMs]) => reportedMs),
    ),
    row(
      'browser killed → the next session is usable',
      browserKills.map(([, repairedMs]) => repairedMs),
    ),
    row('endless loop → freed, beyond its deadline', loopRecoveries),
    row(
      'SIGKILL of footlight → browsers gone',
      sigkillExits.map(([browsers]) => browsers),
    ),
    row(
      'SIGKILL of footlight → servers and daemons gone',
      sigkillExits.map(([, all]) => all),
    ),
    row(
      'stdin at its end → all gone',
      eofExits.map(([, all]) => all),
    ),
    row(
      'SIGTERM → all gone',
      sigtermExits.map(([, all]) => all),
    ),
  ].join('\n'),
)
const startedAt = performance.now()
const stepCount = await runTestSessions(peer, site.url, 20, Number(process.argv[2] ?? 1000))
console.log(
  `\n20 sessions side by side, ${stepCount} random steps in ${((performance.now() - startedAt) / 1000).toFixed(0)} s: nothing of another session was seen`,
)
await peer.close()
site.close()
rmSync(cwd, { recursive: true })
