// Virtual passkeys: pages register and use them, states keep them, saved tests have them, and nothing shows their private keys.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type Peer } from '../../support/client.ts'
import { bothBrowsers } from '../../support/engines.ts'
import { type KnownPasskeys, passkeyRoutes } from '../../support/passkey-site.ts'
import { serveSite, type Site } from '../../support/site.ts'
import { createTestProject, type TestProject } from '../../support/test-project.ts'

const known: KnownPasskeys = new Map()
const stateHome = mkdtempSync(join(tmpdir(), 'fl-passkeys-'))
let site: Site
let url: string
beforeAll(async () => {
  site = await serveSite(passkeyRoutes(known))
  url = site.url.replace('127.0.0.1', 'localhost')
})
afterAll(() => {
  site.close()
  rmSync(stateHome, { recursive: true, force: true })
})

const REGISTER = { selector: '#register' }
const LOGIN = { selector: '#login' }
const REGISTERED = { text: 'Registered' }
const WELCOME = { text: 'Welcome ada' }
/** How a private key of this kind begins in base64 and base64url, whatever it is. */
const PRIVATE_KEY = 'MIGHAgEAMBMGByqGSM49'

interface Agent {
  readonly peer: Peer
  /** All answers. */
  readonly answers: string[]
  act(tool: string, input?: Record<string, unknown>): Promise<any>
}

async function start(browser: string, folder?: string): Promise<Agent> {
  const args = ['--headless', '--browser', browser, '--tools', '+trace', '--reveal']
  const env = { XDG_STATE_HOME: stateHome }
  const peer = await connect({ args, env, ...(folder !== undefined && { cwd: folder }) })
  const answers: string[] = []
  return {
    peer,
    answers,
    async act(tool, input) {
      const { failed, data, result } = await peer.call(tool, input)
      answers.push(JSON.stringify(result))
      if (failed) throw new Error(`${tool}: ${JSON.stringify(data)}`)
      return data
    },
  }
}

async function logIn(act: Agent['act']): Promise<void> {
  await act('navigate', { url })
  await act('click', LOGIN)
  await act('wait_for', WELCOME)
}

describe.each([...bothBrowsers])('%s', (browser) => {
  test('a page registers and uses one; it is listed, saved, loaded and removed, and its private key is shown nowhere', async () => {
    const project = createTestProject({})
    const { peer, act, answers } = await start(browser, project.folder)
    const { sessionId } = await act('create_session', { restore: `kept-${browser}`, report: 'on' })
    await act('trace', { action: 'start' })
    await act('storage_state', { action: 'set', kind: 'passkey' })
    await act('navigate', { url })
    await act('click', REGISTER)
    await act('wait_for', REGISTERED)
    await logIn(act)
    const { state } = await act('storage_state', { action: 'read', kind: 'passkey' })
    expect(state.passkeys).toEqual([
      {
        id: expect.any(String),
        rpId: 'localhost',
        userHandle: 'AQID',
        publicKey: expect.any(String),
        signCount: 1,
      },
    ])
    await act('storage_state', { action: 'save' })
    const { path } = await act('storage_state', { action: 'save', path: 'state.json' })
    expect(readFileSync(path, 'utf8')).toContain(PRIVATE_KEY)
    expect(statSync(path).mode & 0o077).toBe(0)
    const [{ id }] = state.passkeys
    expect((await act('storage_state', { action: 'clear', kind: 'passkey', name: id })).cleared).toBe(1)
    await act('click', LOGIN)
    await act('wait_for', { text: 'Failed: NotAllowedError' })
    await act('storage_state', { action: 'load', path: 'state.json' })
    await logIn(act)
    await act('timeline', {})
    const trace = await act('trace', { action: 'stop' })
    const unzipped = Bun.spawnSync(['unzip', '-p', trace.path]).stdout.toString()
    expect(unzipped).toContain('Log in with a passkey')
    expect(unzipped).not.toContain(PRIVATE_KEY)
    const { message } = await act('close_session', { sessionId })
    expect(message).toContain('is saved')
    await peer.close()
    const next = await start(browser)
    await next.act('create_session', { restore: `kept-${browser}` })
    await logIn(next.act)
    await next.peer.close()
    for (const answer of [...answers, ...next.answers]) expect(answer).not.toContain(PRIVATE_KEY)
    for (const name of project.files().filter((file) => /report\.(html|md)$/.test(file)))
      expect(readFileSync(join(project.folder, name), 'utf8')).not.toContain(PRIVATE_KEY)
    project.remove()
  }, 300_000)
})

