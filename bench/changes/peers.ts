// `bun bench/changes/peers.ts [--changes 0,1,4] [--packages FOLDER]`: ten changes of the shop of modules, and what an agent must call and read to
// learn what they do: with `compare`, and with each peer, which has no such tool, so that the agent goes through the flow in both versions and
// reads, after each step, the page as text and as a picture, at the end console and requests. The three lines of the agent's own shell with which both versions are served are counted for the peers.

import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { countTokens } from 'gpt-tokenizer'
import { connect, type Peer } from '../../test/support/client.ts'
import { until } from '../../test/support/leftovers.ts'
import { git } from '../../test/support/small-shop.ts'
import { endPeer, findBenchBrowser, preparePackages, startDevtoolsMcp, startPlaywrightMcp } from '../peers.ts'
import { PLAYWRIGHT_CLI } from '../tasks/shells.ts'
import { changes, seedChange, type SeededChange } from './changes.ts'
import { flow, stacks } from './shop.ts'

const SHELL_LINES = 3
const DEFAULT_CHANGES = '0,3,4,7,8,10,12,15,17,18'
const { values } = parseArgs({
  options: { changes: { type: 'string', default: DEFAULT_CHANGES }, packages: { type: 'string' } },
})
const executablePath = findBenchBrowser()
const fetched = preparePackages(values.packages, PLAYWRIGHT_CLI)
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fl-peers-')))
const chosen = values.changes.split(',').flatMap((index) => changes[Number(index)] ?? [])
const stack = stacks.find(({ packages }) => packages === undefined)
if (!stack) throw new Error('bench: there is no shop without packages')

/** What an agent has called and read. */
interface Effort {
  calls: number
  tokens: number
  pictures: number
}

/** One version of the shop, as one way to use a browser goes through it. */
type Visit = (url: string, read: (written: string, text: string, pictures?: number) => void) => Promise<void>

const steps = [
  { kind: 'open', path: '/' },
  { kind: 'click', name: 'Add Milk' },
  { kind: 'click', name: 'Add Bread' },
  { kind: 'fill', name: 'Search', value: 'Mi' },
  { kind: 'open', path: '/cart' },
  { kind: 'click', name: 'Gift wrap' },
  { kind: 'click', name: 'Pay' },
] as const

const playwrightVisit =
  (peer: Peer): Visit =>
  async (url, read) => {
    const call = callerOf(peer, read)
    for (const step of steps) {
      if (step.kind === 'open') await call('browser_navigate', { url: `${url}${step.path}` })
      else {
        const text = await call('browser_snapshot', {}, true)
        const target = new RegExp(`"${step.name}"[^\\n]*?\\[ref=(\\w+)\\]`).exec(text)?.[1] ?? ''
        const input = { element: step.name, target }
        if (step.kind === 'fill') await call('browser_type', { ...input, text: step.value })
        else await call('browser_click', input)
      }
      await call('browser_snapshot', {})
      await call('browser_take_screenshot', { type: 'png' })
    }
    await call('browser_console_messages', { level: 'info' })
    await call('browser_network_requests', { static: false })
  }

const devtoolsVisit =
  (peer: Peer): Visit =>
  async (url, read) => {
    const callTool = callerOf(peer, read)
    const opened = (await callTool('new_page', { url })).replaceAll('\\n', '\n')
    const pageId = Number(/(\d+): [^\n]*?\[selected\]/.exec(opened)?.[1])
    const call = (tool: string, input: Record<string, unknown>, isKnown = false) =>
      callTool(tool, { pageId, ...input }, isKnown)
    for (const step of steps) {
      if (step.kind === 'open') await call('navigate_page', { type: 'url', url: `${url}${step.path}` })
      else {
        const text = await call('take_snapshot', {}, true)
        const uid = new RegExp(`uid=(\\w+) [^\\n]*"${step.name}"`).exec(text)?.[1] ?? ''
        if (step.kind === 'fill') await call('fill', { uid, value: step.value })
        else await call('click', { uid })
      }
      await call('take_snapshot', {})
      await call('take_screenshot', {})
    }
    await call('list_console_messages', {})
    await call('list_network_requests', {})
  }

/** A call whose answer is known already (`isKnown`) is not counted: the agent has read it after the step before. */
function callerOf(peer: Peer, read: Parameters<Visit>[1]) {
  return async (tool: string, input: Record<string, unknown>, isKnown = false): Promise<string> => {
    const { result } = await peer.call(tool, input)
    const content = result.content as readonly { readonly type: string; readonly text?: string }[]
    const text = content.map((part) => part.text ?? '').join('\n')
    const pictures = content.filter(({ type }) => type === 'image').length
    if (result.isError === true) throw new Error(`${tool}: ${text}`)
    if (!isKnown) read(JSON.stringify({ tool, input }), text, pictures)
    return text
  }
}

/** Serves a folder until the returned function is called. */
async function serve(app: string, port: number): Promise<{ url: string; end(): void }> {
  const child = Bun.spawn(['node', 'server.js'], {
    cwd: app,
    env: { ...process.env, PORT: String(port) },
    stdout: 'ignore',
  })
  const url = `http://127.0.0.1:${port}`
  await until(() =>
    fetch(url).then(
      ({ ok }) => ok,
      () => false,
    ),
  )
  return { url, end: () => child.kill() }
}

function writeShop(app: string): void {
  for (const [path, text] of Object.entries({ ...stack?.files, 'tests/order.spec.ts': flow })) {
    mkdirSync(dirname(join(app, path)), { recursive: true })
    writeFileSync(join(app, path), text)
  }
}

