// Servers that people use: a task in a session, a restart, the test that is saved of it, and that test as it was written: green twice, and red
// once the application has a bug. With BESIDE=1 the task is done with @playwright/mcp too, and what both cost is printed.

import { afterAll, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { expectServersGone, START_LIMIT_MS } from './app.ts'
import { agentOf, costOf, type Agent, type Turn } from './beside/agent.ts'
import { installed } from './beside/packages.ts'
import { footlight, playwrightMcp } from './beside/vocabulary.ts'
import { applications, type Application } from './servers/applications.ts'
import { findExecutable } from '../../src/core/browser/process/find-executable.ts'
import { startPlaywrightMcp } from '../../bench/peers.ts'
import { connect, type Peer } from '../support/client.ts'

const LIMIT_MS = 600_000
const OTHER_END_LIMIT_MS = 2000
const TEST_PATH = 'e2e/task.spec.ts'

const isBeside = process.env['BESIDE'] !== undefined
const costs: string[] = []
let otherPeer: Promise<Peer> | undefined

for (const application of applications) test(application.name, () => prove(application), LIMIT_MS)
afterAll(async () => {
  for (const line of costs) console.log(line)
  const other = await otherPeer
  await other?.client.close()
  // Its folder of output is no leftover of Footlight.
  await other?.trace.expectNothing(OTHER_END_LIMIT_MS).catch(() => {})
}, LIMIT_MS)

async function prove(application: Application): Promise<void> {
  const { name, command, bug } = application
  await using place = await application.place()
  const { folder } = place
  const peer = await connect({ cwd: folder })
  const opened = await peer.call('create_session', {
    command,
    cwd: folder,
    readyTimeout: START_LIMIT_MS,
  })
  if (opened.failed) throw new Error(JSON.stringify(opened.data))
  const { sessionId, url } = opened.data
  const own = agentOf(peer, footlight(sessionId))
  await take(application, own, url)
  if (isBeside)
    costs.push(`${name}: ${describeCost('footlight', own.turns)}; ${await takeBeside(application, url)}`)
  expect((await peer.call('restart_server', { sessionId })).data).toMatchObject({ url })
  const saved = await peer.call('save_test', { sessionId, path: TEST_PATH, name })
  expect(saved.data).toMatchObject({ run: expect.stringMatching(/^1 passed/) })
  await peer.call('close_session', { sessionId })
  await expectServersGone(peer)
  for (const _ of ['once', 'twice']) expect((await runTest(peer)).data).toMatchObject({ passed: 1 })
  const path = join(folder, bug.file)
  const source = readFileSync(path, 'utf8')
  expect(source).toContain(bug.from)
  writeFileSync(path, source.replace(bug.from, bug.to))
  expect((await runTest(peer)).data).toMatchObject({ errorCode: 'TEST_FAILED' })
  await expectServersGone(peer)
  await peer.close()
}

async function take({ perform, told }: Application, agent: Agent, url: string): Promise<void> {
  try {
    await perform(agent, url)
    if (await agent.learn(told)) return
    throw new Error(`${told} is not told`)
  } catch (error) {
    const turns = agent.turns.map(({ tool, text }) => `--- ${tool}\n${text.slice(0, 3000)}`)
    throw new Error(`${String(error)}\n${turns.join('\n')}`)
  }
}

async function takeBeside(application: Application, url: string): Promise<string> {
  const agent = agentOf(await (otherPeer ??= startOther()), playwrightMcp)
  const stopped = await take(application, agent, url).then(
    () => '',
    (error: Error) => ` (${error.message.split('\n')[0]})`,
  )
  return `${describeCost('@playwright/mcp', agent.turns)}${stopped}`
}

async function startOther(): Promise<Peer> {
  const { path = '' } = findExecutable({ browser: 'chromium', headless: false })
  return startPlaywrightMcp({ folder: installed(), executablePath: path })
}

function describeCost(name: string, all: readonly Turn[]): string {
  const { turns, tokens, ms } = costOf(all)
  return `${name} ${turns} calls, ${tokens} tokens, ${ms} ms`
}

const runTest = (peer: Peer) => peer.call('run_test', { path: TEST_PATH })
