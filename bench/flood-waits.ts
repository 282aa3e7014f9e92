// `bun bench/flood-waits.ts [PROGRAM ...]`: what a page that floods the browser's connection costs another session of the same browser. Each
// program, by default the built one, meets each flood in turns; the waits of the other session's `evaluate` go to stdout, in milliseconds.

import process from 'node:process'
import { binary } from '../test/support/client.ts'
import { openArena } from '../test/support/stalls.ts'

const ROUNDS = 3
const FLOOD_MS = 6000
/** What a call without an answer counts as: its timeout. */
const UNANSWERED_MS = 5000

/** Scripts of a page that run until `isOver()`. */
const FLOODS = {
  'console lines': `while (!isOver()) { for (let n = 0; n < 500; n += 1) console.log('line', n, { n }); await turn() }`,
  'console lines of a worker': `const code = 'const end = Date.now() + ${FLOOD_MS}; while (Date.now() < end) console.log("line", Date.now())'
    const worker = new Worker(URL.createObjectURL(new Blob([code])))
    while (!isOver()) await turn()
    worker.terminate()`,
  requests: `while (!isOver()) await Promise.all(Array.from({ length: 100 }, () => fetch('/small').then((one) => one.text(), () => {})))`,
  'WebSocket messages': `const socket = new WebSocket(location.href.replace('http', 'ws') + 'socket')
    await new Promise((open) => (socket.onopen = open))
    while (!isOver()) { for (let n = 0; n < 500; n += 1) socket.send('message ' + n); await turn() }
    socket.close()`,
} as const

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: (request, upgrading) => {
    if (request.url.endsWith('/socket')) return upgrading.upgrade(request) ? undefined : new Response()
    return new Response('<p>Flood', { headers: { 'content-type': 'text/html' } })
  },
  websocket: { message: (socket, message) => void socket.send(message) },
})

const wrap = (flood: string) => `const end = Date.now() + ${FLOOD_MS}
  const isOver = () => Date.now() > end
  const turn = () => new Promise((resolve) => setTimeout(resolve))
  ${flood}
  return 'over'`

const percentile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? 0

const programs = process.argv.length > 2 ? process.argv.slice(2) : [binary]
const waits = new Map<string, number[]>()
for (let round = 0; round < ROUNDS; round += 1)
  for (const program of programs) {
    const arena = await openArena(program)
    for (const [name, flood] of Object.entries(FLOODS)) {
      const victim = await arena.open(server.url.href)
      const script = wrap(flood)
      const flooding = () => victim.call('evaluate', { sessionId: victim.sessionId, script, timeout: 60_000 })
      const key = `${name} | ${program}`
      const list = await arena.beside(flooding).then(
        (result) => result.waits,
        () => [UNANSWERED_MS],
      )
      console.error(`${key}: ${Math.max(...list).toFixed(0)} ms at most of ${list.length} calls`)
      waits.set(key, [...(waits.get(key) ?? []), ...list])
      await arena.end(victim)
    }
    await arena.close()
  }
console.log('| flood | program | calls | median | p99 | longest |\n| --- | --- | --- | --- | --- | --- |')
for (const [key, list] of [...waits].toSorted())
  console.log(
    `| ${[key, list.length, ...[0.5, 0.99, 1].map((part) => percentile(list, part).toFixed(0))].join(' | ')} |`,
  )
await server.stop(true)
