// A project whose pages show a word of each of their files, served by a server that sends files as they are and by Vite.

import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { installed } from '../../test/apps/packages.ts'

export const STACKS = ['static', 'vite'] as const
export type Stack = (typeof STACKS)[number]

// Browsers may keep what it sends for an hour. `/view/NAME` is rendered from a template that is read once, `/words/NAME` from data that is
// read each time.
const SERVER = `import { createServer } from 'node:http'
import { appendFileSync, existsSync, mkdirSync, openSync, readFileSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { greeting } from './server/greeting.mjs'
const types = { js: 'text/javascript', mjs: 'text/javascript', css: 'text/css', html: 'text/html', json: 'application/json', svg: 'image/svg+xml' }
const templates = new Map()
const database = openSync('app.sqlite3', 'a')
createServer((request, response) => {
  const path = decodeURIComponent(request.url.split('?')[0])
  appendFileSync('access.log', path + '\\n')
  writeSync(database, path)
  response.setHeader('cache-control', 'max-age=3600')
  if (request.method === 'POST') {
    mkdirSync('uploads', { recursive: true })
    writeFileSync('uploads/' + Date.now() + '.txt', 'x')
    writeFileSync('state.json', JSON.stringify({ at: Date.now() }))
    return response.end('ok')
  }
  if (path === '/greeting') return response.setHeader('content-type', 'text/html').end('<h1>' + greeting + '</h1>')
  const [, kind, name] = path.split('/')
  if (kind === 'view') {
    if (!templates.has(name)) templates.set(name, readFileSync('views/' + name + '.liquid', 'utf8'))
    return response.setHeader('content-type', 'text/html').end(templates.get(name))
  }
  if (kind === 'words') return response.end(readFileSync('content/' + name + '.yaml', 'utf8'))
  const file = '.' + (path.endsWith('/') ? path + 'index.html' : path)
  if (!existsSync(file) || !statSync(file).isFile()) return response.writeHead(404).end('none')
  response.setHeader('content-type', types[file.split('.').pop()] ?? 'text/plain').end(readFileSync(file))
}).listen(process.env.PORT)
`

export const COMMANDS: Readonly<Record<Stack, string>> = {
  static: 'node server.mjs',
  vite: 'node node_modules/vite/bin/vite.js --port $PORT --strictPort',
}

export function write(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

/** The text of a file that shows a word. */
export const textOf = (path: string, word: string): string => {
  if (path.endsWith('.html') || path.endsWith('.liquid'))
    return `<!doctype html><title>x</title><h1>${word}</h1>`
  if (path.endsWith('.css')) return `:root { --word: ${word} }`
  if (path.endsWith('.json')) return JSON.stringify({ word })
  if (path.endsWith('.svg')) return `<svg xmlns="http://www.w3.org/2000/svg"><text>${word}</text></svg>`
  if (path.endsWith('.yaml')) return `word: ${word}\n`
  return `export const word = '${word}'\nglobalThis.words = (globalThis.words ?? '') + ' ' + word\n`
}

/** A page in a folder of its own; `more` is what its document has too. */
export function writePage(folder: string, name: string, more = ''): void {
  const parts = ['app.js', 'lib.js', 'data.json', 'style.css', 'logo.svg']
  for (const part of parts) write(folder, `${name}/${part}`, textOf(part, `old-${part}`))
  write(
    folder,
    `${name}/app.js`,
    `import './lib.js'\n${textOf('app.js', 'old-app.js')}
for (const part of ['data.json', 'logo.svg'])
  globalThis.words += await (await fetch('/${name}/' + part)).text()
document.body.dataset.done = 'yes'\n`,
  )
  write(
    folder,
    `${name}/index.html`,
    `<!doctype html><title>x</title><link rel="stylesheet" href="/${name}/style.css"><h1>old-index.html</h1>
<script type="module" src="/${name}/app.js"></script>${more}\n`,
  )
}

export async function writeProject(folder: string): Promise<void> {
  write(folder, 'server.mjs', SERVER)
  write(folder, 'server/greeting.mjs', "export const greeting = 'old-greeting'\n")
  write(folder, 'package.json', '{"name": "x", "private": true, "type": "module"}\n')
  write(folder, 'vite.config.js', "export default { cacheDir: '.vite', clearScreen: false }\n")
  write(folder, '.gitignore', 'node_modules\n.vite\naccess.log\n')
  for (const path of [
    'README.md',
    'LICENSE',
    'test/a.test.js',
    'src/a.spec.ts',
    'docs/guide.md',
    'unused.js',
    'unused.css',
  ])
    write(folder, path, 'first\n')
  symlinkSync(join(await installed('vite-react'), 'vite-react', 'node_modules'), join(folder, 'node_modules'))
}
