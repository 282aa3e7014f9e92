// Footlight and its peers, each with a page of an application whose dev server runs, and with its own way to do an action.

import { connect, type Peer } from '../../test/support/client.ts'
import { endPeer, type PeerStart, startDevtoolsMcp, startPlaywrightMcp } from '../peers.ts'
import { commands, environment } from './applications.ts'
import type { Action } from './bug.ts'
import { startDevServer } from './dev-server.ts'

export interface Contender {
  readonly name: string
  /** Starts the dev server of an application in a folder, and opens its first page. */
  open(application: string, folder: string): Promise<OpenApplication>
  close(): Promise<void>
}

interface OpenApplication {
  /** The text of the answer. */
  act(action: Action): Promise<string>
  /** The text of what its console tools answer then: one call, or one more for each of the newest errors where the first one only lists. */
  readConsole(): Promise<string>
  close(): Promise<void>
}

type Call = (tool: string, input?: Record<string, unknown>) => Promise<string>

const READY_TIMEOUT_MS = 110_000
const FIRST_PAGE_TIMEOUT_MS = 60_000
const MESSAGE_LIMIT = 5

export async function createFootlight(executablePath: string, cwd: string): Promise<Contender> {
  const peer = await connect({
    args: ['--headless', '--executable-path', executablePath],
    cwd,
    roots: [cwd],
    env: environment,
  })
  return {
    name: 'footlight',
    async open(application, folder) {
      const command = commands[application]
      const input = { command, cwd: folder, readyTimeout: READY_TIMEOUT_MS, env: environment }
      const { data, result } = await peer.call('create_session', input)
      if (data?.url === undefined) throw new Error(JSON.stringify(result.content))
      const { sessionId, url } = data
      const call: Call = (tool, more) => textOf(peer, tool, { sessionId, ...more })
      await call('navigate', { url, timeout: FIRST_PAGE_TIMEOUT_MS })
      return {
        async act(action) {
          if (action.kind === 'navigate') return call('navigate', { url: addressOf(url, action.path) })
          if (action.kind === 'click') return call('click', { selector: action.selector })
          return call('wait_for', { text: action.text, timeout: 3000 })
        },
        readConsole: () => call('console_messages', { level: 'error' }),
        close: async () => void (await call('close_session')),
      }
    },
    close: () => peer.close(),
  }
}

/** @playwright/mcp as its documentation starts it. */
export const createPlaywrightMcp = (start: PeerStart): Contender =>
  createPeer('@playwright/mcp', start, startPlaywrightMcp, async (call, url) => ({
    async act(action) {
      if (action.kind === 'navigate') return call('browser_navigate', { url: addressOf(url, action.path) })
      if (action.kind === 'click')
        return call('browser_click', { element: 'the element', target: action.selector })
      return call('browser_wait_for', { text: action.text })
    },
    readConsole: () => call('browser_console_messages', { level: 'error' }),
  }))

/** chrome-devtools-mcp as its documentation starts it. */
export const createDevtoolsMcp = (start: PeerStart): Contender =>
  createPeer('chrome-devtools-mcp', start, startDevtoolsMcp, async (callServer, url) => {
    const opened = await callServer('new_page', { url })
    const pageId = Number(/(\d+): [^\n]*\[selected\]/.exec(opened)?.[1])
    const call: Call = (tool, input) => callServer(tool, { pageId, ...input })
    return {
      act: (action) => actWithDevtools(call, url, action),
      async readConsole() {
        const list = await call('list_console_messages', { types: ['error'] })
        const ids = [...list.matchAll(/msgid=(\d+) \[error\]/g)].map(([, id]) => Number(id))
        const messages: string[] = []
        for (const msgid of ids.slice(-MESSAGE_LIMIT))
          messages.push(await call('get_console_message', { msgid }))
        return [list, ...messages].join('\n')
      },
    }
  })

// --- internal ---

async function actWithDevtools(call: Call, url: string, action: Action): Promise<string> {
  if (action.kind === 'navigate')
    return call('navigate_page', { type: 'url', url: addressOf(url, action.path) })
  if (action.kind === 'wait_for') return call('wait_for', { text: [action.text], timeout: 3000 })
  const snapshot = await call('take_snapshot')
  const role = action.selector === '#items' ? 'link' : 'button'
  return call('click', { uid: new RegExp(`uid=(\\w+) ${role}`).exec(snapshot)?.[1] })
}

const addressOf = (url: string, path = '/'): string => new URL(path, url).href

async function textOf(peer: Peer, tool: string, input: Record<string, unknown> = {}): Promise<string> {
  const answer = peer
    .call(tool, input)
    .then(({ result: { content } }) =>
      content.map((block) => (block.type === 'text' ? block.text : '')).join('\n'),
    )
  return answer.catch((error) => `no answer: ${String(error)}`)
}

function createPeer(
  name: string,
  start: PeerStart,
  startServer: (start: PeerStart) => Promise<Peer>,
  createActions: (call: Call, url: string) => Promise<Omit<OpenApplication, 'close'>>,
): Contender {
  return {
    name,
    async open(application, folder) {
      const server = await startDevServer(commands[application] ?? '', folder, environment)
      const peer = await startServer({ ...start, cwd: folder })
      const actions = await createActions((tool, input) => textOf(peer, tool, input), server.url)
      await actions.act({ kind: 'navigate' })
      return {
        ...actions,
        async close() {
          await endPeer(peer, name)
          await server.stop()
        },
      }
    },
    close: async () => {},
  }
}
