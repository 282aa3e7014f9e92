// `footlight setup` as a program, with a home of its own.

import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import process from 'node:process'
import type { ClientName } from '../../../src/features/lib/client-programs.ts'
import { clientNames, clientOf, fileOf, skillFileOf } from '../../../src/features/setup/clients.ts'
import { SKILL } from '../../../src/features/setup/skill-text.ts'
import { binary } from '../../support/client.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'fl-setup-'))
  mkdirSync(join(home, 'project'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const source = resolve(import.meta.dir, '../../../src/main.ts')

function run(words: readonly string[], command: readonly string[] = [binary], PATH = process.env['PATH']) {
  const [program = '', ...before] = command
  const env = {
    PATH,
    HOME: home,
    CODEX_HOME: '',
    XDG_CONFIG_HOME: '',
    CLAUDE_CONFIG_DIR: '',
  }
  const options = { cwd: join(home, 'project'), env, encoding: 'utf8', timeout: 120_000 } as const
  const { status, stdout, stderr } = spawnSync(program, [...before, 'setup', ...words], options)
  return { status, stdout, stderr }
}

const around = () => ({ platform: process.platform, env: {}, home, cwd: join(home, 'project') })
const pathOf = (client: ClientName) => fileOf(client, 'user', around()) ?? ''
const read = (path: string) => readFileSync(path, 'utf8')
function given(client: ClientName, text: string): string {
  const path = pathOf(client)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return path
}

test.each(clientNames)('%s: printed, written, written again, removed', (client) => {
  const path = pathOf(client)
  const shown = run([client])
  expect(shown).toMatchObject({ status: 0, stderr: '' })
  expect(shown.stdout).toContain(path)
  expect(run([client, '--remove'])).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('Nothing to remove'),
  })

  expect(run([client, '--write'])).toMatchObject({ status: 0, stdout: expect.stringContaining(path) })
  const text = read(path)
  expect(text).toContain('--headless')
  const at = statSync(path).mtimeMs
  expect(run([client, '--write']).stdout).toContain('already set up')
  expect([read(path), statSync(path).mtimeMs]).toEqual([text, at])

  expect(run([client, '--remove'])).toMatchObject({ status: 0 })
  expect(readdirSync(dirname(path)).filter((name) => !/\.bak-|^project$/.test(name))).toEqual([])
})

test('a file of the user is kept but for the entry, copied before, and what it was after --remove', () => {
  const before = '{\r\n  // mine\r\n  "mcpServers": { "a": { "command": "a" } },\r\n}'
  const path = given('cursor', before)
  chmodSync(path, 0o640)
  const { stdout } = run(['cursor', '--write', '--', '--browser', 'firefox'])
  expect(stdout).toStartWith(`Wrote: "footlight" in ${path}.`)
  const backup = /Backup of the previous file: (.+)/.exec(stdout)?.[1] ?? ''
  expect(read(backup)).toBe(before)
  expect(read(path)).toContain('"--browser","firefox"')
  expect(read(path)).toContain('// mine')
  expect(statSync(path).mode & 0o777).toBe(0o640)
  expect(run(['cursor', '--remove']).status).toBe(0)
  expect(read(path)).toBe(before)
  run(['cursor', '--write'])
  expect(run(['cursor', '--write', '--', '--warm', '2']).stdout).toStartWith('Updated: "footlight"')
})

const clientsWithSkills = clientNames.filter((client) => clientOf(client).skills)

describe.each(clientsWithSkills)('the skill of %s', (client) => {
  const skillOf = (scope: 'user' | 'project') => skillFileOf(client, scope, around()) ?? ''

  test.each(['user', 'project'] as const)('for the %s: written, written again, removed', (scope) => {
    const path = skillOf(scope)
    const setUp = (...words: string[]) => run([client, '--skill', '--scope', scope, ...words])
    expect(setUp('--dry-run')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('+name: footlight'),
    })
    expect(setUp()).toEqual({ status: 0, stdout: `Wrote the skill: ${path}\n`, stderr: '' })
    expect(read(path)).toBe(SKILL)
    expect(setUp().stdout).toContain(`already has the skill: ${path}`)
    expect(setUp('--remove')).toEqual({ status: 0, stdout: `Removed the skill: ${path}\n`, stderr: '' })
    expect(readdirSync(dirname(dirname(path)))).toEqual([])
    expect(setUp('--remove').stdout).toBe(`Nothing to remove: there is no ${path}.\n`)
  })

  test('with --write beside the server; --remove removes both', () => {
    expect(run([client]).stdout).toContain(`footlight setup ${client} --skill installs a skill`)
    const { stdout } = run([client, '--skill', '--write'])
    expect(stdout).toContain(pathOf(client))
    expect(stdout).toContain(skillOf('user'))
    const removal = run([client, '--remove'])
    expect(removal.stdout).toContain(`from ${pathOf(client)}`)
    expect(removal.stdout).toContain(`Removed the skill: ${skillOf('user')}`)
  })
})

