// `bun bench/changes/two-servers.ts`: applications of two servers in five kinds, ten changes each of the second server alone. How often `compare`
// sees the change, and how often it says wrongly that nothing differs or that all is in the diff. After each comparison the servers of the
// session, the index and the files of the user are looked at: they are as before. `--kinds worker,PORT`, `--changes 0,4`, `--verbose`,
// `--binary FILE` (instead of `dist/footlight`). The table goes to stdout. Vite, Express and concurrently come from the package registry.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { binary, callOrThrow, connect, type Peer } from '../../test/support/client.ts'
import { until } from '../../test/support/leftovers.ts'
import { reservePort } from '../../test/support/reserve-port.ts'
import { edit, git } from '../../test/support/small-shop.ts'
import { createTwoServers, type TwoServerApp, twoServers } from '../../test/support/two-servers.ts'

const { values } = parseArgs({
  options: {
    kinds: { type: 'string' },
    changes: { type: 'string' },
    verbose: { type: 'boolean', default: false },
    binary: { type: 'string', default: binary },
  },
})
const numbers = values.changes?.split(',').map(Number)

interface Row {
  readonly kind: string
  readonly isSeen: boolean
  readonly isWrong: boolean
  readonly isRestored: boolean
  readonly seconds: number
}

/** Ten changes of the second server that a user notices: each replaces a text of `server/teas.js`. */
const apiChanges: readonly (readonly [before: string, after: string])[] = [
  ["name: 'Assam', stock: 30", "name: 'Assam', stock: 0"],
  ["name: 'Darjeeling', stock: 12, price: 9.5", "name: 'Darjeeling', stock: 12, price: 11"],
  ["name: 'Rooibos'", "name: 'Honeybush'"],
  ["  { id: 3, name: 'Rooibos', stock: 4, price: 5 },\n", ''],
  ["exports.note = ''", "exports.note = 'Closed on Monday'"],
  ['exports.order = (a, b) => a.id - b.id', 'exports.order = (a, b) => b.id - a.id'],
  ['exports.status = 200', 'exports.status = 500'],
  ['exports.rate = 1', 'exports.rate = 1.2'],
  ["exports.currency = '€'", "exports.currency = 'EUR'"],
  ['exports.least = 0', 'exports.least = 5'],
]

const REGISTRY_PACKAGES = { vite: '8', express: '5', concurrently: '9' }
const root = realpathSync(mkdtempSync(join(tmpdir(), 'fl-servers-')))
const rows: Row[] = []
const kinds = ['Vite and Express', 'worker', 'fixed port', 'PORT + 1', 'port in a file'] as const
try {
  for (const kind of kinds)
    if (values.kinds?.split(',').some((name) => kind.includes(name)) ?? true) await measureKind(kind)
  report()
} finally {
  rmSync(root, { recursive: true, force: true })
}

async function measureKind(kind: (typeof kinds)[number]): Promise<void> {
  const folder = mkdtempSync(join(root, 'app-'))
  const port = await reservePort()
  const app = kind === 'Vite and Express' ? viteAndExpress(port) : twoServers(kind, port, `${folder}.port`)
  createTwoServers(folder, app)
  if (kind === 'Vite and Express')
    execFileSync('npm', ['install', '--no-audit', '--no-fund'], { cwd: folder })
  const args = ['--headless', '--tools', '+compare', '--output-dir', `${folder}-out`]
  const peer = await connect({ command: [values.binary], args, cwd: folder })
  try {
    const { sessionId, url } = await callOrThrow(peer, 'create_session', {
      command: app.command,
      cwd: folder,
    })
    for (const [index, change] of apiChanges.entries())
      if (numbers?.includes(index) ?? true) await measure(peer, { kind, folder, sessionId, url, change })
  } finally {
    await peer.close()
  }
}

interface Measured {
  readonly kind: string
  readonly folder: string
  readonly sessionId: string
  readonly url: string
  readonly change: readonly [before: string, after: string]
}

