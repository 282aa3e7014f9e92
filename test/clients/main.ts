// Real MCP clients with a scripted model on loopback: what does a model see of a screenshot, and what does a failing click cost it? Run it
// with `bun run test:clients [NAME...]`. A folder in REQUESTS gets what the model was asked.

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { clients } from './clients.ts'
import { runClient, type Run } from './run.ts'
import { runInspector } from './inspector.ts'
import { checkSchemas } from './schemas.ts'
import { problemsOf, rowOf, tableHead } from './verdict.ts'

// These need no model.
const checks: Readonly<Record<string, () => boolean | Promise<boolean>>> = {
  schemas: checkSchemas,
  inspector: runInspector,
}
const wanted = process.argv.slice(2)
const known = [...Object.keys(clients), ...Object.keys(checks)]
const unknown = wanted.filter((name) => !known.includes(name))
if (unknown.length > 0) throw new Error(`no client ${unknown.join(', ')}; there are ${known.join(', ')}`)
const isWanted = (name: string): boolean => wanted.length === 0 || wanted.includes(name)
const rows: string[] = []
let passed = true
for (const [name, check] of Object.entries(checks))
  if (isWanted(name))
    passed =
      (await Promise.resolve()
        .then(check)
        .catch((error) => broken(name, error))) && passed
for (const [name, client] of Object.entries(clients)) {
  if (!isWanted(name)) continue
  passed =
    (await runClient(client, (run) => report(name, run)).catch((error) => broken(name, error))) && passed
}
console.log(['', tableHead, ...rows].join('\n'))
process.exit(passed ? 0 : 1)

// --- internal ---

function report(name: string, run: Run): boolean {
  const problems = problemsOf(run)
  rows.push(rowOf(name, run))
  console.log(`${problems.length === 0 ? 'passed' : 'FAILED'}: ${name}, ${Math.round(run.ms / 1000)} s`)
  for (const problem of problems) console.log(`  ${problem}`)
  if (problems.length > 0) console.log(run.output.slice(-3000))
  keep(name, run)
  return problems.length === 0
}

function broken(name: string, error: Error): boolean {
  console.log(`FAILED: ${name}: ${error.message}`)
  return false
}

function keep(name: string, { recorded, output }: Run): void {
  const folder = process.env['REQUESTS']
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  const bodies = recorded.map(({ method, path, body }) => `${method} ${path}\n${body}`)
  writeFileSync(join(folder, `${name}.txt`), [...bodies, output].join('\n\n'))
}
