// Commands that start the server in ways of their own: it is found, and nothing of it lives on. RUNNER_ROUNDS is how often each ending is
// tried.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { connect, type Peer } from '../support/client.ts'
import { until } from '../support/leftovers.ts'

const ROUND_COUNT = Number(process.env['RUNNER_ROUNDS'] ?? 1)
const GONE_MS = 5000
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fl-runners-')))

// Its port is an argument, because a runner may hide the variable. With `deaf` it never listens.
const SERVER = `
const [port, mode] = process.argv.slice(2)
process.on('SIGHUP', () => {})
if (mode === 'deaf') setInterval(() => {}, 1e6)
else require('http').createServer((_, response) => response.setHeader('content-type', 'text/html').end('<h1>Up</h1>')).listen(port)
`
// As Turborepo does: tasks have an environment of their own, and lead a process group.
const RUNNER = `
const [isShort, ...args] = process.argv.slice(2)
const env = { PATH: process.env.PATH }
const task = require('child_process').spawn(process.execPath, ['${folder}/server.cjs', ...args], { detached: true, env, stdio: 'inherit' })
if (isShort === 'short') { task.unref(); setTimeout(() => process.exit(0), 1) }
`
const COMMANDS = {
  npm: 'npm run dev --silent --',
  'a runner as Turborepo': `node ${folder}/runner.cjs long`,
  'a runner that ends at once': `node ${folder}/runner.cjs short`,
  setsid: `setsid --fork env -i "PATH=$PATH" node ${folder}/server.cjs`,
  nohup: `nohup env -i "PATH=$PATH" node ${folder}/server.cjs`,
}
const ENDINGS = ['close', 'expiry', 'SIGKILL', 'failed start'] as const
let peer: Peer

beforeAll(async () => {
  writeFileSync(join(folder, 'server.cjs'), SERVER)
  writeFileSync(join(folder, 'runner.cjs'), RUNNER)
  writeFileSync(join(folder, 'package.json'), `{"scripts":{"dev":"node ${folder}/server.cjs"}}`)
  peer = await connect()
})
afterAll(async () => {
  await peer.close()
  rmSync(folder, { recursive: true, force: true })
})

/** The numbers of the processes that run a program of this test. */
function running(): number[] {
  return readdirSync('/proc').flatMap((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, 'latin1').includes(`${folder}/`)
        ? [Number(name)]
        : []
    } catch {
      return []
    }
  })
}

async function expectGone(): Promise<void> {
  await until(() => running().length === 0, GONE_MS)
  const left = running()
  for (const pid of left) process.kill(pid, 'SIGKILL')
  expect(left).toEqual([])
}

async function end(ending: (typeof ENDINGS)[number], start: string): Promise<void> {
  if (ending === 'failed start') {
    const { failed, data } = await peer.call('create_session', {
      command: `${start} "$PORT" deaf`,
      cwd: folder,
      readyTimeout: 2500,
    })
    expect([failed, data.errorCode]).toEqual([true, 'SERVER_START_FAILED'])
    return expectGone()
  }
  const own = ending === 'SIGKILL' ? await connect() : peer
  const { failed, data } = await own.call('create_session', {
    command: `${start} "$PORT"`,
    cwd: folder,
    ...(ending === 'expiry' && { sessionTimeout: 1000 }),
  })
  expect([failed, data.message]).toEqual([false, expect.stringContaining('The server is ready')])
  if (ending === 'close') await own.call('close_session', { sessionId: data.sessionId })
  if (ending === 'expiry') await until(() => running().length === 0)
  if (ending === 'SIGKILL') {
    process.kill(own.pid, 'SIGKILL')
    await expectGone()
    return own.close()
  }
  await expectGone()
}

for (const [name, start] of Object.entries(COMMANDS))
  for (const ending of ENDINGS)
    test(
      `${name}: nothing is left after ${ending}`,
      async () => {
        for (let round = 0; round < ROUND_COUNT; round += 1) await end(ending, start)
      },
      120_000 * ROUND_COUNT,
    )
