// Ten starts and ten restarts of real stacks, fetched from the npm registry into a temporary folder: every answer must give one and the
// same origin, the one that the server announces, and its page must be alive there. Run it with `bun test/apps/addresses.ts [vite|next|both]`;
// it is no part of `bun test`.

import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { connect, type Peer } from '../support/client.ts'
import { install } from '../support/npm.ts'

const ROUNDS = Number(process.env['ROUNDS'] ?? 10)

interface Stack {
  readonly packages: readonly string[]
  readonly files: Readonly<Record<string, string>>
  readonly command: string
  /** What it announces; `PORT` is the port that it was given. */
  readonly origin: string
}

const counter = `const button = document.createElement('button'); let count = 0
button.id = 'counter'; button.textContent = '0'; button.onclick = () => (button.textContent = String(++count)); document.body.append(button)`
const vite = {
  'index.html': '<!doctype html><title>App</title><script type="module" src="/main.js"></script>',
  'main.js': counter,
}

const stacks: Readonly<Record<string, Stack>> = {
  vite: {
    packages: ['vite@8.3.8'],
    files: vite,
    command: 'npx vite --port 5317 --strictPort',
    origin: 'http://localhost:5317',
  },
  next: {
    packages: ['next@16.4.6', 'react@19.3.1', 'react-dom@19.3.1'],
    files: {
      'app/layout.js':
        'export default function Layout({ children }) { return <html><body>{children}</body></html> }',
      'app/page.js': `'use client'
import { useState } from 'react'
export default function Page() { const [count, setCount] = useState(0); return <button id="counter" onClick={() => setCount(count + 1)}>{count}</button> }`,
    },
    command: 'npx next dev',
    origin: 'http://localhost:PORT',
  },
  both: {
    packages: ['vite@8.3.8', 'concurrently@10.0.7'],
    files: {
      ...vite,
      'api.mjs': `import { createServer } from 'node:http'
const port = process.env.PORT ?? 4000
createServer((request, response) => response.setHeader('content-type', 'application/json').end('{"api":true}'))
  .listen(port, () => console.log('API at http://localhost:' + port))`,
    },
    command: 'npx concurrently "node api.mjs" "vite --port 5318 --strictPort"',
    origin: 'http://localhost:5318',
  },
}

function place(folder: string, files: Stack['files']): void {
  for (const [path, text] of Object.entries({
    ...files,
    'package.json': '{"type":"module","private":true}',
  })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

// A page that is alive counts; one whose scripts were refused shows the same and does nothing.
async function counts(peer: Peer, sessionId: string, url: string): Promise<boolean> {
  await peer.call('navigate', { sessionId, url, timeout: 120_000 })
  await peer.call('wait_for', { sessionId, selector: '#counter', timeout: 60_000 })
  const script = `async () => { for (let left = 200; left > 0; left--) { document.querySelector('#counter').click(); await new Promise((done) => setTimeout(done, 100)); if (document.querySelector('#counter').textContent !== '0') return true } return false }`
  const { data } = await peer.call('evaluate', { sessionId, script, timeout: 60_000 })
  return data.result === true
}

async function measure(name: string, { packages, files, command, origin }: Stack): Promise<boolean> {
  const fetched = install(...packages)
  place(fetched.folder, files)
  const peer = await connect({ env: { NEXT_TELEMETRY_DISABLED: '1' } })
  let [right, alive, started] = [0, 0, 0]
  const wrong: string[] = []
  const judge = (url: string, port: number) => {
    const expected = origin.replace('PORT', String(port))
    if (url && new URL(url).origin === expected) right += 1
    else wrong.push(String(url))
  }
  const since = performance.now()
  for (let round = 0; round < ROUNDS; round++) {
    const first = (await peer.call('create_session', { command, cwd: fetched.folder, readyTimeout: 120_000 }))
      .data
    if (!first.url) wrong.push(JSON.stringify(first).slice(0, 1000))
    if (!first.url) continue
    started += 1
    judge(first.url, first.port)
    alive += Number(await counts(peer, first.sessionId, first.url))
    const again = (await peer.call('restart_server', { sessionId: first.sessionId })).data
    judge(again.url, first.port)
    alive += Number(await counts(peer, first.sessionId, again.url))
    await peer.call('close_session', { sessionId: first.sessionId })
  }
  const seconds = Math.round((performance.now() - since) / 1000)
  console.log(
    `${name}: ${right} of ${2 * ROUNDS} addresses right, ${alive} of ${2 * ROUNDS} pages alive, ${started} starts, ${seconds} s`,
  )
  for (const one of wrong) console.log(`  ${one}`)
  await peer.close()
  fetched.remove()
  return right === 2 * ROUNDS && alive === 2 * ROUNDS
}

const wanted = process.argv.slice(2)
let passed = true
for (const [name, stack] of Object.entries(stacks))
  if (wanted.length === 0 || wanted.includes(name)) passed = (await measure(name, stack)) && passed
process.exit(passed ? 0 : 1)