describe('a saved test', () => {
  let project: TestProject
  let agent: Agent
  beforeAll(async () => {
    project = createTestProject({
      'playwright.config.ts': `export default { use: { launchOptions: { executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] } } }`,
    })
    agent = await start('chromium', project.folder)
  }, 120_000)
  afterAll(async () => {
    await agent.peer.close()
    project.remove()
  })
  const read = (path: string) => readFileSync(join(project.folder, path), 'utf8')

  test('registers a passkey as the session did', async () => {
    const { act } = agent
    const { sessionId } = await act('create_session', {})
    await act('storage_state', { action: 'set', kind: 'passkey' })
    await act('navigate', { url })
    await act('click', REGISTER)
    await act('wait_for', REGISTERED)
    await act('click', LOGIN)
    await act('wait_for', WELCOME)
    const { run } = await act('save_test', { path: 'tests/register.spec.ts' })
    expect(run).toBe('1 passed')
    expect(read('tests/register.spec.ts')).toContain('await context.credentials.install();')
    await act('close_session', { sessionId })
  }, 300_000)

  test('begins with the passkey that the session created or restored, which the site knows, and passes every time', async () => {
    const { act, answers } = agent
    const first = await act('create_session', { restore: 'test' })
    const { state } = await act('storage_state', { action: 'set', kind: 'passkey', name: 'localhost' })
    const [{ id, publicKey }] = state.passkeys
    known.set(id, { publicKey, counter: 0 })
    await logIn(act)
    expect((await act('save_test', { path: 'tests/created.spec.ts' })).run).toBe('1 passed')
    await act('close_session', { sessionId: first.sessionId })
    await act('create_session', { restore: 'test' })
    await logIn(act)
    expect((await act('save_test', { path: 'tests/restored.spec.ts' })).run).toBe('1 passed')
    for (const name of ['created', 'restored']) {
      expect(read(`tests/${name}.spec.ts`)).not.toContain(PRIVATE_KEY)
      expect(read(`playwright/.auth/${name}.json`)).toContain(PRIVATE_KEY)
      expect(statSync(join(project.folder, `playwright/.auth/${name}.json`)).mode & 0o077).toBe(0)
    }
    for (const answer of answers) expect(answer).not.toContain(PRIVATE_KEY)
    expect(await act('run_test', { path: 'tests' })).toMatchObject({ passed: 3 })
  }, 300_000)
})

test('what does not fit passkeys is refused', async () => {
  const { peer } = await start('chromium')
  await peer.session()
  for (const [field, input] of [
    ['kind', { action: 'save' }],
    ['kind', { action: 'load', path: 'state.json' }],
    ['value', { action: 'set', value: 'x' }],
    ['path', { action: 'read', path: 'x.json' }],
  ] as const) {
    const { data } = await peer.call('storage_state', { kind: 'passkey', ...input })
    expect([data.errorCode, data.details?.field]).toEqual(['INVALID_PARAMETERS', field])
  }
  const credentials = [{ id: 'a', rpId: 'localhost', privateKey: 7 }]
  const { data } = await peer.call('create_session', {
    storageState: { cookies: [], origins: [], credentials },
  })
  expect(data).toMatchObject({
    errorCode: 'INVALID_PARAMETERS',
    message: expect.stringContaining('credentials'),
  })
  await peer.close()
}, 120_000)
