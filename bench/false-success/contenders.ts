// Who is asked: each reads the page first, names elements by the refs that it read, and does the action by its own tool for that. What an
// answer has of the page afterwards is its state: a snapshot, a list of changes, or the file with the snapshot that it names.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect, type Peer } from '../../test/support/client.ts'
import {
  endPeer,
  type PeerStart,
  startAgentBrowser,
  startDevtoolsMcp,
  startPlaywrightMcp,
  versions,
} from '../peers.ts'
import type { Said } from './judge.ts'
import type { Action, Target } from './page.ts'

export interface Contender {
  readonly name: string
  start(): Promise<Driver>
}

export interface Driver {
  /** Opens a page in a session of its own. */
  open(url: string): Promise<void>
  /** Reads it. */
  look(): Promise<void>
  act(action: Action, url: string): Promise<Said>
  closePage(): Promise<void>
  close(): Promise<void>
}

type Call = (tool: string, input?: Readonly<Record<string, unknown>>) => Promise<Answer>
interface Answer {
  readonly isError: boolean
  readonly text: string
  readonly data?: Readonly<Record<string, unknown>>
}

/** The same for all that have such an option; it is the default of @playwright/mcp. */
const ACTION_TIMEOUT_MS = 5000

export function footlight(browser: 'chromium' | 'firefox', cwd: string): Contender {
  const name = `footlight, ${browser}`
  const start = async (): Promise<Driver> => {
    const peer = await connect({
      args: ['--headless', '--browser', browser, '--action-timeout', `${ACTION_TIMEOUT_MS}`],
      cwd,
      roots: [cwd],
    })
    const call = callerOf(peer)
    let snapshot = ''
    const refIn = (target: Target) =>
      refOf(snapshot, target, (role, name) => `\\b${role} (?:.*, )?"${name}".*?\\[(\\w+)\\]`)
    return {
      async open(url) {
        await call('create_session')
        await call('navigate', { url })
      },
      look: async () => void (snapshot = (await call('snapshot')).text),
      act: async (action, url) => {
        const [tool, input] = footlightCall(action, refIn, url)
        const { isError, data = {} } = await call(tool, input)
        const { changes = data['title'], ...words } = data
        const state = typeof changes === 'string' ? { state: changes } : {}
        return { isError, words: JSON.stringify(words).replaceAll('\\"', '"'), ...state }
      },
      closePage: async () => void (await call('close_session')),
      close: () => peer.close(),
    }
  }
  return { name, start }
}

type ToolCall = readonly [tool: string, input: Readonly<Record<string, unknown>>]

function footlightCall(action: Action, refIn: (target: Target) => string | undefined, url: string): ToolCall {
  if (action.kind === 'accept') return ['handle_dialog', { accept: true }]
  if (action.kind === 'navigate') return ['navigate', { url: url + action.path, timeout: 10_000 }]
  const target = { ref: refIn(action.target) }
  switch (action.kind) {
    case 'click':
    case 'hover':
      return [action.kind, target]
    case 'type':
      return ['type', { ...target, text: action.text, clear: true, ...(action.submit && { submit: true }) }]
    case 'fill':
      return [
        'fill_form',
        { fields: fieldsOf(action).map(({ target, text }) => ({ ref: refIn(target), value: text })) },
      ]
    case 'check':
      return ['fill_form', { fields: [{ ...target, value: true }] }]
    case 'select':
      return ['select', { ...target, values: [action.option] }]
    case 'upload':
      return ['upload_file', { ...target, paths: [action.file] }]
    case 'press':
      return ['press_key', { ...target, key: action.key }]
    case 'drag':
      return ['drag', { ...target, toRef: refIn(action.to) }]
  }
}

export const playwrightMcp = (start: PeerStart & { cwd: string }): Contender => ({
  name: `@playwright/mcp ${versions['@playwright/mcp']}`,
  async start() {
    const peer = await startPlaywrightMcp({ ...start, args: ['--timeout-action', `${ACTION_TIMEOUT_MS}`] })
    const call = callerOf(peer)
    let snapshot = ''
    const refIn = (target: Target) =>
      refOf(snapshot, target, (role, name) => `${role} "${name}".*?\\[ref=(\\w+)\\]`)
    const answer = ({ isError, text }: Answer): Said => {
      const [words = '', inline] = text
        .replace(/### Ran Playwright code\n```js[\s\S]*?```/, '')
        .split('### Snapshot')
      const file = /\]\((.*?\.yml)\)/.exec(inline ?? '')?.[1]
      const path = file === undefined ? '' : join(start.cwd, file)
      const state = existsSync(path) ? readFileSync(path, 'utf8') : inline
      return { isError, words, ...(state !== undefined && { state }) }
    }
    return {
      open: async (url) => void (await call('browser_navigate', { url })),
      look: async () => void (snapshot = (await call('browser_snapshot')).text),
      async act(action, url) {
        const calls = playwrightCalls(action, refIn, url, start.cwd)
        for (const [tool, input] of calls.slice(0, -1)) await call(tool, input)
        const [tool, input] = calls.at(-1) as ToolCall
        return answer(await call(tool, input))
      },
      closePage: async () => {
        await call('browser_handle_dialog', { accept: true })
        await call('browser_close')
      },
      close: () => endPeer(peer, '@playwright/mcp'),
    }
  },
})

