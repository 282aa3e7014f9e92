// An application in a git repository, and changes of it that a user notices.

import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { connect, type Peer } from './client.ts'

const files: Readonly<Record<string, string>> = {
  'server.js': `const { createServer } = require('http')
const { readFileSync } = require('fs')
let visits = 0
createServer((request, response) => {
  const { pathname } = new URL(request.url, 'http://x')
  if (pathname === '/api/price') {
    response.setHeader('content-type', 'application/json')
    return response.end('{"price":5}')
  }
  visits += 1
  const file = pathname === '/' ? '/index.html' : pathname === '/cart' ? '/cart.html' : pathname
  try {
    const text = readFileSync(__dirname + '/public' + file, 'utf8')
    const types = { css: 'text/css', js: 'text/javascript' }
    response.setHeader('content-type', types[file.split('.').pop()] || 'text/html')
    response.end(text.replace('{{visits}}', visits))
  } catch {
    response.statusCode = 404
    response.end('not found')
  }
}).listen(process.env.PORT, () => console.log('http://localhost:' + process.env.PORT))
`,
  'public/index.html': `<!doctype html><title>Shop</title><link rel="stylesheet" href="/style.css">
<h1>Milk shop</h1>
<p class="lead">Fresh every day</p>
<button id="add">Add to cart</button>
<p id="count">0 items</p>
<a href="/cart">Cart</a>
<script src="/app.js"></script>
`,
  'public/cart.html': `<!doctype html><title>Cart</title><link rel="stylesheet" href="/style.css">
<h1>Cart</h1>
<p id="price">Loading</p>
<p class="total">Total</p>
<p>Visit {{visits}}</p>
<script src="/cart.js"></script>
`,
  'public/app.js': `let count = 0
document.querySelector('#add').addEventListener('click', () => {
  count += 1
  document.querySelector('#count').textContent = count + ' items'
})
`,
  'public/cart.js': `const show = (text) => {
  document.querySelector('#price').textContent = text
}
fetch('/api/price')
  .then((response) => response.json())
  .then(({ price }) => show('Price: ' + price), (error) => console.error('no price', error.message))
`,
  'public/style.css': `body { font: 16px sans-serif; margin: 20px }
.lead { color: #333 }
.total { width: 100px }
button { padding: 8px }
`,
}

/** A git that reads no configuration of this machine. */
export const git = (folder: string, ...args: readonly string[]): string => {
  const own = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' }
  const people = ['AUTHOR', 'COMMITTER'].flatMap((role) => [
    [`GIT_${role}_NAME`, 'a'],
    [`GIT_${role}_EMAIL`, 'a@example.org'],
  ])
  const env = { ...process.env, ...own, ...(Object.fromEntries(people) as Record<string, string>) }
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: folder, env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`)
  return stdout
}

/** Writes the application into an empty folder, with one commit on `main`. */
export function createShop(folder: string): void {
  mkdirSync(join(folder, 'public'), { recursive: true })
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text)
  git(folder, 'init', '--quiet', '--initial-branch=main')
  git(folder, 'add', '--all')
  git(folder, 'commit', '--quiet', '--message=shop')
}

export interface Shop {
  readonly folder: string
  /** The output folder. */
  readonly output: string
  readonly peer: Peer
  /** As it was committed. */
  restore(): void
  close(): Promise<void>
}

/** The application in a folder of its own, and a server there. `prepare` adds to what is committed. */
export async function openShop(
  args: readonly string[] = [],
  prepare?: (folder: string) => void,
): Promise<Shop> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fl-shop-')))
  const output = `${folder}-out`
  createShop(folder)
  if (prepare) {
    prepare(folder)
    git(folder, 'add', '--all')
    git(folder, 'commit', '--quiet', '--message=more')
  }
  const peer = await connect({ args: ['--headless', ...args, '--output-dir', output], cwd: folder })
  return {
    folder,
    output,
    peer,
    restore: () => void git(folder, 'checkout', '--quiet', '.'),
    async close() {
      await peer.close()
      for (const path of [folder, output]) rmSync(path, { recursive: true, force: true })
    },
  }
}

/** Replaces a text that must be in a file. */
export function edit(folder: string, path: string, before: string, after: string): void {
  const text = readFileSync(join(folder, path), 'utf8')
  if (!text.includes(before)) throw new Error(`${path} has no ${before}`)
  writeFileSync(join(folder, path), text.replace(before, after))
}
