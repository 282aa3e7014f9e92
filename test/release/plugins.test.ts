// The plugin, installed by the clients themselves from a copy of its files: each lists the server and the skill. Cursor has no program of
// its own on npm; its manifest is only compared with the others, by test/docs.test.ts.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { pluginFiles } from '../../scripts/docs/plugin-files.ts'
import { binary } from '../support/client.ts'
import { type Fetched, install } from '../support/npm.ts'
import { root, type Scratch, scratch } from './support.ts'

const versions = {
  '@anthropic-ai/claude-code': '2.1.330',
  '@google/gemini-cli': '0.61.0',
  '@openai/codex': '0.169.0',
  '@github/copilot': '1.0.102',
}

let ground: Scratch
let clients: Fetched
let plugin: string

beforeAll(() => {
  ground = scratch()
  plugin = join(ground.folder, 'plugin')
  mkdirSync(join(ground.folder, 'home'))
  for (const path of Object.keys(pluginFiles)) {
    mkdirSync(dirname(join(plugin, path)), { recursive: true })
    cpSync(join(root, path), join(plugin, path))
  }
  clients = install(...Object.entries(versions).map(([name, version]) => `${name}@${version}`))
}, 300_000)
afterAll(() => {
  ground.remove()
  clients.remove()
})

/** What a client prints; it is given a home of its own. */
function run(client: string, ...args: readonly string[]): string {
  const home = join(ground.folder, 'home')
  const { stdout, stderr } = spawnSync(join(clients.folder, 'node_modules/.bin', client), args, {
    cwd: home,
    encoding: 'utf8',
    timeout: 60_000,
    input: 'y\ny\n',
    env: { PATH: process.env['PATH'], HOME: home, NO_COLOR: '1', CI: '1' },
  })
  return `${stdout}${stderr}`
}

const server = 'npx -y footlight --headless --session-timeout 1800000'

test('Claude Code', () => {
  expect(run('claude', 'plugin', 'validate', plugin)).toContain('Validation passed')
  expect(run('claude', 'plugin', 'validate', join(plugin, '.claude-plugin/plugin.json'))).toContain(
    'Validation passed',
  )
  run('claude', 'plugin', 'marketplace', 'add', plugin)
  expect(run('claude', 'plugin', 'install', 'footlight@footlight')).toContain('Successfully installed')
  expect(run('claude', 'plugin', 'details', 'footlight')).toContain('Skills (1)  footlight')
  expect(run('claude', 'mcp', 'list')).toContain(`plugin:footlight:footlight: ${server}`)
}, 240_000)

test('Codex', () => {
  run('codex', 'plugin', 'marketplace', 'add', plugin)
  expect(run('codex', 'plugin', 'add', 'footlight@footlight')).toContain('Added plugin `footlight`')
  expect(run('codex', 'mcp', 'list').replace(/ +/g, ' ')).toContain(`footlight ${server}`)
}, 240_000)

test('Copilot CLI', () => {
  run('copilot', 'plugin', 'marketplace', 'add', plugin)
  expect(run('copilot', 'plugin', 'install', 'footlight@footlight')).toContain('Installed 1 skill')
  expect(run('copilot', 'mcp', 'list')).toContain('footlight (local)')
}, 240_000)

test('Gemini CLI', () => {
  expect(run('gemini', 'extensions', 'validate', plugin)).toContain('successfully validated')
  run('gemini', 'extensions', 'install', '--consent', '--skip-settings', plugin)
  const list = run('gemini', 'extensions', 'list')
  expect(list).toMatch(/MCP servers:\s+footlight\n/)
  expect(list).toMatch(/Agent skills:\s+footlight: /)
}, 240_000)

test('the skill in the repository is what the executable prints', () => {
  const { stdout } = spawnSync(binary, ['skill'], { encoding: 'utf8' })
  expect(readFileSync(join(root, 'skills/footlight/SKILL.md'), 'utf8')).toBe(stdout)
})