test('another skill of that name stays, an older one is copied; a client without skills says so', () => {
  const path = skillFileOf('cursor', 'user', around()) ?? ''
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, '---\nname: mine\n---\n')
  for (const words of [[], ['--remove']])
    expect(run(['cursor', '--skill', ...words])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(`${path} is another skill. Move it away`),
    })
  writeFileSync(path, '---\nname: footlight\n---\nOld.\n')
  expect(run(['cursor', '--skill']).stdout).toContain('Backup of the previous file: ')
  expect(read(path)).toBe(SKILL)
  expect(backupsOf(path).map((name) => read(join(dirname(path), name)))).toEqual([
    '---\nname: footlight\n---\nOld.\n',
  ])
  expect(run(['claude-desktop', '--skill'])).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('Claude Desktop reads no skills from a folder'),
  })
})

const backupsOf = (path: string) =>
  readdirSync(dirname(path))
    .filter((name) => name.startsWith(`${basename(path)}.bak-`))
    .sort()

describe.each([
  ['cursor', '{ "mcpServers": { "a": { "command": "a" } } } // mine\n'],
  ['codex', '# mine\nmodel = "x"\n'],
] as const)('the backups of %s', (client, before) => {
  test('are one, of the original, however often the entry is changed, removed and put in again', () => {
    const path = given(client, before)
    for (const words of [['--write'], ['--write', '--', '--warm', '2'], ['--write', '--', '--warm', '3']])
      expect(run([client, ...words]).stdout).toMatch(/Backup of the (previous|original) file: /)
    expect(run([client, '--remove'])).toMatchObject({ status: 0 })
    expect(read(path).trimEnd()).toBe(before.trimEnd())
    const { stdout } = run([client, '--write'])
    const [backup = ''] = backupsOf(path)
    expect(backupsOf(path)).toHaveLength(1)
    expect(read(join(dirname(path), backup))).toBe(before)
    expect(stdout).toContain(`Backup of the original file: ${join(dirname(path), backup)}`)
  })
  test('are more where the user has changed the file between two runs', () => {
    const path = given(client, before)
    run([client, '--write'])
    const changed = read(path).replace('mine', 'changed by me')
    writeFileSync(path, changed)
    run([client, '--write', '--', '--warm', '2'])
    expect(backupsOf(path).map((name) => read(join(dirname(path), name)))).toEqual([before, changed])
  })
  test('are none of a file that setup itself has made, which goes with the entry', () => {
    const path = pathOf(client)
    run([client, '--write'])
    run([client, '--write', '--', '--warm', '2'])
    expect(run([client, '--remove']).status).toBe(0)
    expect(readdirSync(dirname(path)).filter((name) => name !== 'project')).toEqual([])
  })
})

test('--dry-run prints the difference and writes nothing', () => {
  const path = given('gemini', '{\n  "theme": "dark"\n}\n')
  const { status, stdout } = run(['gemini', '--dry-run', '--name', 'stage'])
  expect(status).toBe(0)
  expect(stdout).toStartWith(`--- ${path}\n`)
  expect(stdout).toContain('+    "stage": {')
  expect(stdout).toContain('-  "theme": "dark"\n+  "theme": "dark",')
  expect(read(path)).toBe('{\n  "theme": "dark"\n}\n')
  expect(readdirSync(dirname(path))).toEqual(['settings.json'])
})

test.skipIf(Bun.which('script') === null)('sentences fit the terminal, lines to copy stay whole', () => {
  const line = `stty cols 60; '${binary}' setup claude-code`
  const env = { PATH: process.env['PATH'], HOME: home }
  const { stdout } = spawnSync('script', ['-qec', line, '/dev/null'], { env, encoding: 'utf8' })
  expect(stdout).toContain('adds it and keeps the\r\nrest of the file.')
  expect(stdout).toMatch(/claude mcp add --scope user footlight -- .* --session-timeout 1800000\r\n/)
})

test('--scope project writes beside the project', () => {
  // Its path here is not that on the machine of another.
  expect(run(['vscode', '--write', '--scope', 'project'])).toMatchObject({
    status: 0,
    stderr: expect.stringContaining('the path of this executable on this machine'),
  })
  expect(JSON.parse(read(join(home, 'project/.vscode/mcp.json')))).toEqual({
    servers: {
      footlight: { type: 'stdio', command: binary, args: ['--headless', '--session-timeout', '1800000'] },
    },
  })
})

