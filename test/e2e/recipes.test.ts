// Every recipe of docs/recipes.md is run as it stands there, in a shell, and answers what the page says.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import process from 'node:process'
import { binary } from '../support/client.ts'
import { trace, type Trace } from '../support/leftovers.ts'
import { install, type Fetched } from '../support/npm.ts'

const text = readFileSync(resolve(import.meta.dir, '../../docs/recipes.md'), 'utf8')
const recipes = [...text.matchAll(/^## (.+)\n[^]*?```sh\n([^]*?)```\n\n```text\n([^]*?)```/gm)].map(
  ([, title = '', script = '', printed = '']) => [title, script, printed] as const,
)

// What the other recipes are about: an application on its port, with a page that counts and one to log in.
const app = `
const { createServer } = require('node:http')
const page = (title, body) => '<!doctype html><title>' + title + '</title>' + body
createServer((request, response) => {
  console.log(request.method, request.url)
  const user = /user=(\\w+)/.exec(request.url + ';' + (request.headers.cookie ?? ''))?.[1]
  response.setHeader('content-type', 'text/html')
  if (request.url === '/login') return response.end(page('Log in', '<form action="/enter"><input name="user"><button>Log in</button></form>'))
  if (request.url.startsWith('/enter')) return response.writeHead(302, { 'set-cookie': 'user=' + user, location: '/account' }).end()
  if (request.url === '/account') return response.end(page('Account of ' + user, ''))
  response.end(page('Counter', '<link rel="icon" href="data:,"><button onclick="this.textContent = \\'Count is 1\\'">Count</button>'))
}).listen(5199, '127.0.0.1')`

let folder: string
let fetched: Fetched
let left: Trace
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fl-recipes-'))
  left = trace()
  writeFileSync(join(folder, 'app.cjs'), app)
  fetched = install('create-vite@9.3.0', 'vite@8.3.8')
  const create = join(fetched.folder, 'node_modules/.bin/create-vite')
  spawnSync('node', [create, 'app', '--template', 'vanilla'], { cwd: fetched.folder, input: '' })
}, 300_000)
afterAll(async () => {
  rmSync(folder, { recursive: true })
  fetched.remove()
  await left.expectNothing()
})

/** A line as the page prints it, where … stands for anything. */
const pattern = (line: string): RegExp =>
  new RegExp(
    `^${line
      .split('…')
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')}${line.endsWith('…') ? '' : '$'}`,
  )

test('there are recipes', () => expect(recipes.length).toBeGreaterThanOrEqual(5))

test.each(recipes)(
  '%s',
  async (title, script, printed) => {
    const env = {
      ...process.env,
      ...left.env,
      FOOTLIGHT_HEADLESS: 'true',
      PATH: [dirname(binary), process.env['PATH']].join(delimiter),
    }
    // The first recipe starts the server of a new Vite application itself.
    const isOfVite = title === 'Test my application'
    const server = isOfVite
      ? ''
      : 'node app.cjs > app.log & app=$!; trap "kill $app" EXIT\nuntil curl -fso /dev/null http://127.0.0.1:5199/; do sleep 0.05; done\n'
    const child = Bun.spawn(['bash', '-euo', 'pipefail', '-c', `${server}${script}`], {
      cwd: isOfVite ? join(fetched.folder, 'app') : folder,
      env,
      stderr: 'pipe',
    })
    const [out, errors] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ])
    expect([await child.exited, errors.includes('Error') ? errors : '']).toEqual([0, ''])
    const lines = out.split('\n').filter(Boolean)
    let at = 0
    for (const line of printed.trim().split('\n')) {
      if (line === '…') continue
      const found = lines.findIndex((one, index) => index >= at && pattern(line).test(one))
      expect([line, found >= 0, lines.slice(at, at + 2)]).toEqual([line, true, lines.slice(at, at + 2)])
      at = found + 1
    }
  },
  60_000,
)
