// While a large change is compared, another session of the same server is served.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { git } from '../support/small-shop.ts'
import { type Arena, openArena } from '../support/stalls.ts'

/** The aim is 250 ms; ten times that, or ten times the calm wait on a busy machine, is a stall. */
const AIM_MS = 250

const server = `const { createServer } = require('node:http')
const { readFileSync } = require('node:fs')
createServer((request, response) => {
  response.setHeader('content-type', 'text/html')
  response.end(readFileSync(request.url === '/many' ? 'many.html' : 'index.html'))
}).listen(process.env.PORT)`
const pageOf = (count: number, text: (index: number) => string) =>
  `<!doctype html><title>a</title><style>p{margin:0;font:2px/2px sans-serif}</style>${Array.from({ length: count }, (_, index) => `<p>${text(index)}</p>\n`).join('')}`
const generatedOf = (word: string) =>
  Array.from({ length: 60_000 }, (_, index) => `const v${index} = "${word} ${index}" + '${word}'\n`).join('')

let folder: string
let arena: Arena
const write = (word: string) => {
  writeFileSync(
    join(folder, 'index.html'),
    pageOf(60, (index) => `${word} headline ${index}`),
  )
  writeFileSync(
    join(folder, 'many.html'),
    pageOf(6000, (index) => `${word}${index * 7} line`),
  )
  writeFileSync(join(folder, 'generated.js'), generatedOf(word))
}
beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'fl-compare-stalls-')))
  git(folder, 'init', '--quiet')
  writeFileSync(join(folder, 'server.js'), server)
  writeFileSync(join(folder, 'package.json'), '{}')
  write('old')
  git(folder, 'add', '--all')
  git(folder, 'commit', '--quiet', '--message=one')
  write('new')
  arena = await openArena(undefined, folder)
}, 60_000)
afterAll(async () => {
  await arena.close()
  rmSync(folder, { recursive: true, force: true })
})

test.each([
  ['a diff of 6 MB and 60 changed texts', '/', 60],
  ['two pages of 6,000 unlike lines', '/many', 1],
])(
  '%s: nobody else waits',
  async (_, path, least) => {
    const victim = await arena.open('about:blank')
    const calm = await arena.beside(async () => undefined)
    const input = { base: 'HEAD', command: ['node', 'server.js'], cwd: folder, flow: [path] }
    const { waits, ownWaits, done } = await arena.beside(() => victim.call('compare', input))
    await arena.end(victim)
    const longest = Math.max(...ownWaits)
    console.log(`longest wait: ${Math.round(longest)} ms, of a page ${Math.round(Math.max(...waits))} ms`)
    if (!done.steps) throw new Error(JSON.stringify(done).slice(0, 500))
    expect(Number(/(\d+) differences/.exec(done.message)?.[1])).toBeGreaterThanOrEqual(least)
    expect(longest).toBeLessThan(10 * Math.max(AIM_MS, ...calm.ownWaits))
  },
  300_000,
)
