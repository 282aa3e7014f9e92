// Real MCP clients: each opens a session, reads a page, clicks, and receives the evidence of clicks that fail, over stdio and HTTP. Clients
// that ask a model have a scripted one on loopback: what does it see of a screenshot, and what does a failing click cost it? Run it with
// `bun run test:clients [NAME...]`; it writes the table of docs/project/tested-clients.md. A folder in REQUESTS gets what the models were asked.

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { type ClientResult, clientTitles, pinnedVersionOf } from '../../scripts/docs/tested-clients.ts'
import type { AgentClient } from './agents/agent-client.ts'
import { clients } from './agents/clients.ts'
import { type Run, runAgent } from './agents/run.ts'
import { directClients, runDirect } from './direct/clients.ts'
import type { DirectClient } from './direct/direct-client.ts'
import { checkSetupFiles } from './direct/setup-files.ts'
import type { UsedEra } from './recorder.ts'
import { writeResults } from './results.ts'
import { checkSchemas } from './schemas.ts'
import type { Way } from './stage.ts'
import { problemsOf, rowOf, tableHead } from './verdict.ts'

const checks: Readonly<Record<string, () => Promise<readonly string[]>>> = {
  schemas: checkSchemas,
  'setup-files': checkSetupFiles,
}
const wanted = process.argv.slice(2)
const known = [...Object.keys(checks), ...Object.keys(directClients), ...Object.keys(clients)]
const unknown = wanted.filter((name) => !known.includes(name))
if (unknown.length > 0) throw new Error(`no client ${unknown.join(', ')}; there are ${known.join(', ')}`)
const isWanted = ([name]: readonly [string, unknown]): boolean => wanted.length === 0 || wanted.includes(name)
const rows: string[] = []
const results: ClientResult[] = []
let failures = 0
for (const [name, check] of Object.entries(checks).filter(isWanted)) await attempt(name, check)
for (const [name, client] of Object.entries(directClients).filter(isWanted)) await runInEachEra(name, client)
for (const [name, client] of Object.entries(clients).filter(isWanted)) await runInEachWay(name, client)
const ran = Object.keys({ ...directClients, ...clients }).filter((name) => isWanted([name, undefined]))
writeResults(ran, results)
if (rows.length > 0) console.log(['', tableHead, ...rows].join('\n'))
process.exit(failures === 0 ? 0 : 1)

// --- internal ---

async function attempt(title: string, run: () => Promise<readonly string[]>): Promise<boolean> {
  const since = performance.now()
  const problems = await run().catch((error: Error) => [error.message])
  const seconds = Math.round((performance.now() - since) / 1000)
  console.log(`${problems.length === 0 ? 'passed' : 'FAILED'}: ${title}, ${seconds} s`)
  for (const problem of problems) console.log(`  ${problem}`)
  if (problems.length > 0) failures += 1
  return problems.length === 0
}

async function runInEachEra(name: string, client: DirectClient): Promise<void> {
  for (const way of ['stdio', 'http'] as const)
    for (const era of client.eras)
      await attempt(`${name}, ${way}, ${era}`, async () => {
        const { problems, usedEra } = await runDirect(client, way, era)
        if (usedEra && problems.length === 0) results.push(resultOf(name, way, usedEra))
        return problems
      })
}

async function runInEachWay(name: string, client: AgentClient): Promise<void> {
  const ways: readonly Way[] = client.setup ? ['stdio', 'project', 'http'] : ['stdio', 'http']
  for (const way of ways)
    await attempt(`${name}, ${way}`, () => runAgent(client, way, (run) => judge(name, way, run)))
}

function judge(name: string, way: Way, run: Run): readonly string[] {
  const problems = problemsOf(run)
  rows.push(rowOf(`${name}, ${way}`, run))
  if (problems.length > 0) console.log(run.output.slice(-3000))
  else if (run.usedEra) results.push(resultOf(name, way, run.usedEra))
  keep(`${name}-${way}`, run)
  return problems
}

function resultOf(client: string, way: Way, usedEra: UsedEra): ClientResult {
  const version = pinnedVersionOf(clientTitles[client]?.package ?? '')
  return { client, version, way, ...usedEra }
}

function keep(name: string, { recorded, output }: Run): void {
  const folder = process.env['REQUESTS']
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  const bodies = recorded.map(({ method, path, body }) => `${method} ${path}\n${body}`)
  writeFileSync(join(folder, `${name}.txt`), [...bodies, output].join('\n\n'))
}
