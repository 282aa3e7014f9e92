// What the page of another program says of the changed files is no evidence of the session's own code.

import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { callOrThrow } from '../../support/client.ts'
import { edit, openShop, type Shop } from '../../support/small-shop.ts'

let shop: Shop
let other: Server
let otherOrigin: string
beforeAll(async () => {
  shop = await openShop([], (folder) => {
    writeFileSync(join(folder, '.gitignore'), 'port.txt\n')
    writeFileSync(
      join(folder, 'two.js'),
      `const { createServer } = require('http')
const { readFileSync, writeFileSync } = require('fs')
const second = createServer((request, response) => {
  if (request.url === '/app.js') return response.setHeader('content-type', 'text/javascript').end(readFileSync('public/app.js'))
  response.setHeader('content-type', 'text/html').end('<button id=add>Add</button><p id=count></p><script src=/app.js></script>')
})
second.listen(0, '127.0.0.1', () => {
  writeFileSync('port.txt', String(second.address().port))
  require('./server.js')
})`,
    )
  })
}, 300_000)
afterAll(() => shop.close())
beforeEach(async () => {
  other = createServer((request, response) => {
    const answer = (type: string, body: string) => void response.setHeader('content-type', type).end(body)
    const text = readFileSync(join(shop.folder, 'public/app.js'), 'utf8')
    const style = readFileSync(join(shop.folder, 'public/style.css'), 'utf8')
    const name = request.url ?? '/'
    if (name === '/app.js') return answer('text/javascript', text)
    if (name === '/bundle.js') {
      const count = text.split('\n').length
      const map = {
        version: 3,
        sources: ['public/app.js'],
        sourcesContent: [text],
        names: [],
        mappings: ['AAAA', ...Array.from({ length: count - 1 }, () => 'AACA')].join(';'),
      }
      const url = `data:application/json;base64,${Buffer.from(JSON.stringify(map)).toString('base64')}`
      return answer('text/javascript', `${text}\n//# sourceMappingURL=${url}`)
    }
    const script = name === '/mapped' ? 'bundle.js' : 'app.js'
    return answer(
      'text/html',
      `<style data-vite-dev-id="${join(shop.folder, 'public/style.css')}">${style}</style><p class=lead>x</p>
<button id=add>Add</button><p id=count></p><script src=/${script}></script>`,
    )
  })
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  otherOrigin = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
})
afterEach(async () => {
  await shop.peer.call('close_session')
  other.closeAllConnections()
  other.close()
  shop.restore()
})

const call = (tool: string, input: Record<string, unknown> = {}) => callOrThrow(shop.peer, tool, input)
const click = async (url: string) => {
  await call('navigate', { url })
  await call('click', { target: '#add' })
}
const verify = async () => {
  const { verdict, files, notes = [] } = await call('verify')
  return { verdict, ran: files.flatMap(({ file, ran }: any) => (ran.length > 0 ? file : [])), notes }
}

test('the page of another program proves nothing, and is named; the own page does', async () => {
  edit(shop.folder, 'public/app.js', 'count += 1', 'count += 2')
  edit(shop.folder, 'public/style.css', '#333', '#444')
  await call('create_session', { command: ['node', 'server.js'] })
  for (const path of ['/', '/mapped', '/']) {
    await click(`${otherOrigin}${path}`)
    expect(await verify()).toEqual({
      verdict: 'UNVERIFIED',
      ran: [],
      notes: [
        expect.stringMatching(
          new RegExp(`^Pages of ${otherOrigin} do not count \\(\\d files?\\): no process`),
        ),
      ],
    })
  }
  await click('/')
  expect(await verify()).toMatchObject({ verdict: 'PASS', ran: ['public/app.js', 'public/style.css'] })
}, 120_000)

test('each port of the own server counts', async () => {
  edit(shop.folder, 'public/app.js', 'count += 1', 'count += 3')
  await call('create_session', { command: ['node', 'two.js'] })
  await click(`http://localhost:${readFileSync(join(shop.folder, 'port.txt'), 'utf8')}/`)
  expect(await verify()).toEqual({ verdict: 'PASS', ran: ['public/app.js'], notes: [] })
}, 120_000)

test('without a server the first page of this machine counts, and no other', async () => {
  edit(shop.folder, 'public/app.js', 'count += 1', 'count += 4')
  const second = createServer((_, response) => response.end('<title>First</title>'))
  await new Promise<void>((resolve) => second.listen(0, '127.0.0.1', resolve))
  const first = `http://127.0.0.1:${(second.address() as AddressInfo).port}`
  await call('create_session')
  await call('navigate', { url: first })
  await click(`${otherOrigin}/`)
  const { verdict, ran, notes } = await verify()
  expect({ verdict, ran }).toEqual({ verdict: 'UNVERIFIED', ran: [] })
  expect(notes).toContainEqual(
    expect.stringContaining(`the session has no server, and has opened ${first} first`),
  )
  second.close()
  await call('close_session')
  await call('create_session')
  await click(`${otherOrigin}/`)
  expect(await verify()).toEqual({
    verdict: 'PASS',
    ran: ['public/app.js'],
    notes: [`The session has no server: pages of ${otherOrigin} count, which it opened first.`],
  })
}, 120_000)
