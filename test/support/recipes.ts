// The recipes of a page of docs/: blocks of commands, each with what it prints, and the application that most of them are about.

import { expect } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'
import process from 'node:process'
import { binary } from './client.ts'

export type Recipe = readonly [title: string, script: string, printed: string]

const RECIPE = /^##+ (.+)\n(?:(?!^#)[^])*?```sh\n([^]*?)```\n\n```text\n([^]*?)```/gm

export const readRecipes = (page: string): readonly Recipe[] =>
  [...readFileSync(resolve(import.meta.dir, '../../docs', page), 'utf8').matchAll(RECIPE)].map(
    ([, title = '', script = '', printed = '']) => [title, script, printed] as const,
  )

// An application on its port, with a page that counts and one to log in.
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

/** The recipe that starts the server of a new Vite application itself. */
export const VITE_RECIPE = 'Test my application'

/** Runs a recipe as it stands on its page, in a shell, and compares what it prints. `after` is run when it has ended. */
export async function runRecipe(
  [title, script, printed]: Recipe,
  {
    folder,
    env,
    after = '',
  }: { readonly folder: string; readonly env: Readonly<Record<string, string>>; readonly after?: string },
): Promise<void> {
  writeFileSync(join(folder, 'app.cjs'), app)
  const end = [...(title === VITE_RECIPE ? [] : ['kill $app']), after].filter(Boolean).join('; ')
  const server =
    title === VITE_RECIPE
      ? ''
      : 'node app.cjs > app.log & app=$!\nuntil curl -fso /dev/null http://127.0.0.1:5199/; do sleep 0.05; done\n'
  const child = Bun.spawn(['bash', '-euo', 'pipefail', '-c', `trap '${end}' EXIT\n${server}${script}`], {
    cwd: folder,
    env: {
      ...process.env,
      ...env,
      FOOTLIGHT_HEADLESS: 'true',
      PATH: [dirname(binary), process.env['PATH']].join(delimiter),
    },
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
}

// --- internal ---

/** A line as the page prints it, where … stands for anything. */
const pattern = (line: string): RegExp =>
  new RegExp(
    `^${line
      .split('…')
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')}${line.endsWith('…') ? '' : '$'}`,
  )
