// Files, commands, rates, memory, tabs: what an agent may not do, and what it is told.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type Peer } from '../support/client.ts'
import { page, serveSite, type Site } from '../support/site.ts'

let outside: string
let folder: string
let site: Site

beforeAll(async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'fl-limits-')))
  folder = join(root, 'work')
  outside = join(root, 'work-twin')
  mkdirSync(folder)
  mkdirSync(outside)
  writeFileSync(join(outside, 'secret.json'), '{"cookies":[],"origins":[]}')
  writeFileSync(join(folder, 'mine.json'), '{"cookies":[],"origins":[]}')
  symlinkSync(join(outside, 'secret.json'), join(folder, 'link.json'))
  symlinkSync(outside, join(folder, 'away'))
  site = await serveSite({
    '/': page(
      '<input type="file" id="f"><button onclick="for (let i = 0; i < 30; i++) open(\'about:blank\')">Many</button>',
    ),
  })
})
afterAll(() => {
  site.close()
  rmSync(join(folder, '..'), { recursive: true, force: true })
})

describe('paths', () => {
  let peer: Peer
  let sessionId: string
  beforeAll(async () => {
    peer = await connect({ cwd: folder })
    sessionId = await peer.session()
    await peer.call('navigate', { sessionId, url: site.url })
  })
  afterAll(() => peer.close())

  const bad = () => [
    '../work-twin/secret.json',
    join(outside, 'secret.json'),
    'link.json',
    'away/secret.json',
    'away/../../work-twin/secret.json',
    '/etc/passwd',
    '/dev/zero',
    '/proc/self/environ',
    'mine.json\0.txt',
    './././../work-twin/secret.json',
  ]
  test('row 62: what lies outside is neither read', async () => {
    for (const path of bad()) {
      const uploaded = await peer.call('upload_file', { sessionId, selector: '#f', paths: [path] })
      expect([path, uploaded.data.errorCode]).toEqual([
        path,
        expect.stringMatching(/^(ACCESS_DENIED|INVALID_PARAMETERS)$/),
      ])
      const loaded = await peer.call('storage_state', { sessionId, action: 'load', path })
      expect([path, loaded.failed]).toEqual([path, true])
    }
    expect((await peer.call('upload_file', { sessionId, selector: '#f', paths: ['mine.json'] })).failed).toBe(
      false,
    )
  })
  test('row 62: nor written', async () => {
    for (const path of [
      '../work-twin/new.json',
      join(outside, 'new.json'),
      'away/new.json',
      '/tmp/fl-limits-new.json',
      'new\0.json',
      'mine.json',
      'link.json',
      '/dev/null',
    ]) {
      const saved = await peer.call('storage_state', { sessionId, action: 'save', path })
      expect([path, saved.failed]).toEqual([path, true])
    }
    for (const path of [join(outside, 'new.json'), '/tmp/fl-limits-new.json'])
      expect(existsSync(path)).toBe(false)
    expect((await peer.call('storage_state', { sessionId, action: 'save', path: 'new.json' })).failed).toBe(
      false,
    )
  })
})

test('commands: only those that are named, by their real path', async () => {
  const node = realpathSync(Bun.which('node') ?? '')
  symlinkSync('/bin/sh', join(folder, 'node'))
  const peer = await connect({ args: ['--headless', '--server-command', node], cwd: folder })
  const server = "require('http').createServer((q, r) => r.end('x')).listen(process.env.PORT, '127.0.0.1')"
  const refused = async (input: Record<string, unknown>) =>
    (await peer.call('create_session', input)).data.errorCode
  expect(await refused({ command: 'node server.js' })).toBe('COMMAND_NOT_ALLOWED')
  expect(await refused({ command: ['/bin/sh', '-c', 'true'] })).toBe('COMMAND_NOT_ALLOWED')
  expect(await refused({ command: ['./node', '-c', 'true'] })).toBe('COMMAND_NOT_ALLOWED')
  expect(await refused({ commandPath: '/bin/true' })).toBe('COMMAND_NOT_ALLOWED')
  expect((await peer.call('create_session', { command: [node, '-e', server] })).failed).toBe(false)
  expect((await peer.call('list_sessions')).data.sessions).toHaveLength(1)
  await peer.close()
})

