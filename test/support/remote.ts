// Browsers elsewhere: Chromiums with a CDP address, Playwright servers, and an entrance in front of them that checks, cuts and counts.

import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect as connectTo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import manifest from '../../node_modules/playwright-core/browsers.json' with { type: 'json' }
import { findExecutable } from '../../src/core/browser/process/find-executable.ts'
import { type Process, trace } from './leftovers.ts'

export interface RemoteProgram {
  readonly url: string
  processes(): readonly Process[]
  /** Sends a signal to it and all that it has started. */
  signal(name: NodeJS.Signals): void
  close(): Promise<void>
}

const shell = findExecutable({ browser: 'chromium', headless: true }).path ?? ''
const sandboxArgs = process.getuid?.() === 0 ? ['--no-sandbox'] : []

/** A headless Chromium; `url` is its HTTP address. It has a folder of its own at `hiddenFolder`, as one on another machine. */
export async function startChromium(hiddenFolder?: string): Promise<RemoteProgram> {
  const profile = mkdtempSync(join(tmpdir(), 'fl-remote-'))
  const args = ['--remote-debugging-port=0', `--user-data-dir=${profile}`, ...sandboxArgs, 'about:blank']
  const hide = [
    '-mr',
    'sh',
    '-c',
    `mount -t tmpfs none '${hiddenFolder}' && exec "$@"`,
    'sh',
    shell,
    '--no-sandbox',
  ]
  const [command, before] = hiddenFolder === undefined ? [shell, []] : ['unshare', hide]
  const program = await start(command, [...before, ...args], /DevTools listening on ws:\/\/([^/]+)/)
  return {
    ...program,
    url: `http://${program.found}`,
    async close() {
      await program.close()
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** A Playwright server; each connection to it starts a browser. */
export async function startPlaywrightServer(host = '127.0.0.1'): Promise<RemoteProgram> {
  const core = resolve(import.meta.dir, '../../node_modules/playwright-core')
  const browsers = mkdtempSync(join(tmpdir(), 'fl-run-server-'))
  // It starts only the browser that Playwright has installed.
  const { revision } = manifest.browsers.find(({ name }) => name === 'chromium-headless-shell') ?? {}
  const folder = join(browsers, `chromium_headless_shell-${revision}`, 'chrome-headless-shell-linux64')
  mkdirSync(folder, { recursive: true })
  const wrapper = join(folder, 'chrome-headless-shell')
  writeFileSync(wrapper, `#!/bin/sh\nexec '${shell}' "$@"\n`, { mode: 0o755 })
  const args = [join(core, 'cli.js'), 'run-server', '--host', host]
  const program = await start('node', args, /Listening on (ws:\S+)/, { PLAYWRIGHT_BROWSERS_PATH: browsers })
  return {
    ...program,
    url: program.found.replace('localhost', '127.0.0.1'),
    async close() {
      await program.close()
      rmSync(browsers, { recursive: true, force: true })
    },
  }
}

async function start(
  command: string,
  args: readonly string[],
  pattern: RegExp,
  added: NodeJS.ProcessEnv = {},
) {
  const left = trace()
  const child = spawn(command, args, {
    env: { ...process.env, ...left.env, ...added },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const signal = (name: NodeJS.Signals) => left.processes().forEach(({ pid }) => send(pid, name))
  let output = ''
  const found = await new Promise<string>((done, fail) => {
    const read = (chunk: Buffer) => {
      output += String(chunk)
      const match = pattern.exec(output)
      if (match?.[1] !== undefined) done(match[1])
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('exit', () => fail(new Error(output)))
  })
  const close = async () => {
    signal('SIGKILL')
    rmSync(left.folder, { recursive: true, force: true, maxRetries: 5 })
  }
  return { found, processes: left.processes, signal, close }
}

function send(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It has ended.
  }
}

interface EntranceOptions {
  /** Header that each request must have. */
  readonly header?: readonly [name: string, value: string]
  /** Path below which the target is reached. */
  readonly prefix?: string
  /** WebSockets end after this time. */
  readonly lifetimeMs?: number
  /** WebSockets on which nothing is sent for this time are cut. */
  readonly idleMs?: number
}

export interface Entrance {
  /** As the URL of the target, by way of the entrance. */
  readonly url: string
  /** The paths of the WebSockets that it has let through. */
  readonly opened: readonly string[]
  /** The number of WebSockets that are open. */
  open(): number
  /** Cuts all WebSockets. */
  cut(): void
  /** Passes nothing on any more, and keeps what is open. */
  freeze(): void
  /** Passes on again what comes from now on. */
  thaw(): void
  close(): void
}

/** Stands in front of a browser, as the entrance of a cloud does. */
export async function startEntrance(target: string, options: EntranceOptions = {}): Promise<Entrance> {
  const { header, prefix = '', lifetimeMs, idleMs } = options
  const { hostname, port, protocol } = new URL(target)
  const opened: string[] = []
  const sockets = new Set<Socket>()
  let isFrozen = false
  const problemOf = ({ headers, url = '' }: IncomingMessage): string | undefined => {
    if (header && headers[header[0].toLowerCase()] !== header[1]) return '401 Unauthorized'
    return url.startsWith(prefix) ? undefined : '404 Not Found'
  }
  const server = createServer(async (request, response) => {
    const problem = problemOf(request)
    if (problem !== undefined)
      return void response.writeHead(Number(problem.slice(0, 3))).end('the key is wrong')
    const path = request.url?.slice(prefix.length)
    // A Chromium names the host that it was asked by: that of its own network.
    const answer = await fetch(`http://${hostname}:${port}${path}`).catch(() => undefined)
    if (!answer) return void response.writeHead(502).end('the browser is gone')
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
  })
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    const problem = problemOf(request)
    if (problem !== undefined)
      return void socket.end(
        `HTTP/1.1 ${problem}\r\nconnection: close\r\ncontent-length: 16\r\n\r\nthe key is wrong`,
      )
    const path = request.url?.slice(prefix.length) || '/'
    opened.push(path)
    const inner = connectTo(Number(port), hostname)
    const end = () => {
      sockets.delete(socket)
      socket.destroy()
      inner.destroy()
    }
    sockets.add(socket)
    for (const one of [socket, inner]) one.on('error', end).on('close', end).setNoDelay(true)
    if (lifetimeMs !== undefined) setTimeout(end, lifetimeMs)
    let lastAt = performance.now()
    if (idleMs !== undefined) {
      const timer = setInterval(() => performance.now() - lastAt > idleMs && end(), 50)
      socket.once('close', () => clearInterval(timer))
    }
    const pass = (to: Socket) => (chunk: Buffer) => {
      lastAt = performance.now()
      if (!isFrozen) to.write(chunk)
    }
    const lines = Object.entries({ ...request.headers, host: `${hostname}:${port}` })
    inner.write(
      `GET ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
    )
    inner.write(head)
    socket.on('data', pass(inner))
    inner.on('data', pass(socket))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const own = (server.address() as AddressInfo).port
  return {
    url: `${protocol}//127.0.0.1:${own}${prefix}${new URL(target).pathname.replace(/^\/$/, '')}`,
    opened,
    open: () => sockets.size,
    cut: () => sockets.forEach((socket) => socket.destroy()),
    freeze: () => void (isFrozen = true),
    thaw: () => void (isFrozen = false),
    close() {
      server.close()
      server.closeAllConnections()
      sockets.forEach((socket) => socket.destroy())
    },
  }
}