describe('an executable that PATH finds', () => {
  const folders = (...names: string[]) => names.map((name) => join(home, name)).join(':')
  const place = (folder: string, target: string) => {
    mkdirSync(join(home, folder), { recursive: true })
    symlinkSync(target, join(home, folder, 'footlight'))
  }
  const commandIn = (client: ClientName) => {
    const { mcpServers, mcp } = JSON.parse(read(pathOf(client)))
    return mcpServers?.footlight.command ?? mcp.footlight.command[0]
  }

  test('is named as PATH names it: by its name, for desktop programs by the path that is not resolved', () => {
    place('bin', binary)
    for (const client of ['claude-code', 'gemini', 'opencode'] as const) {
      expect(run([client, '--write'], [binary], folders('empty', 'bin')).status).toBe(0)
      expect([client, commandIn(client)]).toEqual([client, 'footlight'])
    }
    expect(run(['codex', '--write'], [binary], folders('bin')).status).toBe(0)
    expect(read(pathOf('codex'))).toContain('command = "footlight"')
    for (const client of ['claude-desktop', 'cursor', 'windsurf'] as const) {
      expect(run([client, '--write'], [binary], folders('bin')).status).toBe(0)
      expect([client, commandIn(client)]).toEqual([client, join(home, 'bin/footlight')])
    }
    expect(run(['cursor', '--write', '--scope', 'project'], [binary], folders('bin')).status).toBe(0)
    const project = JSON.parse(read(join(home, 'project/.cursor/mcp.json')))
    expect(project.mcpServers.footlight.command).toBe('footlight')
  })

  test('is named by its path where PATH finds another one, none, or one of a package manager', () => {
    writeFileSync(join(home, 'other'), '#!/bin/sh\n', { mode: 0o755 })
    place('first', join(home, 'other'))
    place('second', binary)
    place('x/node_modules/.bin', binary)
    for (const PATH of [folders('first', 'second'), '', folders('x/node_modules/.bin')]) {
      expect(run(['gemini', '--write'], [binary], PATH).status).toBe(0)
      expect([PATH, commandIn('gemini')]).toEqual([PATH, binary])
    }
  })
})

test.each([
  ['the npm package', ['node', resolve(import.meta.dir, '../../../dist/npm/footlight.mjs')]],
  ['deno', [resolve(import.meta.dir, '../../../node_modules/.bin/deno'), 'run', '-A', source]],
])('%s does the same', (_, command) => {
  for (const client of ['cursor', 'codex'] as const) {
    const before = client === 'cursor' ? '{ /* a */ }\n' : '# a\n'
    const path = given(client, before)
    expect(run([client, '--write'], command)).toMatchObject({ status: 0, stderr: '' })
    expect(read(path)).toContain('npx')
    expect(run([client, '--remove'], command)).toMatchObject({ status: 0 })
    expect(read(path)).toBe(before)
  }
})

describe('files that stay as they are', () => {
  const untouched = (client: ClientName, words: string) => {
    const before = readdirSync(dirname(pathOf(client)))
    expect(run([client, '--write'])).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringContaining(words),
    })
    expect(readdirSync(dirname(pathOf(client)))).toEqual(before)
  }
  test('one that cannot be parsed, with the place', () => {
    const path = given('zed', '{\n  "a": tru\n}')
    untouched('zed', `${path} is not valid JSON at line 2, column 8`)
    expect(read(path)).toBe('{\n  "a": tru\n}')
  })
  test('a read-only one', () => {
    chmodSync(given('cursor', '{}'), 0o444)
    untouched('cursor', 'mcp.json is read-only. Make it writable')
  })
  test('one in a read-only folder', () => {
    const folder = dirname(given('cursor', '{}'))
    chmodSync(folder, 0o555)
    untouched('cursor', `${folder} is read-only`)
    chmodSync(folder, 0o755)
  })
  test('a folder', () => {
    mkdirSync(pathOf('cursor'), { recursive: true })
    untouched('cursor', 'is not a file')
  })
  test('a link to nothing', () => {
    mkdirSync(dirname(pathOf('cursor')))
    symlinkSync('gone.json', pathOf('cursor'))
    untouched('cursor', 'is a broken symbolic link')
  })
})

test('a link stays a link, and the file behind it is changed', () => {
  const path = pathOf('cursor')
  mkdirSync(dirname(path))
  writeFileSync(join(home, 'dotfiles.json'), '{}')
  symlinkSync(join(home, 'dotfiles.json'), path)
  expect(run(['cursor', '--write']).status).toBe(0)
  expect(lstatSync(path).isSymbolicLink()).toBe(true)
  expect(read(join(home, 'dotfiles.json'))).toContain('footlight')
})

test('bad use is exit 2: a client nobody knows, an option footlight does not have', () => {
  expect(run(['claude'])).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('claude-code or claude-desktop'),
  })
  expect(run(['cursor', '--write', '--', '--browsr', 'x'])).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('Did you mean --browser?'),
  })
  expect(readdirSync(home)).not.toContain('.cursor')
})
