// Ten kinds of login, in the three ways that keep one. Each is made, then Footlight and its browser are started again, twice. The table in
// docs/logins.md has to say what was seen.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type Peer } from '../../support/client.ts'
import { anyBrowser } from '../../support/engines.ts'
import {
  IDLE_LIMIT_MS,
  LOGIN_KINDS,
  type LoginKind,
  type LoginSites,
  PASSWORD,
  serveLoginSites,
  TOTP_URI,
} from '../../support/login-sites.ts'
import { type OwnChrome, startOwnChrome } from '../../support/own-chrome.ts'

const WAYS = ['restore', 'profile', 'attach'] as const
type Way = (typeof WAYS)[number]
/** What a cell begins with. */
type Outcome = 'works' | 'until that Chrome ends' | 'no'

const folder = mkdtempSync(join(tmpdir(), 'fl-login-table-'))
const secretsPath = join(folder, 'secrets.env')
let sites: LoginSites
beforeAll(async () => {
  writeFileSync(secretsPath, `PASSWORD=${PASSWORD}\nCODE=${TOTP_URI}\n`, { mode: 0o600 })
  sites = await serveLoginSites()
})
afterAll(() => {
  sites.close()
  rmSync(folder, { recursive: true, force: true })
})

const startPeer = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Peer> =>
  connect({
    args: ['--headless', '--secrets', secretsPath, ...args],
    cwd: folder,
    env: { XDG_STATE_HOME: folder, ...env },
  })

async function act(peer: Peer, tool: string, input: Record<string, unknown>): Promise<any> {
  const { failed, data } = await peer.call(tool, input)
  if (failed) throw new Error(`${tool}: ${JSON.stringify(data)}`)
  return data
}

const credentialsFor = (kind: LoginKind) => ({
  httpCredentials: { username: 'ada', password: '{{PASSWORD}}', origin: sites.urlOf(kind) },
})

/** What a user does once. */
async function logIn(peer: Peer, kind: LoginKind): Promise<void> {
  if (kind === 'passkey') await act(peer, 'storage_state', { action: 'set', kind: 'passkey' })
  await act(peer, 'navigate', { url: sites.urlOf(kind) })
  if (['form', 'totp', 'oidc', 'idle', 'client-hints'].includes(kind)) {
    await act(peer, 'type', { selector: '[name=user]', text: 'ada' })
    await act(peer, 'type', { selector: '[name=password]', text: '{{PASSWORD}}' })
    if (kind === 'totp') await act(peer, 'type', { selector: '[name=code]', text: '{{CODE}}' })
    await act(peer, 'click', { selector: 'form button' })
  } else if (kind === 'passkey') {
    await act(peer, 'click', { selector: '#register' })
    await act(peer, 'wait_for', { text: 'Registered' })
    await act(peer, 'click', { selector: '#login' })
  } else if (kind !== 'basic') await act(peer, 'click', { selector: '#login' })
  await act(peer, 'wait_for', { text: 'Welcome ada' })
}

/** Whether the site knows its user, as a session finds it that does no more than open the page, or confirm with a passkey. */
async function isKnown(peer: Peer, kind: LoginKind): Promise<boolean> {
  const { data } = await peer.call('navigate', { url: sites.urlOf(kind) })
  // A Chrome that cannot ask its user for the password shows no page.
  if (data.details?.reason === 'ERR_INVALID_AUTH_CREDENTIALS') return false
  if (kind === 'passkey') await act(peer, 'click', { selector: '#login' })
  await act(peer, 'wait_for', { selector: 'h1' })
  const { result } = await act(peer, 'evaluate', { script: "document.querySelector('h1').textContent" })
  return result === 'Welcome ada'
}

async function inSession<T>(peer: Peer, input: Record<string, unknown>, work: () => Promise<T>): Promise<T> {
  const { sessionId } = await act(peer, 'create_session', input)
  const result = await work()
  await act(peer, 'close_session', { sessionId })
  return result
}

/** The sites that know their user in new sessions like this. */
async function visitAll(
  peer: Peer,
  inputOf: (kind: LoginKind) => Record<string, unknown>,
  prepare?: (kind: LoginKind) => Promise<unknown>,
): Promise<ReadonlySet<LoginKind>> {
  const known = new Set<LoginKind>()
  for (const kind of LOGIN_KINDS)
    await inSession(peer, inputOf(kind), async () => {
      await prepare?.(kind)
      if (await isKnown(peer, kind)) known.add(kind)
    })
  return known
}

const outcomesOf = (first: ReadonlySet<LoginKind>, second: ReadonlySet<LoginKind>): Record<string, Outcome> =>
  Object.fromEntries(
    LOGIN_KINDS.map((kind) => [
      kind,
      second.has(kind) ? 'works' : first.has(kind) ? 'until that Chrome ends' : 'no',
    ]),
  )

