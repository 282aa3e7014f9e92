// The shell at random moments: what is killed leaves nothing, what runs side by side does not mix. SHELL_KILLS and SHELL_ROUNDS are how often.

import { expect, test } from 'bun:test'
import { spawn } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { binary, callOrThrow, connect } from '../support/client.ts'
import { until } from '../support/leftovers.ts'
import { openShell, type Shell } from '../support/shell.ts'

const KILL_COUNT = Number(process.env['SHELL_KILLS'] ?? '12')
const ROUND_COUNT = Number(process.env['SHELL_ROUNDS'] ?? '60')
const PAGE = 'data:text/html,<title>page</title><script>lines = []</script>'
const HOUR_MS = 3_600_000

const agentProgram = resolve(import.meta.dir, '../fixtures/shell-agent.ts')

/** Kills a program of the shell at a random moment; the milliseconds until nothing of it was left. */
async function killOnce(shell: Shell, victim: 'server' | 'agent' | 'group'): Promise<number> {
  const agent = spawn(process.execPath, [agentProgram, binary, String(Math.random() * 20)], {
    cwd: shell.folder,
    env: shell.env,
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  agent.stdout.resume()
  const isServerRunning = () => serversOf(shell).length > 0
  if (victim === 'server') await until(isServerRunning)
  await new Promise((done) => setTimeout(done, Math.random() * 2500))
  for (const { pid } of victim === 'server' ? serversOf(shell) : []) process.kill(pid, 'SIGKILL')
  if (victim === 'server') await new Promise((done) => setTimeout(done, Math.random() * 200))
  process.kill(victim === 'group' ? -(agent.pid ?? 0) : (agent.pid ?? 0), 'SIGKILL')
  const startedAt = performance.now()
  const isGone = () => shell.trace.processes().length === 0 && shell.sockets().length === 0
  expect(await until(isGone, 60_000, 25)).toBe(true)
  return performance.now() - startedAt
}

const serversOf = ({ trace }: Shell) =>
  trace.processes().filter(({ command }) => command.startsWith(`${binary} serve-shell`))

test(
  'what is killed at a random moment leaves no process, port or socket',
  async () => {
    const shell = openShell()
    const times: number[] = []
    for (let count = 0; count < KILL_COUNT; count += 1) {
      const victim = (['server', 'agent', 'group'] as const)[count % 3] ?? 'agent'
      times.push(await killOnce(shell, victim))
    }
    const sorted = times.sort((a, b) => a - b).map(Math.round)
    console.error(
      `${times.length} kills: nothing left after ${sorted[Math.floor(sorted.length / 2)]} ms (median), ${sorted.at(-1)} ms at most`,
    )
    await shell.close()
  },
  HOUR_MS,
)

test(
  'commands of two shells and of a client of MCP on one session keep their order',
  async () => {
    const shell = openShell()
    const peer = await connect({
      cwd: shell.folder,
      env: { XDG_RUNTIME_DIR: shell.env['XDG_RUNTIME_DIR'] ?? '' },
    })
    await callOrThrow(peer, 'create_session', { name: 'one' })
    await callOrThrow(peer, 'navigate', { url: PAGE })
    await until(() => shell.sockets().length === 1)
    const add = (name: string, number: number) => `lines.push("${name}${number}"), lines.length`
    const runShell = async (name: string) => {
      for (let number = 0; number < ROUND_COUNT; number += 1)
        expect((await shell.run('-s', 'one', 'eval', add(name, number), '--raw')).code).toBe(0)
    }
    const runClient = async () => {
      for (let number = 0; number < ROUND_COUNT; number += 1)
        await callOrThrow(peer, 'evaluate', { sessionId: 'one', script: add('m', number) })
    }
    await Promise.all([runShell('a'), runShell('b'), runClient()])
    const { result } = await callOrThrow(peer, 'evaluate', { script: 'lines.join(" ")' })
    const lines: string[] = result.split(' ')
    for (const name of ['a', 'b', 'm'])
      expect(lines.filter((line) => line.startsWith(name))).toEqual(
        Array.from({ length: ROUND_COUNT }, (_, number) => `${name}${number}`),
      )
    await peer.close()
    await shell.close()
  },
  HOUR_MS,
)

test(
  'agents of one work tree and of two never see the page of another',
  async () => {
    const shell = openShell()
    const second = join(shell.folder, '../tree/second')
    mkdirSync(join(second, '.git'), { recursive: true })
    const agents = [
      { name: 'a', cwd: shell.folder },
      { name: 'b', cwd: shell.folder },
      { name: 'a', cwd: second },
    ]
    const titles = await Promise.all(
      agents.map(async ({ name, cwd }, index) => {
        const run = (...words: string[]) => shell.runWith({ cwd, env: { FOOTLIGHT_AGENT: name } }, ...words)
        await run('open', `data:text/html,<title>${index}</title>`)
        const found = new Set<string>()
        for (let round = 0; round < ROUND_COUNT; round += 1)
          found.add((await run('eval', 'document.title', '--raw')).out.trim())
        return [...found]
      }),
    )
    expect(titles).toEqual([['0'], ['1'], ['2']])
    rmSync(second, { recursive: true })
    await shell.close()
  },
  HOUR_MS,
)
