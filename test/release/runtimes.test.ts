// One source, three runtimes: the executable alone in an empty folder, Deno on the sources, Node on the npm package.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { defaultTools } from '../../src/core/cli/tools/catalogue.ts'
import { binary, connect, type Start } from '../support/client.ts'
import { page, serveSite, type Site } from '../support/site.ts'

const root = resolve(import.meta.dir, '../..')
let site: Site
let empty: string
let output: string

beforeAll(async () => {
  site = await serveSite({
    '/': page('<button onclick="this.textContent=\'done\'">Go</button><input aria-label="Name">', 'Same'),
  })
  empty = mkdtempSync(join(tmpdir(), 'fl-empty-'))
  copyFileSync(binary, join(empty, 'footlight'))
  output = mkdtempSync(join(tmpdir(), 'fl-output-'))
})
afterAll(() => {
  site.close()
  for (const folder of [empty, output]) rmSync(folder, { recursive: true, force: true })
})

// As root on Linux the checkout's packages can really be gone: a mount namespace of its own hides them.
const canHide = spawnSync('unshare', ['-m', 'true']).status === 0
const hidden = [
  'unshare',
  '-m',
  'sh',
  '-c',
  `mount -t tmpfs none ${root}/node_modules && exec "$@"`,
  'sh',
] as const

const starts: Record<string, () => Start> = {
  'the executable in an empty folder': () => {
    const alone = join(empty, 'footlight')
    // The picture of a failure goes elsewhere, so that the folder stays empty.
    const env = { FOOTLIGHT_OUTPUT_DIR: output }
    return { command: canHide ? [hidden[0], ...hidden.slice(1), alone] : [alone], cwd: empty, env }
  },
  'deno run -A src/main.ts': () => ({
    command: [join(root, 'node_modules/.bin/deno'), 'run', '-A', join(root, 'src/main.ts')],
  }),
  'node with the npm package': () => ({ command: ['node', join(root, 'dist/npm/footlight.mjs')] }),
}

describe.each(Object.entries(starts))('%s', (_, start) => {
  test('answers the same calls', async () => {
    const peer = await connect(start())
    const sessionId = await peer.session({ name: 'same' })
    const call = async (tool: string, input: Record<string, unknown> = {}) =>
      (await peer.call(tool, { sessionId, ...input })).data
    expect(await call('navigate', { url: site.url })).toEqual({
      success: true,
      title: 'Same',
      url: `${site.url}/`,
      status: 200,
    })
    const { snapshot } = await call('snapshot')
    const ref = /button "Go" \[(\w+)\]/.exec(snapshot)?.[1]
    expect(await call('click', { ref })).toMatchObject({ success: true })
    expect(await call('type', { selector: 'input', text: 'Ada' })).toMatchObject({ success: true })
    expect(
      await call('evaluate', {
        script: '[document.querySelector("button").textContent, document.querySelector("input").value]',
      }),
    ).toEqual({ result: ['done', 'Ada'] })
    expect(await call('wait_for', { text: 'done' })).toMatchObject({ success: true })
    expect(await call('exists', { selector: 'button' })).toEqual({ exists: true, count: 1 })
    expect(await call('screenshot')).toEqual({ width: 1280, height: 720 })
    expect(await call('click', { selector: '#none', timeout: 100 })).toMatchObject({
      errorCode: 'ELEMENT_NOT_FOUND',
      sessionId,
    })
    expect(await call('get_session_status')).toMatchObject({ page: { title: 'Same' } })
    expect((await peer.client.listTools()).tools).toHaveLength(defaultTools.length)
    expect(await call('close_session')).toMatchObject({ success: true })
    await peer.close()
  }, 300_000)
})

test('the executable has no path of the checkout that built it', () => {
  expect(readFileSync(binary).includes(Buffer.from(root))).toBe(false)
})

describe('Playwright is not loaded', () => {
  const source = [
    process.execPath,
    '--preload',
    join(root, 'test/support/no-playwright.ts'),
    join(root, 'src/main.ts'),
  ] as const
  test.each([
    [['--version']],
    [['version']],
    [['--help']],
    [['tools']],
    [['tools', '--json']],
    [['tools', '--markdown']],
  ])('by %p', (args) => {
    const [program, ...before] = source
    const ran = spawnSync(program, [...before, ...args], { cwd: empty, encoding: 'utf8' })
    expect([ran.status, ran.stderr]).toEqual([0, ''])
    expect(ran.stdout.length).toBeGreaterThan(4)
    expect(readdirSync(empty)).toEqual(['footlight'])
  })
})

test.each([
  [['--sesion-timeout', '1'], 'Did you mean --session-timeout?'],
  [['dmeo'], 'Did you mean "demo"?'],
  [['--browser=opera'], '--browser: expected one of'],
  [['demo', 'extra'], 'unexpected argument "extra"'],
  [['--tools', 'clik'], 'Did you mean click?'],
])('%p exits with 2 and says what to do', (args, words) => {
  const ran = spawnSync(binary, args, { encoding: 'utf8' })
  expect([ran.status, ran.stdout]).toEqual([2, ''])
  expect(ran.stderr).toContain(words)
})

test('neither .env nor bunfig.toml of the folder it runs in is read', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fl-env-'))
  await Bun.write(join(folder, '.env'), 'FOOTLIGHT_BROWSER=opera\n')
  await Bun.write(join(folder, 'bunfig.toml'), 'preload = ["./gone.ts"]\n')
  const ran = spawnSync(binary, ['--headless'], { cwd: folder, input: '', encoding: 'utf8' })
  rmSync(folder, { recursive: true, force: true })
  expect([ran.status, ran.stderr]).toEqual([0, ''])
})

test('the demo runs a whole session, fails once on purpose, and leaves a picture', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fl-demo-'))
  const ran = spawnSync(binary, ['demo'], { cwd: folder, encoding: 'utf8' })
  expect(ran.status).toBe(0)
  expect(ran.stdout).toContain('✗ click {"selector":"#send"')
  expect(ran.stdout).toContain('covered by another element: <div id="notice">')
  expect(readFileSync(join(folder, '.footlight/demo/demo.png')).subarray(1, 4).toString()).toBe('PNG')
  rmSync(folder, { recursive: true, force: true })
})
