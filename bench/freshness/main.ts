// `bun bench/freshness/main.ts [static|vite] [NAME ...]`: what `wait_for {fresh: true}` says after each of the ways in which an old page looks
// new, or a new one old, compared with what the page shows. It fails if it is wrong once, or says too often that it cannot be told.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { connect, type Peer } from '../../test/support/client.ts'
import { COMMANDS, type Stack, STACKS, writePage, writeProject } from './project.ts'
import { NEW_LOOKS_OLD, OLD_LOOKS_NEW, type Place, type Way, WORD } from './ways.ts'

const FRESH_LIMIT_MS = 12_000
// Files that nothing names: a page may be built from each of them.
const UNTOLD_LIMIT = 30
// What the page shows once more is not looked at.
const SETTLE_TIME_MS = 600
const WORDS = `() => {
  const own = document.body.innerText + ' ' + (globalThis.words ?? '')
  const part = getComputedStyle(document.documentElement).getPropertyValue('--word')
  return own + ' ' + part + (document.readyState === 'complete' ? '' : ' loading')
}`

const [first = '', ...rest] = process.argv.slice(2)
const stacks = STACKS.filter((stack) => !STACKS.includes(first as Stack) || stack === first)
const names = STACKS.includes(first as Stack) || first === '' ? rest : [first, ...rest]
let failures = 0
for (const stack of stacks) failures += await measure(stack)
process.exit(failures === 0 ? 0 : 1)

async function measure(stack: Stack): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'fl-ways-'))
  await writeProject(folder)
  execFileSync('git', ['init', '-q'], { cwd: folder })
  const ways = [...OLD_LOOKS_NEW, ...NEW_LOOKS_OLD].filter(
    ({ only = stack, name }) =>
      only === stack && (names.length === 0 || names.some((part) => name.includes(part))),
  )
  ways.forEach((way, number) => {
    writePage(folder, `p${number}`)
    way.prepare?.({ folder, page: `p${number}`, call: async () => undefined })
  })
  const peer = await connect({ cwd: folder })
  const counts = { 'wrongly fresh': 0, 'wrongly stale': 0, untold: 0, right: 0 }
  for (const [number, way] of ways.entries()) {
    // What was edited in a session before is one of its edits.
    const opened = await peer.call('create_session', { command: COMMANDS[stack], cwd: folder })
    const { sessionId, url } = opened.data
    const call = (tool: string, input: object = {}) => peer.call(tool, { sessionId, ...input })
    const verdict = await tryWay(way, { folder, page: `p${number}`, call }, url)
    await call('close_session')
    counts[verdict.kind] += 1
    if (verdict.kind !== 'right') console.log(`${stack}: ${verdict.kind}: ${way.name}: ${verdict.line}`)
  }
  await close(peer, folder)
  console.log(stack, ways.length, JSON.stringify(counts))
  return counts['wrongly fresh'] + counts['wrongly stale'] + Math.max(0, counts.untold - UNTOLD_LIMIT)
}

type Verdict = 'wrongly fresh' | 'wrongly stale' | 'untold' | 'right'

async function tryWay(way: Way, place: Place, url: string): Promise<{ kind: Verdict; line: string }> {
  const { call, page } = place
  const path = way.path?.(page) ?? `/${page}/index.html`
  await call('navigate', { url: new URL(path, url).href })
  await Bun.sleep(SETTLE_TIME_MS)
  const before = await wordsOf(place)
  if (before.includes(WORD)) throw new Error(`${way.name}: new before the change: ${before}`)
  await way.change(place)
  await Bun.sleep(SETTLE_TIME_MS / 2)
  if (way.reloads) await call('history', { direction: 'reload' })
  const { failed, data } = await call('wait_for', { fresh: true, timeout: FRESH_LIMIT_MS })
  const line: string = failed ? data.message : (data.freshness ?? 'fresh')
  const isNew = way.isSame === true || (await wordsOf(place)).includes(WORD)
  if (failed) return { kind: isNew ? 'wrongly stale' : 'right', line }
  if (/cannot be told/.test(line)) return { kind: 'untold', line: `${line} (${isNew ? 'new' : 'old'})` }
  return { kind: isNew ? 'right' : 'wrongly fresh', line }
}

async function wordsOf({ call }: Place): Promise<string> {
  return String((await call('evaluate', { script: WORDS })).data.result)
}

async function close(peer: Peer, folder: string): Promise<void> {
  await peer.close()
  rmSync(folder, { recursive: true, force: true })
}
