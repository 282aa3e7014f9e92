// Who is measured: Footlight, its peers as MCP servers, each started as its users start it, all headless on the same browser.

import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { connect, type Peer } from '../test/support/client.ts'
import { install, type Fetched } from '../test/support/npm.ts'

export type Act = 'navigate' | 'click' | 'type' | 'evaluate' | 'snapshot' | 'screenshot' | 'missing'

export interface Contender {
  readonly name: string
  start(): Promise<Peer>
  /** What makes a page ready for the acts, and is added to the input of each. */
  open(peer: Peer, url: string): Promise<Record<string, unknown>>
  readonly acts: Readonly<Partial<Record<Act, readonly [tool: string, input: Record<string, unknown>]>>>
}

export const versions = {
  '@playwright/mcp': '0.0.83',
  'chrome-devtools-mcp': '1.11.0',
  'agent-browser': '0.41.2',
} as const

/** What is typed. */
export const letters = 'abcdefghij'
const root = process.getuid?.() === 0
const done = async (peer: Peer, tool: string, input: Record<string, unknown> = {}) => {
  const { failed, data, result } = await peer.call(tool, input)
  if (failed) throw new Error(`${tool}: ${JSON.stringify(result.content)}`)
  return { data, text: JSON.stringify(result.content) }
}

export const footlight = (executablePath: string, more: readonly string[] = []): Contender => ({
  name: 'footlight',
  start: () =>
    connect({ args: ['--headless', '--executable-path', executablePath, '--max-sessions', '60', ...more] }),
  async open(peer, url) {
    const { sessionId } = (await done(peer, 'create_session')).data
    await done(peer, 'navigate', { sessionId, url })
    return { sessionId }
  },
  acts: {
    navigate: ['navigate', {}],
    click: ['click', { selector: '#b' }],
    type: ['type', { selector: '#i', text: letters }],
    evaluate: ['evaluate', { script: '1 + 1' }],
    snapshot: ['snapshot', {}],
    screenshot: ['screenshot', {}],
    missing: ['click', { selector: '#none', timeout: 300 }],
  },
})

const playwrightMcp = (fetched: Fetched, executablePath: string): Contender => ({
  name: '@playwright/mcp',
  start: () =>
    connect({
      command: ['node', join(fetched.folder, 'node_modules/@playwright/mcp/cli.js')],
      args: [
        '--headless',
        '--isolated',
        '--executable-path',
        executablePath,
        '--timeout-action',
        '300',
        ...(root ? ['--no-sandbox'] : []),
      ],
      cwd: fetched.folder,
    }),
  async open(peer, url) {
    await done(peer, 'browser_navigate', { url })
    return {}
  },
  acts: {
    navigate: ['browser_navigate', {}],
    click: ['browser_click', { element: 'b', target: '#b' }],
    type: ['browser_type', { element: 'i', target: '#i', text: letters, slowly: true }],
    evaluate: ['browser_evaluate', { function: '() => 1 + 1' }],
    snapshot: ['browser_snapshot', {}],
    screenshot: ['browser_take_screenshot', { type: 'png' }],
    missing: ['browser_click', { element: 'none', target: '#none' }],
  },
})

const devtools = (fetched: Fetched, executablePath: string): Contender => ({
  name: 'chrome-devtools-mcp',
  start: () =>
    connect({
      command: [
        'node',
        join(fetched.folder, 'node_modules/chrome-devtools-mcp/build/src/bin/chrome-devtools-mcp.js'),
      ],
      args: [
        '--headless',
        '--isolated',
        '--executablePath',
        executablePath,
        '--no-usage-statistics',
        ...(root ? ['--chromeArg=--no-sandbox'] : []),
      ],
      cwd: fetched.folder,
    }),
  async open(peer, url) {
    const { text } = await done(peer, 'new_page', { url })
    const pageId = Number(/(\d+): [^\n]*?\[selected\]/.exec(text.replaceAll('\\n', '\n'))?.[1])
    const snapshot = (await done(peer, 'take_snapshot', { pageId })).text
    const uid = /uid=(\w+) button/.exec(snapshot)?.[1]
    return { pageId, uid }
  },
  acts: {
    navigate: ['navigate_page', { type: 'url' }],
    click: ['click', {}],
    evaluate: ['evaluate_script', { function: '() => 1 + 1' }],
    snapshot: ['take_snapshot', {}],
    screenshot: ['take_screenshot', {}],
  },
})

let count = 0
const agentBrowser = (fetched: Fetched, executablePath: string): Contender => ({
  name: 'agent-browser',
  start() {
    // Its daemon outlives its client, so each start has a home and a session of its own.
    const home = join(fetched.folder, `home-${(count += 1)}`)
    mkdirSync(home)
    const env = {
      HOME: home,
      AGENT_BROWSER_EXECUTABLE_PATH: executablePath,
      AGENT_BROWSER_SESSION: `bench-${process.pid}-${count}`,
      ...(root && { AGENT_BROWSER_ARGS: '--no-sandbox' }),
    }
    const program = join(
      fetched.folder,
      `node_modules/agent-browser/bin/agent-browser-${process.platform}-${process.arch}`,
    )
    // Its install script would do this; no script of a package runs here.
    chmodSync(program, 0o755)
    return connect({ command: [program, 'mcp'], args: [], env })
  },
  async open(peer, url) {
    await done(peer, 'agent_browser_open', { url })
    return {}
  },
  acts: {
    navigate: ['agent_browser_open', {}],
    click: ['agent_browser_click', { selector: '#b' }],
    type: ['agent_browser_type', { selector: '#i', text: letters }],
    evaluate: ['agent_browser_eval', { script: '1 + 1' }],
    snapshot: ['agent_browser_snapshot', {}],
    screenshot: ['agent_browser_screenshot', {}],
  },
})

/** The peers, fetched from npm; `remove` takes them away again. */
export function fetchPeers(executablePath: string): { peers: Contender[]; remove(): void } {
  const fetched = install(...Object.entries(versions).map(([name, version]) => `${name}@${version}`))
  const peers = [playwrightMcp, devtools, agentBrowser].map((make) => make(fetched, executablePath))
  return { peers, remove: fetched.remove }
}

/** Ends a contender with all that it started. */
export async function end(peer: Peer, { name }: Contender): Promise<void> {
  if (name === 'agent-browser') await peer.call('agent_browser_close', { all: true }).catch(() => {})
  await peer.client.close()
  for (const { pid } of peer.trace.processes()) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // it has ended by itself meanwhile
    }
  }
  await peer.trace.expectNothing().catch(() => {})
}

/** One act, as a client calls it; answers the bytes of text that came back. */
export async function act(
  contender: Contender,
  peer: Peer,
  opened: Record<string, unknown>,
  what: Act,
  url: string,
): Promise<number> {
  const [tool, input] = contender.acts[what] ?? []
  if (tool === undefined) throw new Error(`${contender.name} has no ${what}`)
  const { uid, ...rest } = opened
  const { failed, result } = await peer.call(tool, {
    ...rest,
    ...(what === 'click' && uid !== undefined && { uid }),
    ...input,
    ...(what === 'navigate' && { url }),
  })
  if (failed !== (what === 'missing'))
    throw new Error(`${contender.name} ${what}: ${JSON.stringify(result.content).slice(0, 300)}`)
  return result.content.reduce((sum, block) => sum + (block.type === 'text' ? block.text.length : 0), 0)
}
