// A Selenium Grid on this machine: a hub and nodes of the jar that an npm package carries, with the Chromium and chromedriver of Debian.

import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { processesWith, until } from '../support/leftovers.ts'
import { install } from '../support/npm.ts'
import { reservePort } from '../support/reserve-port.ts'

const PACKAGE = '@nightwatch/selenium-server@4.20.0'
const JAR = 'node_modules/@nightwatch/selenium-server/lib/selenium-server-4.20.0.jar'

const TAG = 'FL_GRID_PROGRAM'

/** Sends a signal to a program and to all that it has started. */
type Program = (signal: NodeJS.Signals) => void

interface GridNode {
  /** Ends it, its drivers and its browsers, without a word to the hub. */
  kill(): void
  /** Stops its processes, as a machine that hangs; `thaw` goes on. */
  freeze(): void
  thaw(): void
  /** The ids of the Grid sessions that it has. */
  sessions(): Promise<readonly string[]>
}

export interface Grid {
  readonly url: string
  readonly nodes: readonly GridNode[]
  /** The ids of all Grid sessions. */
  sessions(): Promise<readonly string[]>
  /** The number of requests in the queue. */
  queued(): Promise<number>
  /** Ends the hub and starts another one at its address. */
  restartHub(): Promise<void>
  stop(): void
}

export interface GridRequest {
  readonly nodes: number
  readonly sessionsPerNode: number
  /** Arguments of the hub. */
  readonly hubArgs?: readonly string[]
}

/** Starts a Grid and waits until its nodes are registered. */
export async function startGrid({ nodes: count, sessionsPerNode, hubArgs = [] }: GridRequest): Promise<Grid> {
  const fetched = install(PACKAGE)
  const folder = mkdtempSync(join(tmpdir(), 'fl-grid-'))
  const jar = join(fetched.folder, JAR)
  const wrapper = join(folder, 'chromium')
  // Chromedriver looks at the process that it has started.
  writeFileSync(wrapper, '#!/bin/sh\nexec /usr/bin/chromium --no-sandbox "$@"\n')
  chmodSync(wrapper, 0o755)
  const [port, publishPort, subscribePort] = [await reservePort(), await reservePort(), await reservePort()]
  const bus = [
    '--publish-events',
    `tcp://127.0.0.1:${publishPort}`,
    '--subscribe-events',
    `tcp://127.0.0.1:${subscribePort}`,
  ]
  const start = (...args: string[]): Program => {
    const tag = randomUUID()
    const child = spawn('java', ['-Xmx300m', '-jar', jar, ...args, ...bus, '--host', '127.0.0.1'], {
      stdio: 'ignore',
      cwd: folder,
      env: { ...process.env, [TAG]: tag, TMPDIR: folder },
    })
    child.unref()
    return (signal) => processesWith(`${TAG}=${tag}`).forEach(({ pid }) => send(pid, signal))
  }
  const startHub = () => start('hub', '--port', String(port), ...hubArgs)
  let hub = startHub()
  const url = `http://127.0.0.1:${port}`
  const processes = await Promise.all(
    Array.from({ length: count }, async () => {
      const nodePort = await reservePort()
      const stereotype = { browserName: 'chrome', 'goog:chromeOptions': { binary: wrapper } }
      return {
        uri: `http://127.0.0.1:${nodePort}`,
        signal: start(
          'node',
          '--port',
          String(nodePort),
          '--detect-drivers',
          'false',
          '--override-max-sessions',
          'true',
          '--max-sessions',
          String(sessionsPerNode),
          '--driver-configuration',
          'display-name=chrome',
          `max-sessions=${sessionsPerNode}`,
          'webdriver-executable=/usr/bin/chromedriver',
          `stereotype=${JSON.stringify(stereotype)}`,
        ),
      }
    }),
  )
  const readNodes = async (): Promise<readonly any[]> => (await read(`${url}/status`))?.nodes ?? []
  const sessionsOf = (node: any): string[] =>
    node.slots.flatMap(({ session }: any) => (session ? [session.sessionId] : []))
  const waitForNodes = () =>
    until(
      async () => (await readNodes()).filter(({ availability }) => availability === 'UP').length === count,
    )
  await waitForNodes()
  return {
    url,
    nodes: processes.map(({ uri, signal }) => ({
      kill: () => signal('SIGKILL'),
      freeze: () => signal('SIGSTOP'),
      thaw: () => signal('SIGCONT'),
      sessions: async () => (await readNodes()).filter((node) => node.uri === uri).flatMap(sessionsOf),
    })),
    sessions: async () => (await readNodes()).flatMap(sessionsOf),
    queued: async () => (await read(`${url}/se/grid/newsessionqueue/queue`))?.length ?? 0,
    async restartHub() {
      hub('SIGKILL')
      hub = startHub()
      await waitForNodes()
    },
    stop() {
      for (const { signal } of processes) signal('SIGKILL')
      hub('SIGKILL')
      fetched.remove()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function read(url: string): Promise<any> {
  try {
    return (await (await fetch(url, { signal: AbortSignal.timeout(3000) })).json()).value
  } catch {
    return undefined
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended.
  }
}