const CELL = /^(works|until that Chrome ends|no)(?:: \S.*)?$/

/** The cells of the table in the page, by way and kind. */
function readTable(): Readonly<Record<Way, Record<string, string>>> {
  const text = readFileSync(join(import.meta.dir, '../../../docs/logins.md'), 'utf8')
  const [, table = ''] = /<!-- logins: [^\n]*-->\n([^]*?)<!-- \/logins -->/.exec(text) ?? []
  const rows = table
    .trim()
    .split('\n')
    .slice(2)
    .map((line) => line.split('|').map((cell) => cell.trim()))
  expect(rows.map(([, kind]) => kind)).toEqual([...LOGIN_KINDS])
  const columnOf = (index: number) => Object.fromEntries(rows.map((cells) => [cells[1], cells[index] ?? '']))
  return { restore: columnOf(3), profile: columnOf(4), attach: columnOf(5) }
}

function expectTable(way: Way, seen: Readonly<Record<string, Outcome>>): void {
  const cells = Object.entries(readTable()[way])
  expect(Object.fromEntries(cells.map(([kind, cell]) => [kind, CELL.exec(cell)?.[1]]))).toEqual(seen)
}

test('every cell of the table works, or has a reason', () => {
  for (const way of WAYS)
    for (const [kind, cell] of Object.entries(readTable()[way])) {
      expect([kind, way, cell]).toEqual([kind, way, expect.stringMatching(CELL)])
      if (cell !== 'works') expect([kind, way, cell]).toEqual([kind, way, expect.stringContaining(': ')])
    }
})

describe.each(anyBrowser)('%s', (browser) => {
  const args = ['--browser', browser]
  const between = () => sites.pass(0.8 * IDLE_LIMIT_MS)

  test.each(['restore', 'profile'] as const)(
    'what %s keeps is what the table says; a file keeps what restore keeps',
    async (way) => {
      const inputOf = (kind: LoginKind) => ({ [way]: `${browser}-${kind}` })
      const fileOf = (kind: LoginKind) => `${browser}-${kind}.json`
      const start = await startPeer(args)
      for (const kind of LOGIN_KINDS)
        await inSession(
          start,
          { ...inputOf(kind), ...(kind === 'basic' && credentialsFor(kind)) },
          async () => {
            await logIn(start, kind)
            if (way === 'restore') await act(start, 'storage_state', { action: 'save', path: fileOf(kind) })
          },
        )
      await start.close()
      between()
      const first = await startPeer(args)
      const knownFirst = await visitAll(first, inputOf)
      await first.close()
      between()
      const second = await startPeer(args)
      const known = await visitAll(second, inputOf)
      expect([...knownFirst]).toEqual([...known])
      expectTable(way, outcomesOf(new Set(), known))
      expect(
        await inSession(second, { ...inputOf('basic'), ...credentialsFor('basic') }, () =>
          isKnown(second, 'basic'),
        ),
      ).toBe(true)
      if (way === 'restore') {
        const load = (kind: LoginKind) => act(second, 'storage_state', { action: 'load', path: fileOf(kind) })
        const loaded = await visitAll(second, () => ({}), load)
        // The site has changed the cookie since.
        expect([...loaded]).toEqual([...known].filter((kind) => kind !== 'idle'))
      }
      await second.close()
    },
    600_000,
  )
})

test('what the Chrome of the user keeps is what the table says', async () => {
  const configHome = mkdtempSync(join(tmpdir(), 'fl-own-chrome-'))
  let chrome: OwnChrome = await startOwnChrome(1, configHome)
  try {
    const startAttached = () =>
      startPeer(['--cdp-endpoint', chrome.endpoint], { XDG_CONFIG_HOME: configHome })
    const inputOf = () => ({ attach: true })
    const start = await startAttached()
    for (const kind of LOGIN_KINDS)
      await inSession(start, { ...inputOf(), ...(kind === 'basic' && credentialsFor(kind)) }, () =>
        logIn(start, kind),
      )
    await start.close()
    const visit = async () => {
      sites.pass(0.8 * IDLE_LIMIT_MS)
      const peer = await startAttached()
      // The authenticator of the user would ask the user.
      const prepare = async (kind: LoginKind) =>
        kind === 'passkey' && act(peer, 'storage_state', { action: 'set', kind: 'passkey' })
      const known = await visitAll(peer, inputOf, prepare)
      await peer.close()
      return known
    }
    const first = await visit()
    expect(chrome.touches()).toEqual([])
    await chrome.quit()
    chrome = await startOwnChrome(1, configHome)
    expectTable('attach', outcomesOf(first, await visit()))
  } finally {
    await chrome.close()
  }
}, 600_000)
