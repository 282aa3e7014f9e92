// The critical steps of testing a web application, done by one and the same agent with Footlight and with @playwright/mcp beside it, on the
// same pages: what each answered, what was then so, and what it cost. Run it with `bun test/apps/beside.ts [beginnings of steps]`; it is no part
// of `bun test`. TURNS=1 shows the answers. It fails where Footlight has no right result and the other has.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { countTokens } from 'gpt-tokenizer'
import { connect, type Peer } from '../support/client.ts'
import { reservePort } from '../support/reserve-port.ts'
import { agentOf, answered, type Agent, type Turn, type Vocabulary } from './beside/agent.ts'
import { bundle, installed } from './beside/packages.ts'
import { servePages } from './beside/pages.ts'
import { crashing, startCrashing, startNext } from './beside/servers.ts'
import type { Place, Step } from './beside/step.ts'
import { steps } from './beside/steps.ts'
import { tableOf, worse, type Outcome } from './beside/table.ts'
import { footlight, playwrightMcp } from './beside/vocabulary.ts'

const EXECUTABLE = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
const root = process.getuid?.() === 0

interface Contender {
  readonly peer: Peer
  /** A new agent, whose page knows nothing of the step before. */
  agent(): Promise<Agent>
  truth(expression: string): Promise<boolean>
  /** The server that ends when it is asked. */
  readonly server: string
  close(): Promise<void>
}

async function startOwn(folder: string): Promise<Contender> {
  const peer = await connect({ args: ['--headless', '--executable-path', EXECUTABLE], cwd: folder })
  const opened = await peer.call('create_session', { command: ['node', crashing], cwd: folder })
  const { sessionId, url } = opened.data
  const words: Vocabulary = footlight(sessionId)
  return {
    peer,
    server: url,
    async agent() {
      await blank(
        peer,
        ['navigate', { sessionId, url: 'about:blank' }],
        ['handle_dialog', { sessionId, accept: true }],
      )
      return agentOf(peer, words)
    },
    truth: async (script) => (await peer.call('evaluate', { sessionId, script })).data?.result === true,
    close: () => peer.close(),
  }
}

async function startOther(folder: string, packages: string): Promise<Contender> {
  const server = await startCrashing()
  const peer = await connect({
    command: ['node', join(packages, 'node_modules/@playwright/mcp/cli.js')],
    args: ['--headless', '--isolated', '--executable-path', EXECUTABLE, ...(root ? ['--no-sandbox'] : [])],
    cwd: folder,
  })
  return {
    peer,
    server: server.url,
    async agent() {
      await blank(
        peer,
        ['browser_navigate', { url: 'about:blank' }],
        ['browser_handle_dialog', { accept: true }],
      )
      return agentOf(peer, playwrightMcp)
    },
    async truth(expression) {
      const { text } = await answered(peer, 'browser_evaluate', { function: `() => ${expression}` })
      return /### Result\s+true/.test(text)
    },
    async close() {
      await peer.client.close()
      // Its folder of output is no leftover of Footlight.
      await peer.trace.expectNothing().catch(() => {})
      server.close()
    },
  }
}

type Call = readonly [tool: string, input: Record<string, unknown>]
async function blank(peer: Peer, leave: Call, answer: Call): Promise<void> {
  const { failed } = await answered(peer, ...leave)
  if (failed) await answered(peer, ...answer)
  await answered(peer, ...leave)
}

async function take(
  { name, perform, told, truth }: Step,
  contender: Contender,
  place: Place,
): Promise<Outcome> {
  const agent = await contender.agent()
  let stopped: string | undefined
  let known = false
  try {
    await perform(agent, { ...place, server: contender.server })
    known = await agent.learn(told)
  } catch (error) {
    stopped = String(error)
  }
  const turns: readonly Turn[] = [...agent.turns]
  const so = truth === undefined ? known : await contender.truth(truth)
  if (process.env['TURNS'] !== undefined) show(name, turns, stopped)
  return { turns, told: known, true: so, ...(stopped !== undefined && { stopped }) }
}

function show(name: string, turns: readonly Turn[], stopped?: string): void {
  console.log(`\n=== ${name}${stopped === undefined ? '' : `: ${stopped}`}`)
  for (const { tool, failed, text, ms } of turns)
    console.log(`--- ${tool}${failed ? ' FAILED' : ''} ${Math.round(ms)} ms\n${text}`)
}

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
const wanted = process.argv.slice(2)
const chosen = steps.filter(({ name }) => wanted.length === 0 || wanted.some((word) => name.startsWith(word)))
const folder = mkdtempSync(join(tmpdir(), 'fl-beside-'))
const file = join(folder, 'avatar.txt')
writeFileSync(file, 'face')
const packages = installed()
const next = chosen.some(({ needsNext }) => needsNext) ? await startNext(packages) : undefined
const pages = await servePages(await bundle(packages))
const [own, other] = [await startOwn(folder), await startOther(folder, packages)]
const place = {
  url: pages.url,
  next: next?.url ?? '',
  file,
  dead: `http://127.0.0.1:${await reservePort()}/`,
  server: '',
}
const rows = []
for (const step of chosen) {
  const row = { name: step.name, own: await take(step, own, place), other: await take(step, other, place) }
  rows.push(row)
  console.error(`${row.name}: ${worse(row.own, row.other).join(', ') || 'none worse'}`)
}
console.log(tableOf(rows))
for (const [name, { peer }] of Object.entries({ footlight: own, '@playwright/mcp': other })) {
  const { tools } = await peer.client.listTools()
  // What clients hand to a model of a tool.
  const listed = JSON.stringify(
    tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
  )
  console.log(`${name}: ${tools.length} tools, ${listed.length} bytes, ${countTokens(listed)} tokens`)
}
await own.close()
await other.close()
next?.close()
pages.close()
rmSync(folder, { recursive: true, force: true })
process.exit(rows.some((row) => worse(row.own, row.other).includes('result')) ? 1 : 0)
