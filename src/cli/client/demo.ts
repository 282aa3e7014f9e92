// A whole session as an agent would run it: this program starts itself as a server over stdio and calls it with the SDK's client.

import { relative } from 'node:path'
import process from 'node:process'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { Settings } from '../options/options.ts'
import { connectTo, dataOf, selfCommand, selfServer } from './own-client.ts'
import { VERSION } from '../version.ts'
import { createFiles } from '../../runtime/files/session-files.ts'

type Data = Record<string, unknown>

/** Runs the demo with the given server options; without a word on it, headless. Answers the exit code. */
export async function demo(settings: Settings, raw: readonly string[]): Promise<number> {
  say(`footlight ${VERSION} demo: one session on a small application, as seen by an agent\n`)
  const since = performance.now()
  const client = await connectTo(selfServer(raw))
  try {
    line('server started over stdio, initialize completed', since)
    return await play(client, settings)
  } finally {
    await client.close()
    say('\nThe server, its browser and its dev server have exited; no process is left.')
  }
}

async function play(client: Client, settings: Settings): Promise<number> {
  const { command, args } = selfCommand(['demo-app'])
  const start = { command: [command, ...args] }
  const opened = await step(client, 'create_session', start, said)
  if (opened.isError) return 1
  const { sessionId, url } = dataOf(opened) as { sessionId: string; url: string }
  const call = (tool: string, input: Data, show: (data: Data) => string) =>
    step(client, tool, { sessionId, ...input }, show)

  await call('navigate', { url }, ({ title, status }) => `"${String(title)}", status ${String(status)}`)
  await call('type', { selector: '#item', text: 'Lamp oil', submit: true }, said)
  await call('type', { selector: '#item', text: 'New curtain', submit: true }, said)
  await call('wait_for', { text: 'Could not save' }, ({ waited }) => `a notice, after ${String(waited)} ms`)
  await call('snapshot', {}, ({ snapshot }) => `\n${indent(String(snapshot))}`)

  say('\n   A deliberate mistake: the notice covers the page, and we click a button under it.\n')
  const missed = await call('click', { selector: '#send', timeout: 1000 }, said)
  tell(missed)

  say('\n   The answer named the covering element and its cause, so we close it and retry.\n')
  await call('click', { selector: '#close' }, said)
  await call('click', { selector: '#send' }, said)
  const sent = await call(
    'wait_for',
    { text: 'Sent 2 items' },
    ({ waited }) => `confirmed by the page, after ${String(waited)} ms`,
  )
  const picture = await call('screenshot', {}, ({ width, height }) => `${String(width)} × ${String(height)}`)
  await save(picture, settings)
  await call('close_session', {}, said)
  return missed.isError && !sent.isError && !picture.isError ? 0 : 1
}

// What came with the failure, without being asked for.
function tell(failed: CallToolResult): void {
  const { evidence } = dataOf(failed) as { evidence?: Record<string, unknown> }
  const rows = ['console', 'requests', 'stderr']
    .filter((name) => evidence?.[name] !== undefined)
    .map((name) => `${name.padEnd(9)} ${JSON.stringify(evidence?.[name])}`)
  const { path } = (evidence?.['screenshot'] ?? {}) as { path?: string }
  const picture = path === undefined ? 'no picture' : `picture   ${relative(process.cwd(), path)}`
  say(['with it:', ...rows, picture].map((text) => `               ${text}`).join('\n'))
}

const said = ({ message }: Data): string => String(message)

async function step(
  client: Client,
  tool: string,
  input: Data,
  show: (data: Data) => string,
): Promise<CallToolResult> {
  const since = performance.now()
  const result = (await client.callTool({ name: tool, arguments: input })) as CallToolResult
  const { sessionId: _, ...shown } = input
  const data = dataOf(result)
  const words = Object.keys(shown).length > 0 ? ` ${JSON.stringify(shown)}` : ''
  line(`${result.isError ? '✗' : '✓'} ${tool}${words}`, since)
  say(`             ${result.isError ? `${String(data['errorCode'])}: ${said(data)}` : show(data)}`)
  return result
}

async function save(picture: CallToolResult, settings: Settings): Promise<void> {
  const image = picture.content.find((block) => block.type === 'image')
  if (!image) return
  const bytes = Buffer.from(image.data, 'base64')
  const file = await createFiles(settings.outputDir).folder('demo').write('demo.png', bytes)
  say(
    `             ${file.ok ? `saved as ${relative(process.cwd(), file.value.path)}` : 'could not be saved'}`,
  )
}

const indent = (text: string): string => text.replace(/^/gm, '               ')
const say = (text: string): void => void process.stdout.write(`${text}\n`)
const line = (text: string, since: number): void =>
  say(`${(performance.now() - since).toFixed(0).padStart(7)} ms  ${text}`)