async function measureVisits(visit: Visit, urls: readonly string[]): Promise<Effort> {
  const effort: Effort = { calls: SHELL_LINES, tokens: 0, pictures: 0 }
  for (const url of urls)
    await visit(url, (written, text, pictures = 0) => {
      effort.calls += 1
      effort.tokens += countTokens(written) + countTokens(text)
      effort.pictures += pictures
    })
  return effort
}

async function measureCompare(peer: Peer, app: string): Promise<Effort> {
  const input = { command: stack?.command, base: 'HEAD', flow: join(app, 'tests/order.spec.ts') }
  const { result } = await peer.call('compare', input)
  const [text] = result.content as unknown as readonly [{ readonly text: string }]
  return {
    calls: 1,
    tokens: countTokens(JSON.stringify(input)) + countTokens(text.text),
    pictures: 0,
  }
}

async function measureChange(change: SeededChange, index: number): Promise<Record<string, Effort>> {
  const [base, app] = [join(folder, `base-${index}`), join(folder, `app-${index}`)]
  writeShop(base)
  writeShop(app)
  git(app, 'init', '--quiet', '--initial-branch=main')
  git(app, 'add', '--all')
  git(app, 'commit', '--quiet', '--message=shop')
  seedChange(app, change)
  const efforts: Record<string, Effort> = {}
  const own = await connect({ args: ['--headless', '--tools', '+compare'], cwd: app })
  efforts['footlight'] = await measureCompare(own, app)
  await own.close()
  const servers = [await serve(base, 41_000 + 2 * index), await serve(app, 41_001 + 2 * index)]
  const urls = servers.map(({ url }) => url)
  const start = { folder: fetched.folder, executablePath, cwd: folder }
  for (const [name, startPeer, visitOf] of [
    ['@playwright/mcp', startPlaywrightMcp, playwrightVisit],
    ['chrome-devtools-mcp', startDevtoolsMcp, devtoolsVisit],
  ] as const) {
    const peer = await startPeer(start)
    efforts[name] = await measureVisits(visitOf(peer), urls)
    await endPeer(peer, name)
  }
  efforts['agent-browser'] = await measureAgentBrowser(urls)
  for (const { end } of servers) end()
  return efforts
}

/** With its commands in the agent's shell: what one step needs is one line. */
async function measureAgentBrowser([base = '', current = '']: readonly string[]): Promise<Effort> {
  const effort: Effort = { calls: SHELL_LINES, tokens: 0, pictures: 0 }
  const place = mkdtempSync(join(folder, 'agent-browser-'))
  const program = join(
    fetched.folder,
    `node_modules/agent-browser/bin/agent-browser-${process.platform}-${process.arch}`,
  )
  const env = {
    ...process.env,
    HOME: place,
    AGENT_BROWSER_EXECUTABLE_PATH: executablePath,
    AGENT_BROWSER_SESSION: 'compare',
    ...(process.getuid?.() === 0 && { AGENT_BROWSER_ARGS: '--no-sandbox' }),
  }
  const run = async (...commands: string[]) => {
    const line = commands.map((command) => `agent-browser ${command}`).join('; ')
    // Its daemon keeps what it gets as its output, so that is a file.
    const output = join(place, 'output.txt')
    const script = `{ ${line.replaceAll('agent-browser ', `${program} `)}; } > ${output} 2> /dev/null < /dev/null`
    await Bun.spawn(['sh', '-c', script], { cwd: place, env, stdout: 'ignore', stderr: 'ignore' }).exited
    const text = readFileSync(output, 'utf8')
    effort.calls += 1
    effort.tokens += countTokens(line) + countTokens(text)
    return text
  }
  const act = (step: (typeof steps)[number], url: string): string => {
    if (step.kind === 'open') return `open ${url}${step.path}`
    if (step.kind === 'fill') return `find label "${step.name}" fill "${step.value}"`
    return step.name === 'Gift wrap'
      ? `find label "${step.name}" check`
      : `find role button click --name "${step.name}"`
  }
  for (const [index, step] of steps.entries())
    await run(act(step, base), `snapshot > base-${index}.txt`, `screenshot base-${index}.png`)
  await run('console', 'network requests')
  await run('cookies clear', 'storage local clear')
  for (const [index, step] of steps.entries()) {
    await run(
      act(step, current),
      `diff snapshot --baseline base-${index}.txt`,
      `diff screenshot --baseline base-${index}.png`,
    )
  }
  await run('console', 'network requests')
  await run('close')
  return effort
}

const results: Record<string, Effort>[] = []
for (const [index, change] of chosen.entries()) {
  results.push(await measureChange(change, index))
  console.error(change.kind, JSON.stringify(results.at(-1)))
}
rmSync(folder, { recursive: true, force: true })
fetched.remove()
console.log(`| ${chosen.length} changes | calls | tokens | pictures |\n| --- | --- | --- | --- |`)
for (const name of Object.keys(results[0] ?? {})) {
  const efforts = results.flatMap((result) => result[name] ?? [])
  const medianOf = (key: 'calls' | 'tokens' | 'pictures') =>
    efforts.map((effort) => effort[key]).toSorted((a, b) => a - b)[efforts.length >> 1]
  console.log(`| ${name} | ${medianOf('calls')} | ${medianOf('tokens')} | ${medianOf('pictures')} |`)
}
process.exit(0)