test('rates: a call too many is refused with the time to wait, and counts nothing', async () => {
  const peer = await connect({ args: ['--headless', '--rate-limit', '5', '--session-rate-limit', '2'] })
  const codes: string[] = []
  for (let index = 0; index < 3; index += 1)
    codes.push((await peer.call('create_session')).data.errorCode ?? 'ok')
  expect(codes).toEqual(['ok', 'ok', 'RATE_LIMITED'])
  const calls = []
  for (let index = 0; index < 4; index += 1) calls.push((await peer.call('list_sessions')).data)
  expect(calls.map(({ errorCode }) => errorCode ?? 'ok')).toEqual([
    'ok',
    'ok',
    'RATE_LIMITED',
    'RATE_LIMITED',
  ])
  expect(calls.at(-1).details.retryAfterMs).toBeGreaterThan(1000)
  await peer.close()
})

test('memory: beyond the limit no session is opened, the open ones go on', async () => {
  const peer = await connect({ args: ['--headless', '--memory-limit', '1'] })
  const first = await peer.session()
  let refused: any
  for (let round = 0; round < 200 && !refused?.errorCode; round += 1) {
    refused = (await peer.call('create_session')).data
    if (refused.sessionId) await peer.call('close_session', { sessionId: refused.sessionId })
  }
  expect(refused).toMatchObject({ errorCode: 'RESOURCE_EXHAUSTED', details: { resource: 'memory' } })
  expect((await peer.call('evaluate', { sessionId: first, script: '1' })).data.result).toBe(1)
  await peer.close()
})

test('tabs: a page that opens many windows gets twenty', async () => {
  const peer = await connect()
  const sessionId = await peer.session()
  await peer.call('navigate', { sessionId, url: site.url })
  const clicked = await peer.call('click', { sessionId, selector: 'button' })
  expect(clicked.failed).toBe(false)
  const { tabs } = (await peer.call('tabs', { sessionId })).data
  expect(tabs.length).toBeLessThanOrEqual(20)
  await peer.close()
})

test('a browser that keeps failing to start is not tried again at once', async () => {
  const peer = await connect({ args: ['--headless', '--executable-path', '/bin/false'] })
  const codes = []
  for (let index = 0; index < 5; index += 1) codes.push((await peer.call('create_session')).data)
  expect(codes.at(-1).message).toMatch(
    /failed to start \d+ times in a row.*next attempt is possible in \d+ ms/s,
  )
  await peer.close()
})

test('a dev server sees neither our own variables nor those that control Bun, and has all others', async () => {
  const peer = await connect({
    env: {
      FOOTLIGHT_TOKEN: 'hidden',
      FOOTLIGHT_LOG_LEVEL: 'error',
      BUN_CONFIG_VERBOSE_FETCH: '0',
      MY_OWN: 'kept',
    },
  })
  const script =
    "require('http').createServer((q, r) => { r.setHeader('content-type', 'application/json'); r.end(JSON.stringify(process.env)) }).listen(process.env.PORT, '127.0.0.1')"
  const { data } = await peer.call('create_session', {
    command: ['node', '-e', script],
    env: { GIVEN: 'too' },
  })
  const seen = (await (await fetch(data.url)).json()) as Record<string, string>
  expect(seen).toMatchObject({ MY_OWN: 'kept', GIVEN: 'too', PORT: String(data.port) })
  // The marks by which we find our own processes again are no secrets.
  const ours = Object.keys(seen).filter((name) => /^(FOOTLIGHT_|BUN_)/.test(name))
  expect(ours.filter((name) => !['FOOTLIGHT_RUN', 'FOOTLIGHT_SERVER'].includes(name))).toEqual([])
  await peer.close()
})
