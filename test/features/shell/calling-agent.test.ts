import { expect, test } from 'bun:test'
import process from 'node:process'
import { identify } from '../../../src/core/devserver/process/process-table.ts'
import { findCallingAgent } from '../../../src/features/shell/calling-agent.ts'

/** The ancestors of a command, the nearest one first, each by its name or its command line. */
const chainOf = (...lines: readonly string[]) => {
  const first = process.ppid
  return async (pid: number) => {
    const line = lines[pid - first]
    if (line === undefined) return undefined
    const words = line.split(' ')
    const name = words[0]?.replace(/^.*\//, '').slice(0, 15) ?? ''
    return { pid, parent: pid + 1, startTime: `t${pid}`, name, words: () => words }
  }
}

const ownerOf = async (...lines: readonly string[]): Promise<string | undefined> => {
  const { owner } = await findCallingAgent(undefined, {}, chainOf(...lines))
  return owner && lines[owner.pid - process.ppid]
}

test.each([
  [['bash', 'claude', 'zsh', 'login'], 'claude'],
  [['/bin/sh', 'timeout 10', 'env', 'codex'], 'codex'],
  [['python3 -c run()', 'perl x.pl', 'make', './check.sh', 'node x.js', 'claude'], 'claude'],
  [['npm exec footlight', 'bash', 'node /usr/bin/gemini'], 'node /usr/bin/gemini'],
  [
    ['sh', 'node /x/node_modules/@openai/codex/bin/main.js'],
    'node /x/node_modules/@openai/codex/bin/main.js',
  ],
  [
    ['zsh', '/Applications/Visual Studio Code.app/Contents/MacOS/Code'],
    '/Applications/Visual Studio Code.app/Contents/MacOS/Code',
  ],
  [['bash', 'codex', 'claude'], 'codex'],
] as const)('of %j the agent is %s', async (chain, owner) => {
  expect(await ownerOf(...chain)).toBe(owner)
})

test.each([
  [['python3 flow.py', 'bash', 'sshd']],
  [['./claude.sh', 'bash', 'tmux: server']],
  [['bun /x/agent.ts', 'node --title=claude /x/server.js', 'systemd']],
  [['node code.js.map', 'cron']],
])('of %j nobody is, and the sessions are those of the work tree', async (chain) => {
  const { key, owner } = await findCallingAgent(undefined, {}, chainOf(...chain))
  expect([key, owner]).toEqual(['user', undefined])
})

test('a variable or an option names the agent, the option first', async () => {
  const find = chainOf('bash', 'claude')
  const byName = await findCallingAgent(undefined, { FOOTLIGHT_AGENT: 'a' }, find)
  expect(byName).toEqual({ key: 'name a' })
  const byNumber = await findCallingAgent(process.ppid, { FOOTLIGHT_AGENT: 'a' }, find)
  expect(byNumber.owner).toEqual({ pid: process.ppid, startTime: `t${process.ppid}` })
  expect((await findCallingAgent(undefined, {}, async () => undefined)).key).toBe('user')
})

test('the start time of an agent is the one by which the server finds out whether it still runs', async () => {
  const { owner } = await findCallingAgent(process.pid)
  expect(owner).toEqual({ pid: process.pid, startTime: identify(process.pid)?.startTime ?? '' })
})