async function measure(peer: Peer, { kind, folder, sessionId, url, change }: Measured): Promise<void> {
  edit(folder, 'server/teas.js', ...change)
  const before = stateOf(folder)
  const startTime = performance.now()
  const { data: answer }: any = await peer.call('compare', { sessionId, base: 'HEAD', flow: ['/'] })
  const seconds = (performance.now() - startTime) / 1000
  const message = String(answer.message ?? '')
  const isSeen = answer.steps?.length > 0
  const isRestored =
    JSON.stringify(stateOf(folder)) === JSON.stringify(before) && (await answers(url, change))
  rows.push({ kind, isSeen, isWrong: isWrongly(message, isSeen, answer), isRestored, seconds })
  git(folder, 'checkout', '--quiet', '.')
  console.error(kind, change[1] || 'removed', isSeen, isRestored, seconds.toFixed(1), message)
  if (values.verbose) console.error(JSON.stringify(answer, undefined, 1))
}

/** A change was made, so it is wrong that nothing differs; and that all is in the diff, where it was not seen. */
function isWrongly(message: string, isSeen: boolean, { errorCode }: any): boolean {
  return (
    errorCode !== undefined ||
    /Nothing differs/.test(message) ||
    (!isSeen && /all are in the diff/.test(message))
  )
}

/** What git and the file system say of the user's files and index. */
function stateOf(folder: string) {
  return {
    index: readFileSync(join(folder, '.git/index')).toString('base64'),
    time: statSync(join(folder, '.git/index')).mtimeMs,
    status: git(folder, '--no-optional-locks', 'status', '--short'),
    worktrees: git(folder, 'worktree', 'list'),
  }
}

/** Whether both servers of the session run, in the version of the work tree. One may be up a moment after the other. */
async function answers(url: string, [before]: readonly [string, string]): Promise<boolean> {
  const status = before.includes('status') ? 500 : 200
  const statusOf = async (path: string) => (await fetch(new URL(path, url)).catch(() => undefined))?.status
  return until(
    async () => (await statusOf('/')) === 200 && (await statusOf('/api/teas')) === status,
    30_000,
    200,
  )
}

function viteAndExpress(port: number): TwoServerApp {
  const app = twoServers('fixed port', port, '')
  const { 'server/api.js': _, 'web.js': __, ...files } = app.files
  const manifest = {
    private: true,
    scripts: { dev: 'concurrently "node server/express.cjs" "vite"' },
    dependencies: REGISTRY_PACKAGES,
  }
  return {
    command: 'npm run dev',
    files: {
      'package.json': JSON.stringify(manifest),
      '.gitignore': 'node_modules\npackage-lock.json\n',
      'vite.config.mjs': `export default { server: { port: Number(process.env.PORT), proxy: { '/api': 'http://localhost:${port}' } } }\n`,
      'index.html': files['public/index.html'] ?? '',
      'server/teas.js': files['server/teas.js'] ?? '',
      'server/express.cjs': `const express = require('express')
const shop = require('./teas.js')
const app = express()
app.get('/api/teas', (request, response) => response.status(shop.status).json({
  note: shop.note,
  teas: shop.teas.filter(({ stock }) => stock >= shop.least || stock === 0).sort(shop.order).map((tea) => ({ ...tea, price: shop.currency + ' ' + (tea.price * shop.rate).toFixed(2) })),
}))
app.listen(${port})
`,
    },
  }
}

function report(): void {
  const lines = [...Map.groupBy(rows, ({ kind }) => kind)].map(([kind, list]) => {
    const count = (has: (row: Row) => boolean) => `${list.filter(has).length} of ${list.length}`
    return `| ${kind} | ${count((row) => row.isSeen)} | ${count((row) => row.isWrong)} | ${count((row) => row.isRestored)} |`
  })
  const seconds = rows.map((row) => row.seconds).toSorted((a, b) => a - b)
  console.log(
    '| second server | change seen | wrongly nothing, or all in the diff | servers, index and files as before |',
  )
  console.log(['| --- | --- | --- | --- |', ...lines].join('\n'))
  console.log(
    `Seconds: ${seconds[Math.floor(seconds.length / 2)]?.toFixed(1)} (median), ${seconds.at(-1)?.toFixed(1)} at most.`,
  )
}
