// The executable for Windows, under Wine: what differs there is how it starts itself and how servers end. Its browser is one of this machine,
// behind a DevTools endpoint.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { root } from './support.ts'
import { reservePort } from '../support/reserve-port.ts'
import { connectOverHttp } from '../support/http.ts'
import { trace, until, type Trace } from '../support/leftovers.ts'
import { findExecutable } from '../../src/browser/process/find-executable.ts'

const built = join(root, 'dist/footlight-windows-x64.exe')
const wine = ['/usr/lib/wine/wine64', '/usr/bin/wine64'].find((path) => existsSync(path))
const server = Bun.which('wineserver') ?? Bun.which('/usr/lib/wine/wineserver')
const compiler = Bun.which('x86_64-w64-mingw32-gcc')
const obstacle =
  wine === undefined || server === null || compiler === null
    ? 'skipped: apt-get install wine64 gcc-mingw-w64-x86-64 brings what it needs'
    : existsSync(built)
      ? 'under Wine'
      : 'skipped: bun build.ts windows-x64 builds it'

// Windows has it since version 10, but Wine 8 has not.
const SHIM = `#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE bytes, SIZE_T count) { return SystemFunction036(bytes, count); }`

describe.skipIf(obstacle !== 'under Wine')(`the executable for Windows (${obstacle})`, () => {
  const executable = 'C:\\footlight\\footlight.exe'
  let left: Trace
  let env: Record<string, string>
  let endpoint: string
  let folder: string
  const run = (...args: readonly string[]) =>
    spawnSync(wine ?? '', [executable, ...args], { env, cwd: folder, encoding: 'utf8', timeout: 100_000 })
  const commands = () => left.processes().map(({ command }) => command)
  const serverParts = () => commands().filter((command) => /cmd\.exe|(demo-app|supervise)$/.test(command))

  beforeAll(async () => {
    left = trace()
    const prefix = join(left.folder, 'prefix')
    env = {
      ...(process.env as Record<string, string>),
      ...left.env,
      WINEPREFIX: prefix,
      WINEDEBUG: '-all',
      WINEDLLOVERRIDES: 'mscoree=;mshtml=;winemenubuilder.exe=;bcryptprimitives=n',
      DISPLAY: '',
    }
    spawnSync(wine ?? '', ['wineboot', '-i'], { env })
    folder = join(prefix, 'drive_c/footlight')
    spawnSync('mkdir', ['-p', folder])
    copyFileSync(built, join(folder, 'footlight.exe'))
    writeFileSync(join(folder, 'shim.c'), SHIM)
    const library = join(folder, 'bcryptprimitives.dll')
    spawnSync(compiler ?? '', ['-shared', '-o', library, join(folder, 'shim.c'), '-ladvapi32'])
    const port = await reservePort()
    endpoint = `http://127.0.0.1:${port}`
    const browser = findExecutable({ browser: 'chromium', headless: true }).path ?? ''
    const flags = [
      '--no-sandbox',
      `--remote-debugging-port=${port}`,
      `--user-data-dir=${left.folder}/profile`,
    ]
    Bun.spawn([browser, ...flags], { env, stdio: ['ignore', 'ignore', 'ignore'] })
    await until(() => fetch(`${endpoint}/json/version`).then(Boolean, () => false))
  }, 120_000)

  afterAll(async () => {
    for (const { pid, command } of left.processes()) if (/chrom/.test(command)) process.kill(pid, 'SIGKILL')
    spawnSync(server ?? '', ['-k', '-w'], { env })
    await until(() => left.processes().length === 0)
    rmSync(left.folder, { recursive: true, force: true, maxRetries: 5 })
  }, 120_000)

  test('says its version, lists its tools, checks the machine and sets a client up', () => {
    expect(run('--version').stdout.trim()).toMatch(/^\d+\.\d+\.\d+$/)
    expect(run('tools').stdout).toContain('create_session')
    expect(run('setup', 'cursor').stdout).toContain('"command": "C:\\\\footlight\\\\footlight.exe"')
    const doctor = run('doctor', '--json')
    expect(doctor.stderr).not.toContain('footlight:')
    // There is no browser for Windows.
    expect(doctor.status).toBe(1)
    expect(JSON.parse(doctor.stdout)).toMatchObject({ ok: false })
  }, 120_000)

  test('starts itself: the calls of the demo, with a dev server', () => {
    const demo = run('demo', '--cdp-endpoint', endpoint)
    expect(demo).toMatchObject({ status: 0, stdout: expect.stringContaining('The server is stopped.') })
  }, 120_000)

  test('a dev server of cmd.exe ends with its session, and when Footlight is killed', async () => {
    const command = `${executable} demo-app`
    const args = [
      '--http',
      '0',
      '--server-command',
      command,
      '--cdp-endpoint',
      endpoint,
      '--private-hosts',
      'allow',
    ]
    const footlight = Bun.spawn([wine ?? '', executable, ...args], { env, cwd: folder, stderr: 'pipe' })
    let errors = ''
    const reading = (async () => {
      for await (const chunk of footlight.stderr) errors += new TextDecoder().decode(chunk)
    })()
    await until(() => /serving http:\S+/.test(errors) || footlight.exitCode !== null)
    const [, url = errors] = /serving (http:\S+)/.exec(errors) ?? []
    const peer = await connectOverHttp(new URL(url))
    const started = await peer.call('create_session', { command })
    expect(started.data).toMatchObject({ message: expect.stringContaining('The server is ready') })
    expect(serverParts().join()).toContain('demo-app')
    const closed = await peer.call('close_session', { sessionId: started.data.sessionId })
    expect(closed.data.message).toContain('The server is stopped.')
    expect(await until(() => serverParts().length === 0)).toBe(true)
    expect(footlight.exitCode).toBeNull()

    await peer.call('create_session', { command })
    expect(serverParts().join()).toContain('demo-app')
    footlight.kill('SIGKILL')
    await reading
    expect(await until(() => serverParts().length === 0)).toBe(true)
  }, 120_000)
})
