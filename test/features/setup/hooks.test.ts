// `footlight setup CLIENT --verify`: the hook for an agent that is about to stop, in the file of the client.

import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { parse } from 'jsonc-parser'
import { clientNames, clientOf, fileOf, hookFileOf } from '../../../src/features/setup/clients.ts'
import { hookFormatOf } from '../../../src/features/setup/hook-format.ts'
import { hookAnswers, type HookClient } from '../../../src/features/verify/stop-hook/hook-answers.ts'
import { binary } from '../../support/client.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'fl-hooks-'))
  mkdirSync(join(home, 'project'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const env = () => ({ PATH: process.env['PATH'], HOME: home, XDG_CONFIG_HOME: '' })
const run = (...words: readonly string[]) => {
  const options = { cwd: join(home, 'project'), env: env(), encoding: 'utf8', timeout: 120_000 } as const
  const { status, stdout, stderr } = spawnSync(binary, ['setup', ...words], options)
  return { status, stdout, stderr }
}
const around = () => ({ platform: process.platform, env: {}, home, cwd: join(home, 'project') })
const pathOf = (client: HookClient, scope: 'user' | 'project' = 'user') =>
  hookFileOf(client, scope, around()) ?? ''
const read = (path: string) => readFileSync(path, 'utf8')
const write = (path: string, text: string) => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

const clients = Object.keys(hookAnswers) as HookClient[]

/** What stands in each file, by the documentation of the client. */
const written: Record<HookClient, (command: string) => unknown> = {
  'claude-code': (command) => ({
    hooks: { Stop: [{ hooks: [{ type: 'command', command, timeout: 5 }] }] },
  }),
  codex: (command) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command, timeout: 5 }] }] } }),
  cursor: (command) => ({ version: 1, hooks: { stop: [{ command, timeout: 5, loop_limit: 1 }] } }),
  gemini: (command) => ({
    hooks: { AfterAgent: [{ hooks: [{ type: 'command', command, timeout: 5000 }] }] },
  }),
  copilot: (command) => ({ version: 1, hooks: { Stop: [{ type: 'command', command, timeout: 5 }] } }),
}

test('the clients are those that verify answers', () => {
  expect(clientNames.filter((name) => clientOf(name).stopHook).toSorted()).toEqual(clients.toSorted())
})

describe.each(clients)('%s', (client) => {
  test.each(['user', 'project'] as const)('for the %s: written, written again, removed', (scope) => {
    const path = pathOf(client, scope)
    const setUp = (...words: readonly string[]) => run(client, '--verify', '--scope', scope, ...words)
    expect(setUp('--dry-run')).toMatchObject({ status: 0, stdout: expect.stringContaining('verify --hook') })
    expect(existsSync(path)).toBe(false)
    expect(setUp()).toMatchObject({ status: 0, stdout: expect.stringContaining(path) })
    const text = read(path)
    expect(JSON.parse(text)).toEqual(written[client](`${binary} verify --hook ${client}`))
    expect(setUp().stdout).toContain('already set up')
    expect(read(path)).toBe(text)
    expect(existsSync(fileOf(client, scope, around()) ?? '')).toBe(path === fileOf(client, scope, around()))
    expect(setUp('--remove')).toMatchObject({ status: 0, stdout: expect.stringContaining(`from ${path}`) })
    expect(readdirSync(dirname(path)).filter((name) => name !== 'project')).toEqual([])
    expect(setUp('--remove').stdout).toContain(`Nothing to remove: ${path} has no hook `)
  })

  test('with --write beside the server; --remove removes both, and is quiet without a hook', () => {
    expect(run(client).stdout).toContain(`footlight setup ${client} --verify adds a hook`)
    expect(run(client, '--write', '--verify')).toMatchObject({ status: 0 })
    const serverPath = fileOf(client, 'user', around()) ?? ''
    expect(read(serverPath)).toContain('--headless')
    expect(read(pathOf(client))).toContain(`verify --hook ${client}`)
    expect(run(client, '--remove')).toMatchObject({ status: 0 })
    expect([existsSync(serverPath), existsSync(pathOf(client))]).toEqual([false, false])
    run(client, '--write')
    expect(run(client, '--remove').stdout).not.toContain(' hook ')
  })

  test('the command that is written is one that lets the agent stop where nothing is changed', () => {
    run(client, '--verify')
    const command = /"command": (".+")/.exec(read(pathOf(client)))?.[1] ?? '""'
    const result = spawnSync('sh', ['-c', JSON.parse(command)], {
      cwd: home,
      env: env(),
      input: JSON.stringify({ cwd: home }),
      encoding: 'utf8',
    })
    expect([result.status, result.stdout, result.stderr]).toEqual([0, '{}', ''])
  })
})

