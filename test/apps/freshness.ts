// Whether what Footlight says about the freshness of a page is true, on real servers: edits of their templates, code and data, then a look after
// 0 to 2,500 ms, and `wait_for {fresh: true}`. `bun test/apps/freshness.ts [stack ...]`, with EDITS=100 for the number of edits of each. A
// claim is compared with what the page shows.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { START_LIMIT_MS } from './app.ts'
import { stacks, type Edit, type Stack } from './freshness-stacks.ts'
import { connect, type Peer } from '../support/client.ts'

type Claim = 'fresh' | 'stale' | 'perhaps' | 'untold'

interface Look {
  readonly claim: Claim
  readonly line: string
}

const LOOK_LIMIT_MS = 2500
const FRESH_LIMIT_MS = 6000
const RELOAD_SHARE = 0.3
const LAST_LIMIT_MS = 20_000
const edits = Number(process.env['EDITS'] ?? 20)

const names = process.argv.slice(2)
const peer = await connect()
for (const stack of stacks.filter(({ name }) => names.length === 0 || names.includes(name)))
  console.log(stack.name, JSON.stringify(await measure(peer, stack)))
await peer.close()

async function measure(peer: Peer, stack: Stack): Promise<Record<string, number>> {
  await using place = await stack.place()
  const { folder } = place
  const opened = await peer.call('create_session', {
    command: stack.command,
    cwd: folder,
    readyTimeout: START_LIMIT_MS,
  })
  if (opened.failed) throw new Error(JSON.stringify(opened.data))
  const { sessionId, url } = opened.data
  const call = (tool: string, input: object = {}) => peer.call(tool, { sessionId, ...input })
  await call('navigate', { url: new URL(stack.path ?? '/', url).href, timeout: START_LIMIT_MS })
  const counts: Record<string, number> = {}
  const count = (what: string) => (counts[what] = (counts[what] ?? 0) + 1)
  for (let number = 1; number <= edits; number += 1) {
    const edit = stack.edits[number % stack.edits.length]!
    const title = `Title ${number}`
    const restore = write(folder, edit, title)
    const shows = async () =>
      edit.isShown === false ||
      String((await call('evaluate', { script: 'document.body.innerText' })).data.result).includes(title)
    await Bun.sleep(Math.random() * LOOK_LIMIT_MS)
    for (const look of [lookAround, waitUntilFresh]) {
      const isShownBefore = await shows()
      const { claim, line } = await look(call)
      const isShown = await shows()
      // An edit that the page does not show makes nothing stale.
      const isFalse =
        (claim === 'stale' && (edit.isShown === false || (isShown && isShownBefore))) ||
        (claim === 'fresh' && look === waitUntilFresh && !isShown)
      count(`${look === lookAround ? 'look' : 'wait'} ${edit.kind}: ${isFalse ? 'FALSE ' : ''}${claim}`)
      if (isFalse) console.log({ title, ...edit, claim, line, isShownBefore, isShown })
    }
    if (!(await shows())) await call('history', { direction: 'reload', timeout: LAST_LIMIT_MS })
    if (!(await call('wait_for', { text: title, timeout: 3000 })).data.success && edit.isShown !== false) {
      await call('restart_server')
      await call('history', { direction: 'reload', timeout: LAST_LIMIT_MS })
      if ((await call('wait_for', { text: title, timeout: LAST_LIMIT_MS })).failed) count(`lost ${edit.kind}`)
    }
    restore()
    await settle(call)
  }
  await call('close_session')
  return counts
}

/** Answers what writes the file as it was. */
function write(folder: string, { file, from = '', to, text }: Edit, title: string): () => void {
  const path = join(folder, file)
  if (text !== undefined) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text(title))
    return () => {}
  }
  const source = readFileSync(path, 'utf8')
  if (!source.includes(from)) throw new Error(`${path} has no ${JSON.stringify(from)}`)
  writeFileSync(path, source.replace(from, to?.(title) ?? title))
  return () => writeFileSync(path, source)
}

type Call = (tool: string, input?: object) => ReturnType<Peer['call']>

function claimOf(line: string): Claim {
  if (/\bStale (page|server):/.test(line)) return 'stale'
  return line.includes('Perhaps') ? 'perhaps' : 'fresh'
}

/** What a caller is told that has not asked. */
async function lookAround(call: Call): Promise<Look> {
  if (Math.random() < RELOAD_SHARE) {
    const { data } = await call('history', { direction: 'reload', timeout: LAST_LIMIT_MS })
    const line = (data.notes ?? []).join('\n')
    return { claim: claimOf(line), line }
  }
  const line: string = (await call('get_session_status')).data.freshness ?? ''
  return { claim: claimOf(line), line }
}

async function waitUntilFresh(call: Call): Promise<Look> {
  const { failed, data } = await call('wait_for', { fresh: true, timeout: FRESH_LIMIT_MS })
  const line = failed ? JSON.stringify(data) : (data.freshness ?? '')
  if (!failed && line.startsWith('It cannot be told')) return { claim: 'untold', line }
  return { claim: failed && claimOf(line) === 'fresh' ? 'perhaps' : claimOf(line), line }
}

// The edit that undoes the one before is no part of the next one.
async function settle(call: Call): Promise<void> {
  const { failed, data } = await call('wait_for', { fresh: true, timeout: FRESH_LIMIT_MS })
  if (failed && /restart_server/.test(JSON.stringify(data))) await call('restart_server')
  await call('history', { direction: 'reload', timeout: LAST_LIMIT_MS })
}
