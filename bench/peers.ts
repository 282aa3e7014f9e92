// The other MCP servers, each started as its own documentation says, headless on the same browser.

import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import process from 'node:process'
import { findExecutable } from '../src/core/browser/process/find-executable.ts'
import { connect, type Peer } from '../test/support/client.ts'
import { until } from '../test/support/leftovers.ts'
import { install } from '../test/support/npm.ts'

export const versions = {
  '@playwright/mcp': '0.0.83',
  'chrome-devtools-mcp': '1.11.0',
  'agent-browser': '0.41.2',
} as const

/** The path of the Chromium without a window that all contenders use. */
export function findBenchBrowser(): string {
  const { path } = findExecutable({ browser: 'chromium', headless: true })
  if (!path) throw new Error('bench: there is no Chromium; run `bun run setup` first')
  return path
}

/** The folder with the packages of the peers, which are fetched unless they are in `packages`; `remove` takes them away again. */
export const preparePackages = (packages: string | undefined, ...more: readonly string[]) =>
  packages === undefined
    ? install(...more, ...Object.entries(versions).map(([name, version]) => `${name}@${version}`))
    : { folder: packages, remove: () => {} }

export interface PeerStart {
  /** Where the packages are installed. */
  readonly folder: string
  readonly executablePath: string
  readonly cwd?: string
  readonly args?: readonly string[]
}

const isRoot = process.getuid?.() === 0

export const startPlaywrightMcp = ({
  folder,
  executablePath,
  cwd = folder,
  args = [],
}: PeerStart): Promise<Peer> =>
  connect({
    command: ['node', join(folder, 'node_modules/@playwright/mcp/cli.js')],
    args: [
      '--headless',
      '--isolated',
      '--executable-path',
      executablePath,
      ...(isRoot ? ['--no-sandbox'] : []),
      ...args,
    ],
    cwd,
    roots: [cwd],
  })

export const startDevtoolsMcp = ({
  folder,
  executablePath,
  cwd = folder,
  args = [],
}: PeerStart): Promise<Peer> =>
  connect({
    command: ['node', join(folder, 'node_modules/chrome-devtools-mcp/build/src/bin/chrome-devtools-mcp.js')],
    args: [
      '--headless',
      '--isolated',
      '--executablePath',
      executablePath,
      '--no-usage-statistics',
      ...(isRoot ? ['--chromeArg=--no-sandbox'] : []),
      ...args,
    ],
    cwd,
    roots: [cwd],
  })

export function startAgentBrowser({ folder, executablePath, cwd, args = [] }: PeerStart): Promise<Peer> {
  // Its daemon outlives its client, so each start has a home and a session of its own.
  const home = mkdtempSync(join(folder, 'home-'))
  const env = {
    HOME: home,
    AGENT_BROWSER_EXECUTABLE_PATH: executablePath,
    AGENT_BROWSER_SESSION: `bench-${basename(home)}`,
    ...(isRoot && { AGENT_BROWSER_ARGS: '--no-sandbox' }),
  }
  const program = join(
    folder,
    `node_modules/agent-browser/bin/agent-browser-${process.platform}-${process.arch}`,
  )
  // Its install script would do this; no script of a package runs here.
  chmodSync(program, 0o755)
  return connect({ command: [program, 'mcp'], args, env, ...(cwd !== undefined && { cwd, roots: [cwd] }) })
}

/** Ends a server with all that it started. */
export async function endPeer(peer: Peer, name: string): Promise<void> {
  if (name.startsWith('agent-browser')) await peer.call('agent_browser_close', { all: true }).catch(() => {})
  await peer.client.close()
  for (const { pid } of peer.trace.processes()) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // it has ended by itself meanwhile
    }
  }
  await until(() => peer.trace.processes().length === 0)
  // A peer may leave files there, for which nobody waits.
  rmSync(peer.trace.folder, { recursive: true, force: true })
}
