// A whole session as an agent would run it: this program starts itself as a server over stdio and calls it with the SDK's client.

import { relative } from 'node:path'
import process from 'node:process'
import type { CallToolResult, Client } from '@modelcontextprotocol/client'
import { createFiles } from '../../core/base/files/session-files.ts'
import type { Settings } from '../../core/cli/options/options.ts'
import { VERSION } from '../../core/cli/options/version.ts'
import { printLine } from '../../core/cli/terminal/output.ts'
import { selfCommand } from '../../core/cli/terminal/start-command.ts'
import { dataOf } from '../lib/calls/save-images.ts'
import { createDemoProject, type DemoProject } from './demo-project.ts'
import { connectClient, createOwnServerTransport } from './own-client.ts'

type Data = Record<string, unknown>

/** Runs the demo with the given server options; without a word on it, headless. Answers the exit code. */
export async function runDemo(settings: Settings, raw: readonly string[]): Promise<number> {
  printLine(`footlight ${VERSION} demo: one session on a small application, as seen by an agent\n`)
  const startedAt = performance.now()
  const client = await connectClient(createOwnServerTransport(raw))
  const project = await createDemoProject()
  try {
    printTimed('server started over stdio, initialize completed', startedAt)
    return await runDemoSession(client, settings, project)
  } finally {
    await client.close()
    project.remove()
    printLine('\nThe server, its browser and its dev server have exited; no process is left.')
    printLine('Now try your own application: footlight up "npm run dev", then footlight snap.')
  }
}

async function runDemoSession(client: Client, settings: Settings, project: DemoProject): Promise<number> {
  const { command, args } = selfCommand(['demo-app'])
  const start = { command: [command, ...args], cwd: project.folder }
  const session = await step(client, 'create_session', start, messageOf)
  if (session.isError) return 1
  const { sessionId, url } = dataOf(session) as { sessionId: string; url: string }
  const call: CallTool = (tool, input, describe) => step(client, tool, { sessionId, ...input }, describe)

  await call('navigate', { url }, ({ title, status }) => `"${String(title)}", status ${String(status)}`)
  await call('type', { selector: '#item', text: 'Lamp oil', submit: true }, messageOf)
  await call('type', { selector: '#item', text: 'New curtain', submit: true }, messageOf)
  await call('wait_for', { text: 'Could not save' }, ({ waited }) => `a notice, after ${String(waited)} ms`)
  await call('snapshot', {}, ({ snapshot }) => `\n${indent(String(snapshot))}`)

  printLine('\n   A deliberate mistake: the notice covers the page, and we click a button under it.\n')
  const failedClick = await call('click', { selector: '#send', timeout: 1000 }, messageOf)
  printEvidence(failedClick)

  printLine('\n   The answer named the covering element and its cause, so we close it and retry.\n')
  await call('click', { selector: '#close' }, messageOf)
  await call('click', { selector: '#send' }, messageOf)
  const confirmation = await call(
    'wait_for',
    { text: 'Sent 2 items' },
    ({ waited }) => `confirmed by the page, after ${String(waited)} ms`,
  )
  const screenshot = await call(
    'screenshot',
    {},
    ({ width, height }) => `${String(width)} × ${String(height)}`,
  )
  await saveScreenshot(screenshot, settings)
  const isVerified = project.hasGit ? await verifyEdit(call, project) : true
  if (!project.hasGit) printLine('\n   There is no git here, so the verdict on an edit is left out.\n')
  await call('close_session', {}, messageOf)
  return failedClick.isError && !confirmation.isError && !screenshot.isError && isVerified ? 0 : 1
}

type CallTool = (
  tool: string,
  input: Data,
  describe: (data: Data, text: string) => string,
) => Promise<CallToolResult>

/** Edits the application, and asks before and after the changed line has run. */
async function verifyEdit(call: CallTool, project: DemoProject): Promise<boolean> {
  const describe = (_: Data, text: string) => `\n${indent(text)}`
  printLine('\n   Now an edit of the application. Is it done? Nothing of it has run yet.\n')
  project.edit()
  const before = await call('verify', {}, describe)
  printLine('\n   So we load it, do what the edit is about, and say what must be true.\n')
  await call('history', { direction: 'reload' }, ({ title }) => `"${String(title)}"`)
  await call('type', { selector: '#item', text: 'Rope', submit: true }, messageOf)
  await call('click', { selector: '#send' }, messageOf)
  const claims = [{ say: 'one item has no s', check: { selector: '#state', text: 'Sent 1 item' } }]
  const after = await call('verify', { claims }, describe)
  return dataOf(before)['verdict'] === 'UNVERIFIED' && dataOf(after)['verdict'] === 'PASS'
}

// What came with the failure, without being asked for.
function printEvidence(result: CallToolResult): void {
  const { evidence } = dataOf(result) as { evidence?: Record<string, unknown> }
  const rows = ['console', 'requests', 'stderr']
    .filter((name) => evidence?.[name] !== undefined)
    .map((name) => `${name.padEnd(9)} ${JSON.stringify(evidence?.[name])}`)
  const { path } = (evidence?.['screenshot'] ?? {}) as { path?: string }
  const screenshot = path === undefined ? 'no picture' : `picture   ${relative(process.cwd(), path)}`
  printLine(['with it:', ...rows, screenshot].map((text) => `               ${text}`).join('\n'))
}

const textOf = ({ content: [block] }: CallToolResult): string => (block?.type === 'text' ? block.text : '')

const messageOf = ({ message }: Data): string => String(message)

async function step(
  client: Client,
  tool: string,
  input: Data,
  describe: (data: Data, text: string) => string,
): Promise<CallToolResult> {
  const startedAt = performance.now()
  const result = await client.callTool({ name: tool, arguments: input })
  const { sessionId: _, ...visibleInput } = input
  const data = dataOf(result)
  const inputText = Object.keys(visibleInput).length > 0 ? ` ${JSON.stringify(visibleInput)}` : ''
  printTimed(`${result.isError ? '✗' : '✓'} ${tool}${inputText}`, startedAt)
  printLine(
    `             ${result.isError ? `${String(data['errorCode'])}: ${messageOf(data)}` : describe(data, textOf(result))}`,
  )
  return result
}

async function saveScreenshot(screenshot: CallToolResult, settings: Settings): Promise<void> {
  const image = screenshot.content.find((block) => block.type === 'image')
  if (!image) return
  const bytes = Buffer.from(image.data, 'base64')
  const file = await createFiles(settings.outputDir).folder('demo').write('demo.png', bytes)
  printLine(
    `             ${file.ok ? `saved as ${relative(process.cwd(), file.value.path)}` : 'could not be saved'}`,
  )
}

const indent = (text: string): string => text.replace(/^/gm, '               ')
const printTimed = (text: string, startedAt: number): void =>
  printLine(`${(performance.now() - startedAt).toFixed(0).padStart(7)} ms  ${text}`)
