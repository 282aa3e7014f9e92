// A small project with Playwright tests, and the application that they test.

import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

export interface TestProject {
  readonly folder: string
  write(files: Readonly<Record<string, string>>): void
  /** The names of all its files, without packages. */
  files(): string[]
  remove(): void
}

/** The page requests its items, which fails on the server. The address is the first argument of the program. */
const application = `
const http = require('node:http')
http.createServer((request, response) => {
  if (request.url === '/api/items') {
    console.error('Error: the database is down')
    console.log('items were requested')
    return response.writeHead(500, { 'content-type': 'application/json' }).end('{"error":"no database"}')
  }
  if (request.url !== '/') return response.writeHead(404).end()
  response.writeHead(200, { 'content-type': 'text/html' }).end(\`<title>Shop</title><h1>Items</h1><button>Add</button>
    <script>fetch('/api/items').then(({ ok }) => { if (!ok) throw new Error('cannot load items') })</script>\`)
}).listen(Number(process.env.PORT), '127.0.0.1')
`

/** The block of a configuration that starts the application at a port. */
export const webServer = (port: number): string =>
  `webServer: { command: 'node application.cjs', url: 'http://127.0.0.1:${port}', env: { PORT: '${port}' } }, use: { baseURL: 'http://127.0.0.1:${port}' }`

/** Creates a project with these files; it has the packages of this repository unless they are declined. */
export function createTestProject(
  files: Readonly<Record<string, string>>,
  { hasPackages = true } = {},
): TestProject {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fl-project-')))
  if (hasPackages)
    symlinkSync(resolve(import.meta.dir, '../../node_modules'), join(folder, 'node_modules'), 'junction')
  const write: TestProject['write'] = (texts) => {
    for (const [path, text] of Object.entries(texts)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
  }
  write({ 'package.json': '{}', 'application.cjs': application, ...files })
  return {
    folder,
    write,
    files: () => listFiles(folder).sort(),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

function listFiles(folder: string, prefix = ''): string[] {
  return readdirSync(join(folder, prefix), { withFileTypes: true }).flatMap((entry) => {
    const path = join(prefix, entry.name)
    if (entry.name === 'node_modules') return []
    return entry.isDirectory() ? listFiles(folder, path) : [path]
  })
}
