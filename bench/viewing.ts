// `bun bench/viewing.ts [AGENTS]`: what people who watch cost agents. In ten sessions of one server an agent clicks in each, or in the first
// AGENTS; in turns nobody watches, and two people watch all sessions, whose pages ask as the page of the view does. Processor time tells more
// than clicks on a machine that does other work.

import { readdirSync, readFileSync } from 'node:fs'
import process from 'node:process'
import type { FrameAnswer, ServedSession } from '../src/features/view/in-page/view-answers.ts'
import { callOrThrow, connect } from '../test/support/client.ts'

interface Round {
  readonly clicksPerSecond: number
  readonly processorMsPerClick: number
}

const SESSION_COUNT = 10
const VIEWER_COUNT = 2
const ROUND_COUNT = 8
const ROUND_MS = 3000
/** Two seconds after the last question no pictures are made. */
const END_MS = 2500
const TICK_MS = 10
const BUTTON =
  '<button style="position:fixed;top:10px;right:10px" onclick="this.textContent = ++count">0</button>'
const PAGE = `<!doctype html><h1>Orders</h1>${'<p>Lorem ipsum dolor sit amet</p>'.repeat(20)}${BUTTON}<script>let count = 0</script>`

const agentCount = Number(process.argv[2] ?? SESSION_COUNT)
const peer = await connect({ args: ['--headless', '--view', '--no-socket'] })
const { origin, pathname, hash } = new URL(/http:\S+#\S+/.exec(peer.stderr())?.[0] ?? '')
const cookie = await signIn()
const sessionIds: string[] = []
for (let count = 0; count < SESSION_COUNT; count += 1) sessionIds.push(await peer.session())
let pictureCount = 0

async function runRound(): Promise<Round> {
  const processorMs = readProcessorTime()
  const start = performance.now()
  const click = async (sessionId: string) => {
    let count = 0
    for (; performance.now() - start < ROUND_MS; count += 1)
      await callOrThrow(peer, 'click', { sessionId, selector: 'button' })
    return count
  }
  const counts = await Promise.all(sessionIds.slice(0, agentCount).map(click))
  const count = counts.reduce((sum, one) => sum + one, 0)
  return {
    clicksPerSecond: (count * 1000) / (performance.now() - start),
    processorMsPerClick: (readProcessorTime() - processorMs) / count,
  }
}

/** Of this process and all below it. */
function readProcessorTime(): number {
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
        return [
          { pid: Number(pid), parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) },
        ]
      } catch {
        return []
      }
    })
  const parents = new Map(processes.map(({ pid, parent }) => [pid, parent]))
  const isBelow = (pid: number): boolean =>
    pid === process.pid || (parents.has(pid) && isBelow(parents.get(pid) ?? 0))
  return processes.filter(({ pid }) => isBelow(pid)).reduce((sum, { ticks }) => sum + ticks * TICK_MS, 0)
}

function post(
  action: string,
  body: object,
  more: RequestInit & { headers?: Record<string, string> } = {},
): Promise<Response> {
  return fetch(`${origin}${pathname}/${action}`, {
    method: 'POST',
    ...more,
    headers: { origin, 'content-type': 'application/json', ...more.headers },
    body: JSON.stringify(body),
  })
}

async function signIn(): Promise<string> {
  const answer = await post('enter', { token: hash.slice(1) })
  return answer.headers.get('set-cookie')?.split(';')[0] ?? ''
}

async function callView<T>(method: string, params: object, signal?: AbortSignal): Promise<readonly T[]> {
  const call = { server: '', method, params }
  const response = await post('api', call, { headers: { cookie }, ...(signal && { signal }) })
  const { value } = (await response.json()) as { readonly value: readonly T[] }
  return value
}

/** Asks for pictures of all sessions until the signal aborts; resolves with the first ones. */
async function watch(signal: AbortSignal): Promise<void> {
  const listed = await callView<ServedSession>('list', { viewer: 'viewer-1' }, signal)
  const sequences = new Map(listed.map(({ id }) => [id, 0]))
  const server = listed[0]?.server ?? ''
  const ask = async () => {
    const requests = [...sequences].map(([session, after]) => ({ server, session, after }))
    const answers = await callView<FrameAnswer>('frames', { requests }, signal)
    pictureCount += answers.length
    for (const { session, frame } of answers) sequences.set(session, frame.sequence)
  }
  const goOn = async () => {
    while (!signal.aborted) await ask()
  }
  await ask()
  goOn().catch(() => {})
}

const medianOf = (rounds: readonly Round[], key: keyof Round): number =>
  rounds.map((round) => round[key]).toSorted((a, b) => a - b)[rounds.length >> 1] ?? 0

const rounds: { readonly alone: Round[]; readonly watched: Round[] } = { alone: [], watched: [] }
const url = `data:text/html,${encodeURIComponent(PAGE)}`
for (const sessionId of sessionIds) await callOrThrow(peer, 'navigate', { sessionId, url })
await runRound()
for (let round = 0; round < ROUND_COUNT; round += 1) {
  rounds.alone.push(await runRound())
  const leaving = new AbortController()
  for (let viewer = 0; viewer < VIEWER_COUNT; viewer += 1) await watch(leaving.signal)
  rounds.watched.push(await runRound())
  leaving.abort()
  await Bun.sleep(END_MS)
}
for (const [name, list] of Object.entries(rounds)) {
  const clicks = medianOf(list, 'clicksPerSecond').toFixed(1)
  console.log(
    `${name}: ${clicks} clicks a second, ${medianOf(list, 'processorMsPerClick').toFixed(2)} ms each`,
  )
}
const seconds = (ROUND_COUNT * ROUND_MS) / 1000
console.log(`${(pictureCount / VIEWER_COUNT / seconds).toFixed(1)} pictures a second`)
await peer.close()
