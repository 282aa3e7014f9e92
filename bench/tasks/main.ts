// `bun bench/tasks/main.ts`: ten tasks with each server, by the rule of driver.ts. `--runs N`, `--task TEXT` and `--server TEXT` (a part of
// the name), `--show` (prints every call and answer), `--packages FOLDER` (with the peers installed). The tables go to stdout.

import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { formatReport } from './report.ts'
import { measureTask, readListing, type Result } from './run.ts'
import { createServers } from './servers.ts'
import { tasks } from './tasks.ts'
import { report as upload } from './tasks/files.ts'
import { endPeer, versions } from '../peers.ts'
import { findExecutable } from '../../src/browser/process/find-executable.ts'
import { install } from '../../test/support/npm.ts'

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '3' },
    task: { type: 'string', default: '' },
    server: { type: 'string', default: '' },
    packages: { type: 'string' },
    show: { type: 'boolean', default: false },
  },
})
const { path: executablePath } = findExecutable({ browser: 'chromium', headless: true })
if (!executablePath) throw new Error('bench: there is no Chromium; run `bun run setup` first')
const fetched =
  values.packages === undefined
    ? install(...Object.entries(versions).map(([name, version]) => `${name}@${version}`))
    : { folder: values.packages, remove: () => {} }
const cwd = mkdtempSync(join(tmpdir(), 'fl-tasks-'))
writeFileSync(join(cwd, upload.name), upload.text)
copyFileSync(join(import.meta.dir, 'ledger-app.mjs'), join(cwd, 'ledger-app.mjs'))

const servers = createServers(fetched.folder, executablePath, cwd).filter(({ name }) =>
  name.includes(values.server),
)
const chosenTasks = tasks.filter(({ name }) => name.includes(values.task))
const show = (text: string) => values.show && console.error(text)
const results: Result[] = []
const listTokens = new Map<string, number>()
const peers = await Promise.all(servers.map((server) => server.start()))
const listings = await Promise.all(peers.map(readListing))
for (const [index, { name }] of servers.entries()) listTokens.set(name, listings[index]?.tokens ?? 0)
for (let run = 0; run < Number(values.runs); run += 1)
  for (const task of chosenTasks)
    for (const [index, server] of servers.entries()) {
      const [peer, listing] = [peers[index], listings[index]]
      if (!peer || !listing) continue
      console.error(`bench: ${task.name}, ${server.name} …`)
      results.push(await measureTask(task, server, peer, listing, cwd, show))
    }
await Promise.all(peers.map((peer, index) => endPeer(peer, servers[index]?.name ?? '')))
rmSync(cwd, { recursive: true, force: true })
fetched.remove()
console.log(formatReport(results, listTokens))
process.exit(0)
