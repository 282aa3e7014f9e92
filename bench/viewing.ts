// `bun bench/viewing.ts [AGENTS]`: what people who watch cost agents. In ten sessions of one browser an agent clicks in each, or in the first
// AGENTS; in turns nobody watches, and two people watch all sessions. Processor time tells more than clicks on a machine that does other work.

import { readdirSync, readFileSync } from 'node:fs'
import process from 'node:process'
import { deadline, openSessionPages, valueOf, type SessionPage } from '../test/support/session-page.ts'

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
const { pages, close } = await openSessionPages(SESSION_COUNT)
let pictureCount = 0

async function runRound(): Promise<Round> {
  const processorMs = readProcessorTime()
  const start = performance.now()
  const click = async ({ page }: SessionPage) => {
    let count = 0
    for (; performance.now() - start < ROUND_MS; count += 1) {
      const action = { kind: 'click', element: { selector: 'button' }, options: {} } as const
      valueOf(await page.perform(action, deadline()))
      await page.settle()
    }
    return count
  }
  const counts = await Promise.all(pages.slice(0, agentCount).map(click))
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

/** Resolves with the first picture; goes on until the signal aborts. */
async function watch({ page }: SessionPage, signal: AbortSignal): Promise<void> {
  const first = await page.nextFrame(0, signal)
  const goOn = async () => {
    for (let after = first?.sequence ?? 0; !signal.aborted;) {
      const frame = await page.nextFrame(after, signal)
      if (frame) pictureCount += 1
      after = frame?.sequence ?? after
    }
  }
  void goOn()
}

const medianOf = (rounds: readonly Round[], key: keyof Round): number =>
  rounds.map((round) => round[key]).toSorted((a, b) => a - b)[rounds.length >> 1] ?? 0

const rounds: { readonly alone: Round[]; readonly watched: Round[] } = { alone: [], watched: [] }
for (const { open } of pages) await open(PAGE)
await runRound()
for (let round = 0; round < ROUND_COUNT; round += 1) {
  rounds.alone.push(await runRound())
  const leaving = new AbortController()
  for (let viewer = 0; viewer < VIEWER_COUNT; viewer += 1)
    await Promise.all(pages.map((page) => watch(page, leaving.signal)))
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
await close()
process.exit(0)
