// The same flows through @playwright/mcp, and a test of the code that its answers show.

import { join } from 'node:path'
import type { Answer, Peer } from '../../test/support/client.ts'
import type { Element, ElementName, Field, Flow, FlowCall } from './flow.ts'
import { textOf } from './play.ts'

const LOOK_LIMIT = 40
const LOOK_PAUSE_MS = 100
// The time that a model takes at least to read a page that has just been opened.
const READING_MS = 1000

export interface PeerPlayer {
  readonly peer: Peer
  readonly origin: string
  /** The folder of the application, for files. */
  readonly folder: string
}

/** Plays the flow, and answers the code of all calls that succeeded, in order. Throws if the flow cannot be played. */
export async function playWithPeer(player: PeerPlayer, { name, calls }: Flow): Promise<readonly string[]> {
  const code: string[] = []
  for (const call of calls) {
    if (call.mustFail) continue
    for (const { failed, result } of await playCall(player, call)) {
      const text = textOf(result)
      // Its check has no code then; the agent would look at the page.
      if (failed && call.tool === 'wait_for') continue
      if (failed) throw new Error(`${name}, ${JSON.stringify(call)}: ${text}`)
      const echo = /### Ran Playwright code\n```js\n(.*?)\n```/s.exec(text)?.[1]
      if (echo !== undefined) code.push(echo)
    }
    if (call.tool === 'navigate') await new Promise((resolve) => setTimeout(resolve, READING_MS))
  }
  return code
}

/** The code, pasted into a test. */
export const pastedSpec = (name: string, code: readonly string[], origin: string, folder: string): string =>
  [
    "import { test } from '@playwright/test';",
    '',
    `test('${name}', async ({ page }) => {`,
    // A person would do as much: the address of the server is that of the configuration, and files are those of the project.
    ...code
      .flatMap((one) => one.replaceAll(origin, '').replaceAll(`${folder}/`, '').split('\n'))
      .map((line) => `  ${line}`),
    '});',
    '',
  ].join('\n')

// --- internal ---

async function playCall(player: PeerPlayer, call: FlowCall): Promise<readonly Answer[]> {
  const { tool, element, fields = [], input = {} } = call
  const { peer, origin, folder } = player
  const one = async (name: string, args: Record<string, unknown> = {}) => [await peer.call(name, args)]
  const target = async () => ({
    element: typeof element === 'object' ? element.name : element,
    target: element === undefined ? undefined : await targetOf(player, element),
  })
  switch (tool) {
    case 'navigate':
      return one('browser_navigate', { url: new URL(String(input['url']), origin).href })
    case 'history':
      return input['direction'] === 'back'
        ? one('browser_navigate_back')
        : one('browser_navigate', { url: origin + '/' })
    case 'click':
      return one('browser_click', await target())
    case 'type':
      return one('browser_type', {
        ...(await target()),
        text: input['text'],
        submit: input['submit'] ?? false,
      })
    case 'select':
      return selectOption(player, element, input['values'] as readonly string[])
    case 'fill_form':
      return one('browser_fill_form', {
        fields: await Promise.all(fields.map((field) => fieldOf(player, field))),
      })
    case 'upload_file':
      return [
        ...(await one('browser_click', await target())),
        ...(await one('browser_file_upload', {
          paths: (input['paths'] as readonly string[]).map((path) => join(folder, path)),
        })),
      ]
    case 'handle_dialog':
      return one('browser_handle_dialog', { accept: input['accept'] })
    case 'tabs':
      return one('browser_tabs', { action: 'select', index: 1 })
    case 'wait_for':
      return waitFor(player, input)
    default:
      throw new Error(`no such tool: ${tool}`)
  }
}

async function waitFor(
  { peer }: PeerPlayer,
  { text, textGone, is }: Readonly<Record<string, unknown>>,
): Promise<readonly Answer[]> {
  if (typeof text === 'string' && is === undefined) return [await peer.call('browser_wait_for', { text })]
  return textGone === undefined ? [] : [await peer.call('browser_wait_for', { textGone })]
}

// A list that is no <select> is opened, and its option clicked.
async function selectOption(
  player: PeerPlayer,
  element: Element | undefined,
  values: readonly string[],
): Promise<readonly Answer[]> {
  if (element === undefined) throw new Error('a list needs an element')
  const { peer } = player
  const list = await targetOf(player, element)
  const selectResult = await peer.call('browser_select_option', { element: 'list', target: list, values })
  if (!selectResult.failed) return [selectResult]
  const first = await peer.call('browser_click', { element: 'list', target: list })
  const option = await targetOf(player, { role: 'option', name: values[0] ?? '' })
  return [first, await peer.call('browser_click', { element: values[0], target: option })]
}

async function fieldOf(player: PeerPlayer, { element, value }: Field): Promise<Record<string, unknown>> {
  const name = typeof element === 'string' ? element : element.name
  const type =
    typeof element === 'string' ? 'textbox' : element.role === 'spinbutton' ? 'textbox' : element.role
  return { name, type, target: await targetOf(player, element), value: String(value) }
}

async function targetOf(player: PeerPlayer, element: Element): Promise<string> {
  if (typeof element === 'string') return element
  let text = ''
  for (let looks = 0; looks < LOOK_LIMIT; looks += 1) {
    text = textOf((await player.peer.call('browser_snapshot')).result)
    const ref = refIn(text, element)
    if (ref !== undefined) return ref
    await new Promise((resolve) => setTimeout(resolve, LOOK_PAUSE_MS))
  }
  throw new Error(`no ${element.role} "${element.name}" in\n${text}`)
}

function refIn(snapshot: string, { role, name, after }: ElementName): string | undefined {
  const lines = snapshot.slice(snapshot.indexOf('### Snapshot')).split('\n')
  const start = after === undefined ? 0 : lines.findIndex((line) => line.includes(after))
  if (start === -1) return undefined
  const line = lines.slice(start).find((one) =>
    one
      .trim()
      .replace(/^- '?/, '')
      .startsWith(`${role} ${JSON.stringify(name)}`),
  )
  return line && /\[ref=(\w+)\]/.exec(line)?.[1]
}
