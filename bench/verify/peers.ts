// `bun bench/verify/peers.ts`: what an agent has to do with Footlight and with other servers, fetched from npm, to know of ten changes which
// lines ran in their present content, in calls and tokens. What a flow needs anyway is counted apart. The tables go to stdout.

import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, openSync, realpathSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { countTokens } from 'gpt-tokenizer'
import { connect, type Peer } from '../../test/support/client.ts'
import { git } from '../../test/support/small-shop.ts'
import {
  endPeer,
  findBenchBrowser,
  type PeerStart,
  preparePackages,
  startAgentBrowser,
  startDevtoolsMcp,
  startPlaywrightMcp,
} from '../peers.ts'
import { type Edit, type PeerChange, peerChanges, type PeerLine } from './peer-changes.ts'
import { agentBrowserWay, coverageWay, devtoolsWay, footlightWay, type Hands, type Way } from './peer-ways.ts'
import { createApplication, read, restore, write } from './shop.ts'

interface Tally {
  calls: number
  written: number
  read: number
}
const newTally = (): Tally => ({ calls: 0, written: 0, read: 0 })

const isVerbose = process.argv.includes('--show')
const executablePath = findBenchBrowser()
const packages = preparePackages(process.argv.slice(2).find((argument) => !argument.startsWith('--')))

const contenders: readonly (readonly [Way, (start: PeerStart) => Promise<Peer>])[] = [
  [
    footlightWay,
    ({ cwd = '' }) =>
      connect({
        args: ['--headless', '--executable-path', executablePath, '--output-dir', join(cwd, 'out')],
        cwd: join(cwd, 'app'),
      }),
  ],
  [coverageWay, startPlaywrightMcp],
  [devtoolsWay, startDevtoolsMcp],
  [agentBrowserWay, startAgentBrowser],
]

async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** The server of the application as an agent starts it in its shell. */
function createAppServer(app: string, port: number) {
  let child: ReturnType<typeof spawn> | undefined
  const end = async () => {
    if (!child || child.exitCode !== null) return
    const gone = new Promise((resolve) => child?.once('exit', resolve))
    child.kill()
    await gone
  }
  return {
    end,
    async restart() {
      await end()
      const log = openSync(join(app, '../server.log'), 'w')
      child = spawn('node', ['server.js'], {
        cwd: app,
        env: { ...process.env, PORT: String(port) },
        stdio: ['ignore', log, log],
      })
      const isUp = () =>
        fetch(`http://127.0.0.1:${port}/`).then(
          () => true,
          () => false,
        )
      while (!(await isUp())) await new Promise((resolve) => setTimeout(resolve, 50))
    },
  }
}

function editFiles(app: string, edits: readonly Edit[]): void {
  for (const { path, before, after } of edits) {
    const text = existsSync(join(app, path)) ? read(app, path) : ''
    if (text.split(before).length !== 2 && before !== '') throw new Error(`${path} has not one ${before}`)
    write(app, path, before === '' ? after : text.replace(before, () => after))
  }
}

function lineIn(app: string, { path, text }: PeerLine) {
  const lines = read(app, path).split('\n')
  const index = lines.findIndex((line) => line.includes(text))
  if (index < 0) throw new Error(`${path} has no ${text}`)
  return { number: index + 1, text: lines[index] ?? '' }
}

type Count = (what: unknown, answer: string, isFlow?: boolean) => string

function createHands(
  way: Way,
  app: string,
  port: number,
  peer: Peer,
  server: ReturnType<typeof createAppServer>,
  count: Count,
): Hands {
  return {
    url: `http://127.0.0.1:${port}`,
    async tool(name, input = {}, isFlow = false) {
      const { failed, result } = await peer.call(name, input)
      const text = result.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n')
      if (failed) throw new Error(`${way.name} ${name}: ${text.slice(0, 600)}`)
      return count({ name, input }, text, isFlow)
    },
    shell(command, isFlow) {
      const { stdout, stderr } = spawnSync('sh', ['-c', command], { cwd: app, encoding: 'utf8' })
      return count({ command }, stdout + stderr, isFlow)
    },
    edit(edits) {
      editFiles(app, edits)
      count({ edits }, 'The files have been edited.')
    },
    async restart(isFlow) {
      await server.restart()
      count({ command: `kill %1; PORT=${port} node server.js > ../server.log 2>&1 &` }, '', isFlow)
    },
    apply: (edits) => editFiles(app, edits),
    lineOf: (line) => lineIn(app, line),
  }
}

async function measure([way, start]: (typeof contenders)[number]) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'fl-peers-')))
  const app = join(root, 'app')
  mkdirSync(app)
  createApplication(app)
  git(app, 'tag', 'base')
  const port = await findPort()
  const server = createAppServer(app, port)
  const peer = await start({ folder: packages.folder, executablePath, cwd: root })
  const [own, flow] = [newTally(), newTally()]
  const count: Count = (what, answer, isFlow = false) => {
    const tally = isFlow ? flow : own
    tally.calls += 1
    tally.written += countTokens(JSON.stringify(what))
    tally.read += countTokens(answer)
    if (isVerbose) console.error(`  ${isFlow ? 'flow ' : ''}${JSON.stringify(what).slice(0, 300)}\n${answer}`)
    return answer
  }
  const hands = createHands(way, app, port, peer, server, count)
  const rows: string[] = []
  try {
    await way.begin(hands)
    for (const change of peerChanges) {
      restore(app)
      editFiles(app, change.edits)
      rows.push(await judge(way, hands, change))
    }
  } finally {
    await endPeer(peer, way.name)
    await server.end()
    rmSync(root, { recursive: true, force: true, maxRetries: 5 })
  }
  return { way, own, flow, rows }
}

/** `known`, or what is not. */
async function judge(way: Way, hands: Hands, change: PeerChange): Promise<string> {
  if (isVerbose) console.error(`${way.name}: ${change.name}`)
  const known = await way.learn(hands, change)
  const faults = change.lines.flatMap((line) => {
    const { number } = hands.lineOf(line)
    const said = known.stateOf({ path: line.path, line: number })
    if (said === line.state) return []
    const file = line.path.replace('public/', '')
    return said === undefined
      ? [`nothing of ${file}:${number}`]
      : [`${file}:${number} "${said}" (${line.state})`]
  })
  const [first] = change.lines
  if (change.error && first) {
    const place = `${first.path.replace('public/', '')}:${hands.lineOf(first).number}`
    if (!known.errors.includes(change.error)) faults.push('no error')
    else if (!known.errors.includes(place)) faults.push('an error without its line')
  }
  return faults.length === 0 ? 'known' : faults.join(', ')
}

const results = []
for (const contender of contenders) {
  console.error(contender[0].name)
  results.push(await measure(contender))
}
packages.remove()
console.log(`| change | ${results.map(({ way }) => way.name).join(' | ')} |`)
console.log(`| --- | ${results.map(() => '---').join(' | ')} |`)
for (const [index, { name }] of peerChanges.entries())
  console.log(`| ${name} | ${results.map(({ rows }) => rows[index]).join(' | ')} |`)
console.log(
  '\n| | by | changes known | calls beside the flows | tokens written | read | calls of the flows | tokens |',
)
console.log('| --- | --- | --- | --- | --- | --- | --- | --- |')
for (const { way, own, flow, rows } of results) {
  const known = rows.filter((row) => row === 'known').length
  console.log(
    `| ${way.name} | ${way.how} | ${known} of ${rows.length} | ${own.calls} | ${own.written} | ${own.read} | ${flow.calls} | ${flow.written + flow.read} |`,
  )
}
process.exit(0)
