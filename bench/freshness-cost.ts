// `bun bench/freshness-cost.ts [RUNS]`: what the look at the freshness of a page costs a call when all is fresh. Sessions with and without a
// dev server take turns, on the same page of 50 modules; the difference of their medians is the cost. No answer may speak of freshness.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { connect } from '../test/support/client.ts'

const MODULE_COUNT = 50
const WARM_UP = 10
const [runs = '60'] = process.argv.slice(2)

const server = `import { createServer } from 'node:http'
import { readFileSync, watch } from 'node:fs'
watch('.', () => {})
createServer((request, response) => {
  const isModule = request.url.endsWith('.js')
  response.setHeader('content-type', isModule ? 'text/javascript' : 'text/html')
  try {
    response.end(readFileSync(isModule ? '.' + request.url : 'index.html'))
  } catch {
    response.writeHead(404).end()
  }
}).listen(process.env.PORT)
`

const folder = mkdtempSync(join(tmpdir(), 'fl-freshness-cost-'))
mkdirSync(join(folder, 'src'))
writeFileSync(join(folder, 'server.mjs'), server)
const names = Array.from({ length: MODULE_COUNT }, (_, index) => `src/m${index}.js`)
for (const name of names) writeFileSync(join(folder, name), 'export const value = 1\n')
const scripts = names.map((name) => `<script type="module" src="/${name}"></script>`).join('\n')
writeFileSync(join(folder, 'index.html'), `<!doctype html><title>Fresh</title>${scripts}`)

const peer = await connect({ cwd: folder })
const owner = (await peer.call('create_session', { command: 'node server.mjs', cwd: folder })).data
const guest = (await peer.call('create_session')).data
const url: string = owner.url
const calls = {
  navigate: { url },
  history: { direction: 'reload' },
  get_session_status: {},
} as const

const durations = new Map<string, number[]>()
for (let run = 0; run < Number(runs) + WARM_UP; run += 1)
  for (const [tool, input] of Object.entries(calls))
    for (const [who, { sessionId }] of Object.entries({ owner, guest })) {
      const start = performance.now()
      const { failed, result } = await peer.call(tool, { sessionId, ...input })
      const duration = performance.now() - start
      const text = JSON.stringify(result)
      if (failed || /tale (page|server)/.test(text)) throw new Error(text)
      if (run >= WARM_UP)
        durations.set(`${tool} ${who}`, [...(durations.get(`${tool} ${who}`) ?? []), duration])
    }

const medianOf = (values: readonly number[] = []): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
console.log('| call | without a dev server | with one | difference |\n| --- | --- | --- | --- |')
for (const tool of Object.keys(calls)) {
  const [without, withServer] = ['guest', 'owner'].map((who) =>
    medianOf(durations.get(`${tool} ${who}`)),
  ) as [number, number]
  const cells = [without, withServer, withServer - without].map((value) => `${value.toFixed(2)} ms`)
  console.log(`| ${[tool, ...cells].join(' | ')} |`)
}
await peer.close()
rmSync(folder, { recursive: true, force: true })
process.exit(0)