function playwrightCalls(
  action: Action,
  refIn: (target: Target) => string | undefined,
  url: string,
  cwd: string,
): readonly ToolCall[] {
  if (action.kind === 'accept') return [['browser_handle_dialog', { accept: true }]]
  if (action.kind === 'navigate') return [['browser_navigate', { url: url + action.path }]]
  const target = { element: action.target.name, target: refIn(action.target) }
  const fillForm = (fields: readonly Field[], type: string): ToolCall => [
    'browser_fill_form',
    {
      fields: fields.map(({ target, text }) => ({
        name: target.name,
        target: refIn(target),
        type,
        value: text,
      })),
    },
  ]
  switch (action.kind) {
    case 'click':
    case 'hover':
      return [[`browser_${action.kind}`, target]]
    case 'type':
      return [['browser_type', { ...target, text: action.text, ...(action.submit && { submit: true }) }]]
    case 'fill':
      return [fillForm(fieldsOf(action), 'textbox')]
    case 'check':
      return [fillForm([{ target: action.target, text: 'true' }], 'checkbox')]
    case 'select':
      return [['browser_select_option', { ...target, values: [action.option] }]]
    case 'upload':
      return [
        ['browser_click', target],
        ['browser_file_upload', { paths: [join(cwd, action.file)] }],
      ]
    case 'press':
      return [['browser_press_key', { key: action.key }]]
    case 'drag': {
      const end = { endElement: action.to.name, endTarget: refIn(action.to) }
      return [['browser_drag', { startElement: action.target.name, startTarget: target.target, ...end }]]
    }
  }
}

let contextCount = 0

