// A Windows of Wine in a folder of the test, with the executable and the programs of the tests in C:\footlight, and a browser of this machine
// behind a DevTools endpoint.

import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { findExecutable } from '../../src/core/browser/process/find-executable.ts'
import { type Process, trace, until } from '../support/leftovers.ts'
import { reservePort } from '../support/reserve-port.ts'

export interface Wine {
  /** The address of the browser. */
  readonly endpoint: string
  readonly env: Readonly<Record<string, string>>
  /** The folder of its user. */
  readonly home: string
  /** C:\footlight, as Linux sees it. */
  readonly folder: string
  /** The program that runs the executable, and its first argument. */
  readonly command: readonly [string, ...string[]]
  /** Runs the executable to its end. */
  run(...args: readonly string[]): { status: number | null; stdout: string; stderr: string }
  /** A path of Windows, as Linux sees it. */
  toLinux(path: string): string
  processes(): Process[]
  /** The names of the temporary files of Windows. */
  temporaryFiles(): string[]
  remove(): Promise<void>
}

export const EXECUTABLE = 'C:\\footlight\\footlight.exe'

const built = resolve(import.meta.dir, '../../dist/footlight-windows-x64.exe')
const sources = join(import.meta.dir, 'programs')
const wine = ['/usr/lib/wine/wine64', '/usr/bin/wine64'].find((path) => existsSync(path)) ?? 'wine64'
const wineServer = Bun.which('wineserver') ?? '/usr/lib/wine/wineserver'

const RUN_TIMEOUT_MS = 100_000

export async function startWine(): Promise<Wine> {
  const left = trace()
  const prefix = join(left.folder, 'prefix')
  const env = {
    ...(process.env as Record<string, string>),
    ...left.env,
    WINEPREFIX: prefix,
    WINEDEBUG: '-all',
    WINEDLLOVERRIDES: 'mscoree=;mshtml=;winemenubuilder.exe=;bcryptprimitives=n',
    DISPLAY: '',
  }
  spawnSync(wine, ['wineboot', '-i'], { env })
  const drive = join(prefix, 'drive_c')
  const folder = join(drive, 'footlight')
  mkdirSync(folder)
  copyFileSync(built, join(folder, 'footlight.exe'))
  compile('prng.c', ['-shared', '-o', join(folder, 'bcryptprimitives.dll')], ['-ladvapi32'])
  compile('pipes.c', ['-o', join(folder, 'pipes.exe')])
  compile('server.c', ['-o', join(folder, 'server.exe')], ['-lws2_32'])
  const endpoint = await startBrowser(left.folder, env)
  const user = readdirSync(join(drive, 'users')).find((name) => name !== 'Public') ?? ''
  const home = `C:\\users\\${user}`
  const toLinux = (path: string) => join(drive, ...path.split('\\').slice(1))
  return {
    endpoint,
    env,
    home,
    folder,
    toLinux,
    command: [wine, 'C:\\footlight\\pipes.exe', EXECUTABLE],
    run: (...args) =>
      spawnSync(wine, [EXECUTABLE, ...args], {
        env,
        cwd: folder,
        stdio: ['ignore', 'pipe', 'pipe'],
        encoding: 'utf8',
        timeout: RUN_TIMEOUT_MS,
      }),
    processes: left.processes,
    temporaryFiles: () => readdirSync(toLinux(`${home}\\Temp`)),
    async remove() {
      for (const { pid, command } of left.processes()) if (/chrom/.test(command)) process.kill(pid, 'SIGKILL')
      spawnSync(wineServer, ['-k', '-w'], { env })
      await until(() => left.processes().length === 0)
      rmSync(left.folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

function compile(source: string, output: readonly string[], libraries: readonly string[] = []): void {
  const args = [...output, join(sources, source), ...libraries]
  const { status, stderr } = spawnSync('x86_64-w64-mingw32-gcc', args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${source}: ${stderr}`)
}

async function startBrowser(folder: string, env: Readonly<Record<string, string>>): Promise<string> {
  const port = await reservePort()
  const browser = findExecutable({ browser: 'chromium', headless: true }).path ?? ''
  const flags = ['--no-sandbox', `--remote-debugging-port=${port}`, `--user-data-dir=${folder}/profile`]
  Bun.spawn([browser, ...flags], { env, stdio: ['ignore', 'ignore', 'ignore'] })
  const endpoint = `http://127.0.0.1:${port}`
  if (!(await until(() => fetch(`${endpoint}/json/version`).then(Boolean, () => false))))
    throw new Error('the browser did not start')
  return endpoint
}
