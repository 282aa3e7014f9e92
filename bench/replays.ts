// Records a real application (react-admin, built by Vite, see test/apps) and replays it without its server, each time in a new session. Prints how
// many replays had the same snapshot: `bun bench/replays.ts [COUNT] [BROWSER]`.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { place } from '../test/apps/place.ts'
import { callOrThrow, connect } from '../test/support/client.ts'

const [count = '100', browser = 'chromium'] = process.argv.slice(2)
const START_LIMIT_MS = 110_000
const WAIT_LIMIT_MS = 60_000
const clock = '2030-01-02T03:04:05Z'

const folder = await place('react-admin')
const output = mkdtempSync(join(tmpdir(), 'fl-replays-'))
const peer = await connect({
  args: ['--headless', '--browser', browser, '--output-dir', output],
  cwd: folder,
})

const run = (tool: string, input: Record<string, unknown>) => callOrThrow(peer, tool, input)

/** Signs in and reads the list of customers. It is the first snapshot of its session, because a ref is given when an element is first seen:
 * one that sees how the page builds up gives other refs each time. */
async function readList(sessionId: string, url: string): Promise<string> {
  await run('navigate', { sessionId, url, timeout: WAIT_LIMIT_MS })
  await run('wait_for', { sessionId, selector: 'input[name="username"]', timeout: WAIT_LIMIT_MS })
  for (const name of ['username', 'password'])
    await run('type', { sessionId, selector: `input[name="${name}"]`, text: 'admin', clear: true })
  await run('click', { sessionId, selector: 'button[type="submit"]' })
  await run('wait_for', { sessionId, text: 'ada.lovelace@example.com', timeout: WAIT_LIMIT_MS })
  // A message and the trace of a click go away by themselves.
  await run('wait_for', { sessionId, textGone: 'Sign in first', timeout: WAIT_LIMIT_MS })
  const ripple = '.MuiTouchRipple-ripple'
  await run('wait_for', { sessionId, selector: ripple, state: 'detached', timeout: WAIT_LIMIT_MS })
  return (await run('snapshot', { sessionId, maxChars: 50_000 })).snapshot
}

const server = await run('create_session', {
  command:
    'npx vite build --outDir replay-dist && npx vite preview --outDir replay-dist --port $PORT --strictPort',
  cwd: folder,
  readyTimeout: START_LIMIT_MS,
  env: { TMPDIR: folder },
})
await run('mock', { sessionId: server.sessionId, clock, seed: 1, har: 'record' })
const recorded = await readList(server.sessionId, server.url)
const { path } = await run('mock', { sessionId: server.sessionId, har: 'save' })
const recordedRequests = (await run('network_requests', { sessionId: server.sessionId, limit: 1000 })).entries
  .length
await run('close_session', { sessionId: server.sessionId })

// The number in a ref is that of the document in its session.
const withoutDocuments = (text: string) => text.replaceAll(/\bf\d+(?=e\d+\b)/g, '')

const counts = new Map<string, number>()
const durations: number[] = []
let unmatched = 0
for (let number = 0; number < Number(count); number += 1) {
  const start = performance.now()
  const { sessionId } = await run('create_session', {})
  await run('mock', { sessionId, clock, seed: 1, har: path })
  const snapshot = await readList(sessionId, server.url)
  const { entries } = await run('network_requests', { sessionId, filter: 'failed', limit: 1000 })
  unmatched += entries.length
  if (number === 0)
    console.log('failed requests of the first replay:', JSON.stringify(entries).slice(0, 1500))
  counts.set(snapshot, (counts.get(snapshot) ?? 0) + 1)
  await run('close_session', { sessionId })
  durations.push(performance.now() - start)
  if (number % 10 === 9) console.log(`${number + 1} replays, ${counts.size} different snapshots`)
}
durations.sort((a, b) => a - b)
console.log(
  `${browser}: ${recordedRequests} requests recorded; ${Math.max(...counts.values())} of ${count} replays have the same snapshot (${recorded.length} characters; as recorded: ${withoutDocuments(recorded) === withoutDocuments([...counts.keys()][0] ?? '') ? 'yes' : 'no'}); failed requests: ${unmatched}; median ${Math.round(durations[Math.floor(durations.length / 2)] ?? 0)} ms`,
)
if (counts.size > 1) for (const [snapshot, times] of counts) console.log(`--- ${times} times\n${snapshot}`)
await peer.close()
rmSync(output, { recursive: true, force: true })
