// Applications of two servers in one git repository, which one command starts: the page, and what it shows. Only the second one is changed.

import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { git } from './small-shop.ts'

/** Where the second server is, and who asks it. */
export type TwoServerKind = 'fixed port' | 'PORT + 1' | 'port in a file' | 'asked by the page' | 'worker'

export interface TwoServerApp {
  readonly command: string
  readonly files: Readonly<Record<string, string>>
}

/** `port` is where the second server of a kind with a fixed one is; `portFile` a file outside of the repository. */
export function twoServers(kind: TwoServerKind, port: number, portFile: string): TwoServerApp {
  const file = JSON.stringify(portFile)
  const listen =
    kind === 'PORT + 1'
      ? 'Number(process.env.PORT) + 1'
      : kind === 'port in a file'
        ? `0, () => require('fs').writeFileSync(${file}, String(server.address().port))`
        : String(port)
  const apiPort =
    kind === 'PORT + 1'
      ? 'Number(process.env.PORT) + 1'
      : kind === 'port in a file'
        ? `Number(require('fs').readFileSync(${file}, 'utf8'))`
        : String(port)
  const address = kind === 'asked by the page' ? `http://localhost:${port}/api/teas` : '/api/teas'
  return {
    // The one that dies alone does not end the other one, as with concurrently.
    command: 'node server/api.js & node web.js; wait',
    files: {
      'server/teas.js': TEAS,
      'server/api.js': apiOf(listen, kind === 'worker'),
      'web.js': webOf(apiPort),
      'public/index.html': pageOf(address),
    },
  }
}

/** Writes the application into an empty folder, with one commit on `main`. */
export function createTwoServers(folder: string, { files }: TwoServerApp): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  git(folder, 'init', '--quiet', '--initial-branch=main')
  git(folder, 'add', '--all')
  git(folder, 'commit', '--quiet', '--message=teas')
}

// --- internal ---

const TEAS = `exports.teas = [
  { id: 1, name: 'Assam', stock: 30, price: 7.5 },
  { id: 2, name: 'Darjeeling', stock: 12, price: 9.5 },
  { id: 3, name: 'Rooibos', stock: 4, price: 5 },
]
exports.order = (a, b) => a.id - b.id
exports.note = ''
exports.rate = 1
exports.currency = '€'
exports.status = 200
exports.least = 0
`

// A worker has computed what it answers before it is asked.
const apiOf = (listen: string, isWorker: boolean): string => `const { createServer } = require('http')
const shop = require('./teas.js')
const compute = () => JSON.stringify({
  note: shop.note,
  teas: shop.teas.filter(({ stock }) => stock >= shop.least || stock === 0).sort(shop.order).map((tea) => ({ ...tea, price: shop.currency + ' ' + (tea.price * shop.rate).toFixed(2) })),
})
let result = compute()
${isWorker ? 'setInterval(() => { result = compute() }, 200)' : ''}
const server = createServer((request, response) => {
  response.statusCode = shop.status
  response.setHeader('access-control-allow-origin', '*')
  response.setHeader('content-type', 'application/json')
  response.end(result)
})
server.listen(${listen})
`

const webOf = (apiPort: string): string => `const { createServer, request: ask } = require('http')
const { readFileSync } = require('fs')
createServer((request, response) => {
  if (request.url !== '/api/teas') {
    response.setHeader('content-type', 'text/html')
    return response.end(readFileSync(__dirname + '/public/index.html'))
  }
  const fail = (error) => { response.statusCode = 502; response.end(String(error)) }
  try {
    ask({ port: ${apiPort}, host: 'localhost', path: '/api/teas', agent: false }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers)
      answer.pipe(response)
    }).on('error', fail).end()
  } catch (error) { fail(error) }
}).listen(process.env.PORT, () => console.log('http://localhost:' + process.env.PORT))
`

const pageOf = (address: string): string => `<!doctype html><title>Teas</title><meta charset="utf-8">
<h1>Teas</h1>
<p id="note"></p>
<ul id="list"></ul>
<script>
  fetch('${address}').then((response) => response.ok ? response.json() : Promise.reject(response.status)).then(({ note, teas }) => {
    document.querySelector('#note').textContent = note
    document.querySelector('#list').innerHTML = teas.map(({ name, stock, price }) =>
      '<li>' + name + ' ' + price + ' ' + (stock > 0 ? '<button>Add to cart</button>' : 'Sold out') + '</li>').join('')
  }, (error) => { document.querySelector('#note').textContent = 'Not available: ' + error })
</script>
`
