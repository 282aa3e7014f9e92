// Who is measured: Footlight, its peers as MCP servers, each started as its users start it, all headless on the same browser.

import { connect, type Peer } from '../test/support/client.ts'
import type { Fetched } from '../test/support/npm.ts'
import { endPeer, preparePackages, startAgentBrowser, startDevtoolsMcp, startPlaywrightMcp } from './peers.ts'

export type Act =
  | 'navigate'
  | 'click'
  | 'type'
  | 'evaluate'
  | 'produce'
  | 'console'
  | 'requests'
  | 'snapshot'
  | 'screenshot'
  | 'missing'

export interface Contender {
  readonly name: string
  /** Whether one server has several isolated sessions; otherwise its documentation asks for a server for each. */
  readonly sharesServer: boolean
  start(): Promise<Peer>
  /** Opens an isolated session on a page; what it answers is added to the input of each act. */
  open(peer: Peer, url: string): Promise<Record<string, unknown>>
  readonly acts: Readonly<Partial<Record<Act, readonly [tool: string, input: Record<string, unknown>]>>>
}

let sessionCount = 0
const nameSession = (): string => `s${(sessionCount += 1)}`

/** What is typed. */
export const letters = 'abcdefghij'

/** What the console and the requests are then read of. */
const entries =
  '(() => { for (let i = 0; i < 100; i++) { console.log(`line ${i}`); void fetch(`/?${i}`).then((r) => r.text()) } })'
const done = async (peer: Peer, tool: string, input: Record<string, unknown> = {}) => {
  const { failed, data, result } = await peer.call(tool, input)
  if (failed) throw new Error(`${tool}: ${JSON.stringify(result.content)}`)
  return { data, text: JSON.stringify(result.content) }
}

export const footlight = (executablePath: string, more: readonly string[] = []): Contender => ({
  name: 'footlight',
  sharesServer: true,
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
    produce: ['evaluate', { script: `${entries}()` }],
    console: ['console_messages', { limit: 100 }],
    requests: ['network_requests', { limit: 100 }],
    snapshot: ['snapshot', {}],
    screenshot: ['screenshot', {}],
    missing: ['click', { selector: '#none', timeout: 300 }],
  },
})

const playwrightMcp = ({ folder }: Fetched, executablePath: string): Contender => ({
  name: '@playwright/mcp',
  sharesServer: false,
  start: () => startPlaywrightMcp({ folder, executablePath, args: ['--timeout-action', '300'] }),
  async open(peer, url) {
    await done(peer, 'browser_navigate', { url })
    return {}
  },
  acts: {
    navigate: ['browser_navigate', {}],
    click: ['browser_click', { element: 'b', target: '#b' }],
    type: ['browser_type', { element: 'i', target: '#i', text: letters, slowly: true }],
    evaluate: ['browser_evaluate', { function: '() => 1 + 1' }],
    produce: ['browser_evaluate', { function: entries.slice(1, -1) }],
    console: ['browser_console_messages', { level: 'info' }],
    requests: ['browser_network_requests', { static: true }],
    snapshot: ['browser_snapshot', {}],
    screenshot: ['browser_take_screenshot', { type: 'png' }],
    missing: ['browser_click', { element: 'none', target: '#none' }],
  },
})

const devtools = ({ folder }: Fetched, executablePath: string): Contender => ({
  name: 'chrome-devtools-mcp',
  sharesServer: true,
  start: () => startDevtoolsMcp({ folder, executablePath }),
  async open(peer, url) {
    const { text } = await done(peer, 'new_page', { url, isolatedContext: nameSession() })
    const pageId = Number(/(\d+): [^\n]*?\[selected\]/.exec(text.replaceAll('\\n', '\n'))?.[1])
    const snapshot = (await done(peer, 'take_snapshot', { pageId })).text
    const uid = /uid=(\w+) button/.exec(snapshot)?.[1]
    // The others open a page of this size unless they are asked for another; a picture costs its pixels.
    await done(peer, 'resize_page', { pageId, width: 1280, height: 720 })
    return { pageId, uid }
  },
  acts: {
    navigate: ['navigate_page', { type: 'url' }],
    click: ['click', {}],
    evaluate: ['evaluate_script', { function: '() => 1 + 1' }],
    produce: ['evaluate_script', { function: entries.slice(1, -1) }],
    console: ['list_console_messages', { pageSize: 100 }],
    requests: ['list_network_requests', { pageSize: 100 }],
    snapshot: ['take_snapshot', {}],
    screenshot: ['take_screenshot', {}],
  },
})

const agentBrowser = ({ folder }: Fetched, executablePath: string): Contender => ({
  name: 'agent-browser',
  sharesServer: true,
  start: () => startAgentBrowser({ folder, executablePath }),
  async open(peer, url) {
    const session = nameSession()
    await done(peer, 'agent_browser_open', { url, session })
    return { session }
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
  const fetched = preparePackages(undefined)
  const peers = [playwrightMcp, devtools, agentBrowser].map((make) => make(fetched, executablePath))
  return { peers, remove: fetched.remove }
}

/** Ends a contender with all that it started. */
export const end = (peer: Peer, { name }: Contender): Promise<void> => endPeer(peer, name)

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
