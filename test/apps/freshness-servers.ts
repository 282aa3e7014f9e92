// Servers without a build tool, written into a folder: they send files as they are, or keep what they have read.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

const STATIC_SERVER = `import { createServer } from 'node:http'
import { readFileSync } from 'node:fs'
createServer((request, response) => {
  response.setHeader('content-type', request.url === '/app.js' ? 'text/javascript' : 'text/html')
  response.end(readFileSync(request.url === '/app.js' ? 'app.js' : 'index.html'))
}).listen(process.env.PORT)`

const SERVER = `import { createServer } from 'node:http'
import { title } from './title.mjs'
createServer((request, response) => {
  response.setHeader('content-type', 'text/html')
  response.end('<h1>' + title + '</h1>')
}).listen(process.env.PORT)`

/** A page whose files are read for each request. */
export async function serveStatically(folder: string): Promise<void> {
  writeFileSync(join(folder, 'server.mjs'), STATIC_SERVER)
  writeFileSync(join(folder, 'index.html'), '<h1>First title</h1><script src="/app.js"></script>')
  writeFileSync(join(folder, 'app.js'), '')
}

/** A page whose files are read once. */
export async function serveFromMemory(folder: string): Promise<void> {
  await serveStatically(folder)
  const server = STATIC_SERVER.replace('createServer((', 'const known = {}\ncreateServer((').replace(
    /readFileSync\((.*)\)\)$/m,
    '(known[request.url] ??= readFileSync($1)))',
  )
  writeFileSync(join(folder, 'server.mjs'), server)
}

/** A server that must be restarted after a change. */
export async function startWithoutWatch(folder: string): Promise<void> {
  writeFileSync(join(folder, 'server.mjs'), SERVER)
  writeFileSync(join(folder, 'title.mjs'), "export const title = 'First title'")
}

/** A page whose files a browser may keep for an hour. */
export async function serveForAnHour(folder: string): Promise<void> {
  await serveStatically(folder)
  const server = STATIC_SERVER.replace(
    'response.end',
    "response.setHeader('cache-control', 'max-age=3600')\n  response.end",
  )
  writeFileSync(join(folder, 'server.mjs'), server)
}
