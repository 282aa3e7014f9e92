// The command line as a shell sees it.

import { expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import process from 'node:process'
import { SKILL } from '../../../src/features/setup/skill-text.ts'
import { AGENT_HELP } from '../../../src/features/shell/agent-help.ts'
import { binary } from '../../support/client.ts'

const run = (...args: string[]) => spawnSync(binary, args, { encoding: 'utf8', timeout: 120_000 })

test.skipIf(process.platform === 'win32')('a reader that closes the pipe ends it quietly', () => {
  const script = '"$0" tools | head -1 | cut -c 1-14; echo "${PIPESTATUS[0]}"'
  const { stdout, stderr } = spawnSync('bash', ['-c', script, binary], { encoding: 'utf8', timeout: 120_000 })
  expect([stdout, stderr]).toEqual(['create_session\n0\n', ''])
})

test('help COMMAND, COMMAND --help and COMMAND -h are the help of that command', () => {
  const { status, stdout } = run('help', 'setup')
  expect([status, stdout]).toEqual([0, expect.stringContaining('USAGE footlight setup')])
  expect(stdout).not.toMatch(/\u001b| $/m)
  expect(run('help', 'version').stdout).not.toMatch(/ $/m)
  for (const args of [
    ['setup', '--help'],
    ['setup', 'cursor', '-h'],
    ['help', 'setup', '--help'],
  ])
    expect(run(...args).stdout).toBe(stdout)
  expect(run('browsers', 'pack', '--help').stdout).toContain('USAGE footlight browsers pack')
  expect(run('help').stdout).toBe(run('--help').stdout)
  expect(run('help', 'options').stdout).toContain('--session-timeout MS')
})

test('verbs have their help too, and agents a page; neither is broken into lines in a pipe', () => {
  const { status, stdout } = run('help', 'fill')
  expect([status, stdout]).toEqual([0, expect.stringContaining('fill TARGET TEXT [MORE...] [OPTIONS]\n')])
  for (const words of [
    ['fill', '--help'],
    ['fill', 'e1', '-h'],
    ['help', 'fill', '--help'],
  ])
    expect(run(...words)).toMatchObject({ status: 0, stdout })
  expect(run('help', 'agent').stdout).toBe(`${AGENT_HELP}\n`)
  expect(run('skill').stdout).toBe(SKILL)
})

test.each<[string[], string]>([
  [['help', 'cal'], 'unknown command "cal". Did you mean "call"?'],
  [['--headless', 'call', 'snapshot'], 'options come after the command: footlight call --headless snapshot'],
  [['call', 'navigate', '--url', 'http://x/'], 'Write url=… after the name of the tool; --server URL'],
  [['call', 'navigate', 'http://x/'], 'Did you mean navigate url=http://x/?'],
  [
    ['call', 'snapshot', '--server', 'nowhere'],
    '--server: expected a URL such as http://127.0.0.1:3000/mcp, received nowhere',
  ],
  [['call', 'snapshot', '--jsn'], 'unknown option --jsn. Did you mean --json?'],
  [['call'], 'TOOL is missing'],
  [['call', 'list_sessions', '--http', '3000'], 'call: --http has no effect here'],
  [['call', 'list_sessions', '--proxy-bypass', 'x'], '--proxy-bypass requires --proxy-server'],
  [['login', 'http://x/', '--save', 'x', '--max-sessions', '3'], 'login: --max-sessions has no effect here'],
  [['tools', '--jsn'], 'unknown option --jsn. Did you mean --json?'],
  [['tools', 'clik'], 'unknown tool "clik". Did you mean "click"?'],
  [['setup'], 'CLIENT is missing (claude-code, '],
  [['setup', 'cursor', '--scope', 'all'], '--scope (all). Expected one of: user, project. For example'],
  [['login', 'http://x/'], 'login: expected --save NAME or FILE, or --profile NAME'],
  [['version', '--jsn'], 'unknown option --jsn. Did you mean --json?'],
])('%j is refused with what to do', (args, message) => {
  expect(run(...args)).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining(message) })
})

test('tools NAME shows the fields of a tool', () => {
  const { status, stdout } = run('tools', 'press_key')
  expect([status, stdout.split('\n')[0]]).toEqual([0, expect.stringMatching(/^press_key: \S/)])
  expect(stdout).toMatch(/^ {2}key +string +required/m)
  expect(run('call', 'press_key', '--help').stdout).toBe(stdout)
  expect(JSON.parse(run('tools', 'browser.press_key', '--json').stdout).tools).toEqual([
    expect.objectContaining({ name: 'press_key' }),
  ])
})

test('a server that is none, or not there, is named with what to do', async () => {
  const site = Bun.serve({ port: 0, fetch: () => new Response('<h1>No</h1>', { status: 501 }) })
  const child = Bun.spawn([binary, 'call', 'snapshot', '--server', site.url.href], { stderr: 'pipe' })
  const stderr = await new Response(child.stderr).text()
  expect([await child.exited, stderr]).toEqual([
    1,
    `footlight: call: ${site.url} is no MCP server (501). The path of a Footlight server is /mcp\n`,
  ])
  await site.stop(true)
  expect(run('call', 'snapshot', '--server', `http://127.0.0.1:${site.port}/mcp`)).toMatchObject({
    status: 1,
    stderr: `footlight: call: no server answers at http://127.0.0.1:${site.port}/mcp. Start one: footlight --http ${site.port}\n`,
  })
})
