// `bun test/support/heavy-documents.ts FOLDER`: writes documents that take long to read, and serves pages that are heavy for their
// observer. The first line of its output is the URL. It is a process of its own, so that whoever measures waits is not busy itself.

import { createServer } from 'node:http'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { PNG } from 'pngjs'
import { WebSocketServer } from 'ws'

const [, , folder = '.'] = process.argv
const MEGA = 1_000_000
const write = (name: string, text: string | Buffer) => writeFileSync(join(folder, name), text)

const entryOf = (url: string, text: string) => ({
  request: { method: 'GET', url },
  response: { status: 200, content: { mimeType: 'text/plain', text } },
})
const har = (entries: readonly object[]) => JSON.stringify({ log: { entries } })

function png(width: number, height: number, valueOf: (at: number) => number): Buffer {
  const image = new PNG({ width, height, colorType: 2 })
  for (let at = 0; at < image.data.length; at += 1) image.data[at] = at % 4 === 3 ? 255 : valueOf(at)
  return PNG.sync.write(image, { filterType: 0, deflateLevel: 1 })
}

const mapOf = (fields: object) =>
  JSON.stringify({ version: 3, sources: ['a.ts'], names: [], mappings: '', ...fields })

const maps: Readonly<Record<string, () => string>> = {
  mappings: () => mapOf({ mappings: `${'AAAA,CAAC,'.repeat(150_000)};`.repeat(5) }),
  sources: () => mapOf({ sources: Array.from({ length: 800_000 }, (_, at) => `s${at}`), mappings: 'AAAA' }),
  sections: () =>
    JSON.stringify({
      version: 3,
      sections: Array.from({ length: 70_000 }, (_, line) => ({
        offset: { line, column: 0 },
        map: { version: 3, sources: [`s${line}`], names: [], mappings: 'AAAA' },
      })),
    }),
}

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1')
  const send = (type: string, body: string | Buffer) =>
    void response.writeHead(200, { 'content-type': type }).end(body)
  const [, kind = '', name = ''] = pathname.split('/')
  if (kind === 'map') return send('application/json', maps[name]?.() ?? '')
  if (kind === 'script')
    return send(
      'text/javascript',
      `function fail() { throw new Error('mapped') }\nsetTimeout(fail)\n//# sourceMappingURL=/map/${name}`,
    )
  if (kind === 'mapped') return send('text/html', `<title>m</title><script src="/script/${name}"></script>`)
  if (kind === 'bytes') return send('text/plain', 'x y '.repeat(Number(name) / 4))
  if (kind === 'escapes') return send('text/plain', '%41\\u0042&amp; '.repeat(Number(name) / 15))
  if (kind === 'hints') {
    const timer = setInterval(() => {
      for (let at = 0; at < 1000; at += 1)
        response.socket?.write('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n')
    }, 1)
    return void response.on('close', () => clearInterval(timer))
  }
  if (kind === 'endless') {
    response.writeHead(200, { 'content-type': 'text/plain' })
    const block = Buffer.alloc(MEGA, 'x')
    const fill = () => void (!response.closed && response.write(block) && setImmediate(fill))
    response.on('drain', fill)
    return fill()
  }
  send('text/html', '<!doctype html><title>Fixture</title><input><button>Go</button>')
})
new WebSocketServer({ server, maxPayload: 500 * MEGA }).on('connection', (socket, { url = '' }) => {
  for (let at = 0; at < 5; at += 1) socket.send('x"'.repeat(Number(url.slice(1)) / 2))
})

const tests: Readonly<Record<string, string>> = {
  printing: `test('ends', () => {})`,
  many: `for (let at = 0; at < 5000; at += 1) test('t' + at, () => {})`,
  elements: `test('fails', async ({ page }) => {
  await page.setContent('<p></p>'.repeat(8000))
  await page.getByText('missing').click({ timeout: 500 })
})`,
}
const PRINTING_PORT = 45_871
for (const [name, text] of Object.entries(tests)) {
  mkdirSync(join(folder, name), { recursive: true })
  write(`${name}/a.spec.ts`, `import { test } from '@playwright/test'\n${text}\n`)
  const webServer = `webServer: { command: 'node server.cjs', url: 'http://127.0.0.1:${PRINTING_PORT}', stdout: 'pipe' }`
  write(
    `${name}/playwright.config.ts`,
    `export default { timeout: 30_000, ${name === 'printing' ? webServer : ''} }`,
  )
}
const serve = (port: string | number, body = `'x'`) =>
  `require('node:http').createServer((request, response) => response.end(${body})).listen(${port}, '127.0.0.1')`
write(
  'printing/server.cjs',
  `for (let at = 0; at < 1e6; at += 1) console.log('line', at)\n${serve(PRINTING_PORT)}`,
)
const word = 'w'.repeat(100_000)
const module = `const text = '${word}'\nthrow new Error('in a module')\n`
write('module.js', module.replace('text', 'another'))
const bundle = `eval(${JSON.stringify(`${module}//# sourceURL=webpack-internal:///./module.js\n`)})`
write(
  'webpack.cjs',
  `const bundle = ${JSON.stringify(bundle)}\n${serve('process.env.PORT', `request.url === '/b.js' ? (response.setHeader('content-type', 'text/javascript'), bundle) : (response.setHeader('content-type', 'text/html'), '<title>w</title><script src="/b.js"></script>')`)}`,
)
write('same.har', har(Array.from({ length: 60_000 }, () => entryOf('http://mocked.test/a', 'x'))))
write(
  'large.har',
  har(Array.from({ length: 900 }, (_, at) => entryOf(`http://mocked.test/${at}`, 'x y '.repeat(25_000)))),
)
const localStorage = Array.from({ length: 600 }, (_, at) => ({
  name: `n${at}`,
  value: 'v w '.repeat(25_000),
}))
write(
  'state.json',
  JSON.stringify({ cookies: [], origins: [{ origin: 'http://mocked.test', localStorage }] }),
)
write(
  'wide.png',
  png(24 * MEGA, 1, (at) => at & 255),
)
write(
  'noise.png',
  png(1280, 19_000, (at) => (at * 2_654_435_761) >>> 24),
)
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`)
})
