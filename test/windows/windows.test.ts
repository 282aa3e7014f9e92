// The executable for Windows, under Wine: what differs there is how it starts itself, how servers end, and paths.

import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { callOrThrow, connect, type Peer } from '../support/client.ts'
import { connectOverHttp } from '../support/http.ts'
import { until } from '../support/leftovers.ts'
import { EXECUTABLE, startWine, type Wine } from './wine.ts'

const notShown = [
  'a browser of Windows is launched, in its sandbox: no browser runs under Wine, and all its sessions here use an endpoint',
  'install.ps1 installs: PowerShell is in no package of Debian or npm, and that of Wine does nothing',
  'commands of the shell find the session that stays open: Wine does not list named pipes',
  'only its user may open a named pipe: not tried, because there is one user',
  'revisions share packages by junctions: Wine makes none',
  'taskkill /T ends a server: that of Wine has no /T, so here the job object alone ends what the server started',
  'a pipe of Linux as standard input: EBADF under Wine; pipes of Windows are what clients there have',
]

let windows: Wine
let open: Peer | undefined
beforeAll(async () => void (windows = await startWine()), 120_000)
afterEach(async () => {
  await open?.close()
  open = undefined
  expect(windows.temporaryFiles()).toEqual([])
})
afterAll(async () => {
  await windows.remove()
  console.log(['\nWine cannot show:', ...notShown].join('\n- '))
}, 120_000)

const serverParts = () =>
  windows
    .processes()
    .map(({ command }) => command)
    .filter((command) => /cmd\.exe|server\.exe|(demo-app|supervise)$/.test(command))

const browserArgs = () => ['--cdp-endpoint', windows.endpoint, '--private-hosts', 'allow']

/** A client over the pipes of Windows. */
const connectOverPipes = (...args: string[]): Promise<Peer> =>
  connect({
    command: windows.command,
    args: [...browserArgs(), ...args],
    cwd: windows.folder,
    env: windows.env,
  })

test('says its version and lists its tools', () => {
  expect(windows.run('--version').stdout.trim()).toMatch(/^\d+\.\d+\.\d+$/)
  expect(windows.run('tools').stdout).toContain('create_session')
})

test('the shell, which cannot list the pipes of Wine, says so', () => {
  expect(windows.run('list')).toMatchObject({
    status: 4,
    stderr: expect.stringMatching(
      /^footlight: the named pipes of this machine.* cannot be listed: .*: footlight setup\n$/,
    ),
  })
})

test('checks the machine, which has no browser, and names what brings one', () => {
  const doctor = windows.run('doctor', '--json')
  expect(doctor).toMatchObject({ status: 1, stderr: expect.not.stringContaining('footlight:') })
  expect(JSON.parse(doctor.stdout)).toMatchObject({ ok: false })
  const { browsers, roots } = JSON.parse(windows.run('browsers', 'list', '--json').stdout)
  expect(browsers.map(({ install }: { install: string }) => install).join()).toContain(
    'winget install --exact --id Microsoft.Edge',
  )
  expect(roots).toEqual({
    kits: `${windows.home}\\AppData\\Local\\footlight\\browsers`,
    playwright: `${windows.home}\\AppData\\Local\\ms-playwright`,
  })
})

test.each([
  ['claude-code', '.claude.json'],
  ['claude-desktop', 'AppData\\Roaming\\Claude\\claude_desktop_config.json'],
  ['cursor', '.cursor\\mcp.json'],
  ['vscode', 'AppData\\Roaming\\Code\\User\\mcp.json'],
  ['codex', '.codex\\config.toml'],
  ['gemini', '.gemini\\settings.json'],
  ['opencode', '.config\\opencode\\opencode.json'],
  ['zed', 'AppData\\Roaming\\Zed\\settings.json'],
  ['windsurf', '.codeium\\windsurf\\mcp_config.json'],
])('sets up %s in %s', (client, name) => {
  const path = `${windows.home}\\${name}`
  expect(windows.run('setup', client, '--write').stdout).toContain(`in ${path}. `)
  expect(readFileSync(windows.toLinux(path), 'utf8')).toMatch(/C:(\\\\|\\)footlight(\\\\|\\)footlight\.exe/)
  expect(windows.run('setup', client, '--remove').stdout).toContain(path)
  expect(existsSync(windows.toLinux(path))).toBe(false)
})

test('starts itself: the calls of the demo, with a dev server', () => {
  const demo = windows.run('demo', '--cdp-endpoint', windows.endpoint)
  expect(demo).toMatchObject({ status: 0, stdout: expect.stringContaining('The server is stopped.') })
}, 120_000)

const batchFile = 'C:\\footlight\\serve.cmd'
test.each([
  ['a program', ['C:\\footlight\\server.exe']],
  ['a batch file', [batchFile]],
  ['a line of cmd.exe', `${batchFile} & rem`],
  ['a batch file that leaves its server behind', ['C:\\footlight\\leave.cmd']],
])(
  '%s as dev server: a click, a failure, and its end with all that it started',
  async (_, command) => {
    writeFileSync(join(windows.folder, 'serve.cmd'), '@echo off\r\n"%~dp0server.exe"\r\n')
    writeFileSync(
      join(windows.folder, 'leave.cmd'),
      '@echo off\r\nstart /b "" "%~dp0server.exe"\r\n"%~dp0server.exe" wait\r\n',
    )
    const peer = (open = await connectOverPipes())
    expect((await peer.client.listTools()).tools.map(({ name }) => name)).toContain('click')
    const started = await peer.call('create_session', { command })
    expect(started.data).toMatchObject({ message: expect.stringContaining('The server is ready') })
    const { sessionId, url } = started.data
    await callOrThrow(peer, 'navigate', { sessionId, url })
    await callOrThrow(peer, 'click', { sessionId, selector: 'button' })
    const missing = await peer.call('click', { sessionId, selector: '#sell', timeout: 500 })
    expect(missing).toMatchObject({ failed: true })
    expect(JSON.stringify((await peer.call('console_messages', { sessionId })).data)).toContain('no stock')
    expect(serverParts().join()).toContain('worker')
    const closed = await peer.call('close_session', { sessionId })
    expect(closed.data.message).toContain('The server is stopped.')
    expect(await until(() => serverParts().length === 0)).toBe(true)
  },
  120_000,
)

test('a dev server ends when Footlight is killed', async () => {
  const command = `${EXECUTABLE} demo-app`
  const args = ['--http', '0', '--server-command', command, ...browserArgs()]
  const client = Bun.spawn([...windows.command, ...args], {
    env: windows.env,
    cwd: windows.folder,
    stderr: 'pipe',
  })
  let errors = ''
  const reading = (async () => {
    for await (const chunk of client.stderr) errors += new TextDecoder().decode(chunk)
  })()
  await until(() => /serving http:\S+/.test(errors) || client.exitCode !== null)
  const [, url = errors] = /serving (http:\S+)/.exec(errors) ?? []
  const peer = await connectOverHttp(new URL(url))
  await peer.call('create_session', { command })
  expect(serverParts().join()).toContain('demo-app')
  const isServer = (words: string) => words.startsWith(EXECUTABLE) && words.includes('--http')
  for (const { pid, command: words } of windows.processes()) if (isServer(words)) process.kill(pid, 'SIGKILL')
  await reading
  expect(await until(() => serverParts().length === 0)).toBe(true)
  expect(windows.temporaryFiles()).toHaveLength(1)
  windows.run('doctor', '--fix')
}, 120_000)