const mine = `{
  // my own
  "permissions": { "allow": [] },
  "hooks": {
    "Stop": [
      { "hooks": [{ "type": "command", "command": "say done" }] }, // first
    ],
    "PreToolUse": [],
  },
}
`

test('other hooks, comments and settings stay, and the file is what it was afterwards', () => {
  const path = pathOf('claude-code')
  write(path, mine)
  expect(run('claude-code', '--verify').stdout).toContain('Backup of the previous file: ')
  expect(read(path)).toContain('// my own')
  const { hooks, permissions } = parse(read(path))
  expect(permissions).toEqual({ allow: [] })
  expect(hooks.Stop.map((group: { hooks: { command: string }[] }) => group.hooks[0]?.command)).toEqual([
    'say done',
    `${binary} verify --hook claude-code`,
  ])
  expect(run('claude-code', '--remove')).toMatchObject({ status: 0 })
  expect(read(path)).toBe(mine)
})

test('a file with the server and the hook is what it was, to the byte', () => {
  const before = '{\n    "theme": "dark" // mine\n}\n'
  write(pathOf('gemini'), before)
  run('gemini', '--write', '--verify')
  const { hooks, mcpServers, theme } = parse(read(pathOf('gemini')))
  expect([Object.keys(hooks), Object.keys(mcpServers), theme]).toEqual([
    ['AfterAgent'],
    ['footlight'],
    'dark',
  ])
  run('gemini', '--remove')
  expect(read(pathOf('gemini'))).toBe(before)
})

test('the hook of another version is replaced, and the output folder is passed on', () => {
  const path = pathOf('cursor')
  write(path, '{"version": 1, "hooks": {"stop": [{"command": "/old/footlight verify --hook cursor"}]}}')
  const { status, stdout } = run('cursor', '--verify', '--', '--output-dir', 'out put')
  expect([status, stdout.startsWith('Updated: hook stop')]).toEqual([0, true])
  expect(JSON.parse(read(path)).hooks.stop).toEqual([
    { command: `${binary} verify --hook cursor --output-dir 'out put'`, timeout: 5, loop_limit: 1 },
  ])
})

test('clients without such a hook say so, and which have one', () => {
  for (const client of ['opencode', 'zed', 'windsurf', 'vscode', 'claude-desktop'])
    expect(run(client, '--verify')).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringMatching(
        /has no hook for an agent that is about to stop\. These have one: claude-code,/,
      ),
    })
})

const format = hookFormatOf(1)
const at = { key: 'hooks', name: 'stop' }
const fields = { command: 'footlight verify --hook cursor' }

test.each([
  [
    '',
    '{\n  "version": 1,\n  "hooks": {\n    "stop": [\n      {\n        "command": "footlight verify --hook cursor"\n      }\n    ]\n  }\n}\n',
  ],
  ['{}', undefined],
  ['{"hooks": {}}', undefined],
  ['{"hooks": {"stop": []}}', undefined],
  ['{\r\n\t"hooks": {\r\n\t\t"stop": [\r\n\t\t\t{ "command": "a" }\r\n\t\t]\r\n\t}\r\n}\r\n', undefined],
  ['{"version": 1, "hooks": {"stop": [{"command": "a"}, {"command": "b"}], "x": []}}', undefined],
])('the hook in %j', (before, after) => {
  const put = format.put(before, at, fields)
  if (!put.ok) throw new Error(put.error)
  if (after !== undefined) expect(put.value).toBe(after)
  const data = parse(before || '{}')
  expect(parse(put.value)).toEqual({
    version: 1,
    ...data,
    hooks: { ...data.hooks, stop: [...(data.hooks?.stop ?? []), fields] },
  })
  expect(put.value.includes('\r\n')).toBe(before.includes('\r\n'))
  expect(format.put(put.value, at, fields)).toEqual(put)
  const drop = format.drop(put.value, at)
  if (!drop.ok) throw new Error(drop.error)
  expect(parse(drop.value).hooks?.stop ?? []).toEqual(data.hooks?.stop ?? [])
})

test.each([
  ['{"hooks": []}', 'has an array as hooks'],
  ['{"hooks": {"stop": {}}}', 'has something other than a list as hooks.stop'],
  ['{"hooks": ', 'is not valid JSON at line 1, column 11'],
])('%s is left alone', (text, words) => {
  for (const result of [format.entry(text, at), format.put(text, at, fields), format.drop(text, at)])
    expect(result).toMatchObject({ ok: false, error: expect.stringContaining(words) })
})

test('a list entry with another command beside ours is not ours', () => {
  const text = '{"hooks":{"stop":[{"hooks":[{"command":"x verify --hook cursor"},{"command":"y"}]}]}}'
  expect(format.drop(text, at)).toMatchObject({ ok: true, value: text })
})
