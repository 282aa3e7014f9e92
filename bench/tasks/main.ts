// `bun bench/tasks/main.ts`: ten tasks with each server, or with each tool of the shell (`--shells`), by the rule of driver.ts. `--runs N`,
// `--task TEXT` and `--server TEXT` (a part of the name), `--show` (prints every call and answer), `--packages FOLDER` (with the peers installed). The tables go to stdout.

import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { endPeer, findBenchBrowser, preparePackages } from '../peers.ts'
import { createAgent } from './agent.ts'
import { formatReport, SERVERS, SHELLS } from './report.ts'
import { measureTask, readListing, type Result } from './run.ts'
import { createServers } from './servers.ts'
import { PLAYWRIGHT_CLI, prepareShells } from './shells.ts'
import { tasks } from './tasks.ts'
import { report as upload } from './tasks/files.ts'

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '3' },
    task: { type: 'string', default: '' },
    server: { type: 'string', default: '' },
    shells: { type: 'boolean', default: false },
    packages: { type: 'string' },
    show: { type: 'boolean', default: false },
  },
})
const executablePath = findBenchBrowser()
const fetched = preparePackages(values.packages, PLAYWRIGHT_CLI)
const cwd = mkdtempSync(join(tmpdir(), 'fl-tasks-'))
writeFileSync(join(cwd, upload.name), upload.text)
copyFileSync(join(import.meta.dir, 'ledger-app.mjs'), join(cwd, 'ledger-app.mjs'))

const chosenTasks = tasks.filter(({ name }) => name.includes(values.task))
const report = (text: string) => values.show && console.error(text)
const { contenders, end } = await (values.shells ? startShells() : startServers())
const chosen = contenders.filter(({ name }) => name.includes(values.server))
const results: Result[] = []
for (let run = 0; run < Number(values.runs); run += 1)
  for (const task of chosenTasks)
    for (const contender of chosen) {
      console.error(`bench: ${task.name}, ${contender.name} …`)
      results.push(await measureTask(task, contender, contender.createAgent()))
    }
await end()
rmSync(cwd, { recursive: true, force: true })
fetched.remove()
const guideTokens = new Map(chosen.map((contender) => [contender.name, contender.guideTokens]))
console.log(formatReport(results, guideTokens, values.shells ? SHELLS : SERVERS))
process.exit(0)

// --- internal ---

async function startShells() {
  const { shells, env, end } = prepareShells(fetched.folder, executablePath, cwd)
  const createShellAgent = () => createAgent(undefined, { cwd, env, report })
  return { contenders: shells.map((shell) => ({ ...shell, createAgent: createShellAgent })), end }
}

async function startServers() {
  const servers = createServers(fetched.folder, executablePath, cwd).filter(({ name }) =>
    name.includes(values.server),
  )
  const started = await Promise.all(servers.map(async (server) => ({ server, peer: await server.start() })))
  const contenders = await Promise.all(
    started.map(async ({ server, peer }) => {
      const { tools, tokens } = await readListing(peer)
      return {
        ...server,
        guideTokens: tokens,
        createAgent: () => createAgent({ peer, tools }, { cwd, report }),
      }
    }),
  )
  const end = () => Promise.all(started.map(({ server, peer }) => endPeer(peer, server.name)))
  return { contenders, end }
}