export const devtoolsMcp = (start: PeerStart & { cwd: string }): Contender => ({
  name: `chrome-devtools-mcp ${versions['chrome-devtools-mcp']}`,
  async start() {
    const peer = await startDevtoolsMcp(start)
    const callServer = callerOf(peer)
    let [pageId, snapshot] = [0, '']
    const call: Call = (tool, input = {}) => callServer(tool, { pageId, ...input })
    const uidOf = (target: Target) =>
      refOf(snapshot, target, (role, name) => `uid=(\\w+) ${role} "${name}(?:: [^"]*)?"`)
    return {
      async open(url) {
        const isolatedContext = `c${(contextCount += 1)}`
        const { text } = await callServer('new_page', { url, isolatedContext })
        pageId = Number(/(\d+): [^\n]*\[selected\]/.exec(text)?.[1])
      },
      look: async () => void (snapshot = (await call('take_snapshot')).text),
      async act(action, url) {
        const calls = devtoolsCalls(action, uidOf, url, start.cwd)
        for (const [tool, input] of calls.slice(0, -1)) await call(tool, input)
        const [tool, input] = calls.at(-1) as ToolCall
        const { isError, text } = await call(tool, input)
        // Of the list of pages the one that was acted on.
        const [words = '', list] = text.split(/## (?:Latest page snapshot|Pages)/)
        const state = list?.split('\n').find((line) => line.includes('[selected]')) ?? list
        return { isError, words, ...(state !== undefined && { state }) }
      },
      async closePage() {
        await call('handle_dialog', { action: 'accept' })
        await call('close_page')
      },
      close: () => endPeer(peer, 'chrome-devtools-mcp'),
    }
  },
})

/** With the snapshot in the answer, as its documentation advises; two tools have none. */
function devtoolsCalls(
  action: Action,
  uidOf: (target: Target) => string | undefined,
  url: string,
  cwd: string,
): readonly ToolCall[] {
  if (action.kind === 'accept') return [['handle_dialog', { action: 'accept' }]]
  if (action.kind === 'navigate') return [['navigate_page', { type: 'url', url: url + action.path }]]
  const uid = uidOf(action.target)
  const more = { includeSnapshot: true }
  switch (action.kind) {
    case 'click':
    case 'hover':
      return [[action.kind, { uid, ...more }]]
    case 'type': {
      const fill: ToolCall = ['fill', { uid, value: action.text, ...more }]
      return action.submit ? [fill, ['press_key', { key: 'Enter', ...more }]] : [fill]
    }
    case 'fill': {
      const elements = fieldsOf(action).map(({ target, text }) => ({ uid: uidOf(target), value: text }))
      return [['fill_form', { elements, ...more }]]
    }
    case 'check':
      return [['fill', { uid, value: 'true', ...more }]]
    case 'select':
      return [['fill', { uid, value: action.option, ...more }]]
    case 'upload':
      return [['upload_file', { uid, filePaths: [join(cwd, action.file)], ...more }]]
    case 'press':
      return [['press_key', { key: action.key, ...more }]]
    case 'drag':
      return [['drag', { from_uid: uid, to_uid: uidOf(action.to), ...more }]]
  }
}

export const agentBrowser = (start: PeerStart & { cwd: string }): Contender => ({
  name: `agent-browser ${versions['agent-browser']}`,
  async start() {
    const peer = await startAgentBrowser({ ...start, args: ['--tools', 'all'] })
    const callServer = callerOf(peer)
    let [session, snapshot] = ['', '']
    const call: Call = (tool, input = {}) => callServer(`agent_browser_${tool}`, { session, ...input })
    const refIn = (target: Target) => {
      const ref = refOf(snapshot, target, (role, name) => `${role} "${name}" \\[.*?ref=(\\w+)`)
      return ref === undefined ? undefined : `@${ref}`
    }
    return {
      async open(url) {
        session = `b${process.pid}-${(contextCount += 1)}`
        await call('open', { url })
      },
      look: async () => void (snapshot = (await call('snapshot', { interactive: false })).text),
      async act(action, url) {
        const calls = agentBrowserCalls(action, refIn, url, start.cwd)
        for (const [tool, input] of calls.slice(0, -1)) await call(tool, input)
        const [tool, input] = calls.at(-1) as ToolCall
        const { isError, text } = await call(tool, input)
        return {
          isError: isError || text.includes('"success": false'),
          words: text.replace('"error": null', ''),
          // The title of the page that was opened.
          ...(action.kind === 'navigate' && { state: text }),
        }
      },
      closePage: async () => void (await call('close')),
      close: () => endPeer(peer, 'agent-browser'),
    }
  },
})

function agentBrowserCalls(
  action: Action,
  refIn: (target: Target) => string | undefined,
  url: string,
  cwd: string,
): readonly ToolCall[] {
  if (action.kind === 'accept') return [['dialog', { action: 'accept' }]]
  if (action.kind === 'navigate') return [['open', { url: url + action.path }]]
  const selector = refIn(action.target)
  switch (action.kind) {
    case 'click':
    case 'hover':
    case 'check':
      return [[action.kind, { selector }]]
    case 'type': {
      const fill: ToolCall = ['fill', { selector, text: action.text }]
      return action.submit ? [fill, ['press', { key: 'Enter' }]] : [fill]
    }
    case 'fill':
      return fieldsOf(action).map(({ target, text }) => ['fill', { selector: refIn(target), text }])
    case 'select':
      return [['select', { selector, values: [action.option] }]]
    case 'upload':
      return [['upload', { selector, files: [join(cwd, action.file)] }]]
    case 'press':
      return [
        ['focus', { selector }],
        ['press', { key: action.key }],
      ]
    case 'drag':
      return [['batch', { commands: [['drag', selector, refIn(action.to)]] }]]
  }
}

// --- internal ---

interface Field {
  readonly target: Target
  readonly text: string
}

const fieldsOf = ({ target, text, next }: Action & { kind: 'fill' }): readonly Field[] => [
  { target, text },
  ...(next ? [{ target: next, text: 'next' }] : []),
]

const callerOf =
  (peer: Peer): Call =>
  async (tool, input = {}) => {
    try {
      const { failed, data, result } = await peer.call(tool, { ...input })
      const text = result.content.map((block) => (block.type === 'text' ? block.text : '')).join('\n')
      return { isError: failed, text, data }
    } catch (error) {
      return { isError: true, text: String(error) }
    }
  }

function refOf(
  snapshot: string,
  { role, name, nth = 0 }: Target,
  patternOf: (role: string, name: string) => string,
): string | undefined {
  return [...snapshot.matchAll(new RegExp(patternOf(role, name), 'g'))][nth]?.[1]
}
