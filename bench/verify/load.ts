// `bun bench/verify/load.ts [answer|disks|kills]`: the answer about 40 changed files with a ledger of 10,000 lines; and ledgers whose writers are killed, whose disk is
// full, whose folder cannot be written.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { estimateTokens } from '../../src/core/base/token-estimate.ts'
import { formatEntry, type RunEntry } from '../../src/features/verify/ledger/entry.ts'
import { openLedger } from '../../src/features/verify/ledger/ledger-file.ts'
import { functionEntriesOf } from '../../src/features/verify/ledger/source-functions.ts'
import { hashText } from '../../src/features/verify/ledger/text-hash.ts'
import { callOrThrow, connect } from '../../test/support/client.ts'
import { edit } from '../../test/support/small-shop.ts'
import { createApplication, write } from './shop.ts'

const FILE_COUNT = 40
const LINE_COUNT = 10_000
const CALL_COUNT = 15
const KILL_COUNT = 200

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fl-load-')))

/** What a writer says of a file is told by its number: the odd lines ran. */
function entryOf(number: number): RunEntry {
  const content = Array.from({ length: 20 }, (_, index) => `f${number}(${index})`).join('\n')
  const lines = Array.from({ length: 20 }, (_, index) => index + 1)
  const [ran, notRun] = [1, 0].map((rest) => lines.filter((line) => line % 2 === rest))
  const runs = { firstLine: 1, lastLine: 20, ran: ran ?? [], partly: [], notRun: notRun ?? [] }
  return {
    ...{ kind: 'run', at: number, session: 's1', call: `click #b${number}`, file: `f${number % 50}.js` },
    content: hashText(content),
    functions: functionEntriesOf([runs], content, `f${number % 50}.js`),
  }
}

async function writeForever(output: string): Promise<never> {
  const ledger = openLedger(output, '/tree')
  for (let number = process.pid * 1000; ; number += 3)
    await ledger.append([entryOf(number), entryOf(number + 1), entryOf(number + 2)])
}

async function killWriters(): Promise<void> {
  const output = join(folder, 'killed')
  const start = (): ChildProcess =>
    spawn(process.execPath, [import.meta.path, 'write', output], { stdio: 'ignore' })
  const second = start()
  let [readCount, wrongCount] = [0, 0]
  const check = async () => {
    for (const entry of (await openLedger(output, '/tree').read()).entries) {
      readCount += 1
      if (formatEntry(entry) !== formatEntry(entryOf(entry.at))) wrongCount += 1
    }
  }
  for (let round = 0; round < KILL_COUNT; round++) {
    const writer = start()
    await sleep(120 + ((round * 37) % 120))
    writer.kill('SIGKILL')
    await once(writer, 'exit')
    if (round % 10 === 0) await check()
  }
  second.kill('SIGKILL')
  await once(second, 'exit')
  await check()
  console.log(
    `${KILL_COUNT} SIGKILLs beside a second writer: ${readCount} entries read, wrong: ${wrongCount}`,
  )
}

async function measureAnswer(): Promise<void> {
  const [shop, output] = [join(folder, 'shop'), join(folder, 'out')]
  createApplication(shop)
  const texts = Array.from({ length: FILE_COUNT }, (_, number) =>
    Array.from({ length: 50 }, (__, line) => `export function f${line}() {\n  return ${number}\n}\n`).join(
      '',
    ),
  )
  texts.forEach((text, number) => write(shop, `public/part-${number}/view.js`, text))
  const peer = await connect({ args: ['--headless', '--output-dir', output], cwd: shop })
  const tree = hashText(realpathSync(shop))
  const lines = Array.from({ length: LINE_COUNT }, (_, index) => {
    const number = index % FILE_COUNT
    const content = texts[number] ?? ''
    const first = (index % 50) * 3 + 1
    const runs = { firstLine: first, lastLine: first + 1, ran: [first + 1], partly: [], notRun: [first] }
    const entry: RunEntry = {
      ...{ kind: 'run', at: index, session: 's1', call: 'click #add', file: `public/part-${number}/view.js` },
      ...{
        content: hashText(content),
        functions: functionEntriesOf([runs], content, `public/part-${number}/view.js`),
      },
    }
    return `${tree} ${formatEntry(entry)}`
  })
  mkdirSync(join(output, 'verify'), { recursive: true, mode: 0o700 })
  writeFileSync(join(output, 'verify', `${tree}.jsonl`), `${lines.join('\n')}\n`, { mode: 0o600 })
  await callOrThrow(peer, 'create_session', { command: ['node', 'server.js'] })
  await callOrThrow(peer, 'navigate', { url: '/' })
  const times: number[] = []
  let text = ''
  for (let round = 0; round < CALL_COUNT; round++) {
    const startedAt = performance.now()
    const { result } = await peer.call('verify')
    times.push(performance.now() - startedAt)
    text = result.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
  }
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0)
  console.log(
    `${FILE_COUNT} files, ${LINE_COUNT} lines (${Math.round(lines.join('\n').length / 1000)} KB): median ${at(0.5)} ms, 90 % ${at(0.9)} ms, first ${Math.round(times[0] ?? 0)} ms; ${estimateTokens(text)} tokens`,
  )
  await peer.close()
}

/** Runs the flow of an edit with an output folder that something is wrong with. */
async function tryOutput(name: string, output: string): Promise<void> {
  const shop = join(folder, `shop-${name.replaceAll(' ', '-')}`)
  createApplication(shop)
  edit(shop, 'public/app.js', 'count += 1', 'count += 2')
  const peer = await connect({ args: ['--headless', '--output-dir', output], cwd: shop })
  const created = await peer.call('create_session', { command: ['node', 'server.js'] })
  await peer.call('navigate', { url: '/' })
  await peer.call('click', { selector: '#remove' })
  const { failed, data } = await peer.call('verify')
  const isWrong = !failed && data.files[0]?.ran.length > 0
  const said = failed
    ? `${data.error ?? data.code}: ${String(data.message ?? '').slice(0, 160)}`
    : data.lines.join(' ')
  console.log(
    `${name}: session ${created.failed ? 'failed' : 'opened'}; ${said}; wrong "ran": ${isWrong ? 1 : 0}`,
  )
  await peer.client.close()
}

async function tryDisks(): Promise<void> {
  for (const [name, options] of [
    ['a full disk', 'size=64k'],
    ['a folder that cannot be written', 'size=64k,ro'],
  ] as const) {
    const disk = join(folder, name.replaceAll(' ', '-'))
    mkdirSync(disk)
    const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', disk])
    if (status !== 0) {
      console.log(`${name}: no disk can be mounted here`)
      continue
    }
    if (name === 'a full disk') spawnSync('sh', ['-c', `cat /dev/zero > ${disk}/filled`])
    await tryOutput(name, disk).finally(() => spawnSync('umount', ['-l', disk]))
  }
  const blocked = join(folder, 'blocked-out')
  mkdirSync(blocked)
  writeFileSync(join(blocked, 'verify'), '')
  await tryOutput('a file in place of the folder of ledgers', blocked)
}

if (process.argv[2] === 'write') await writeForever(process.argv[3] ?? '')
try {
  const parts = { answer: measureAnswer, disks: tryDisks, kills: killWriters }
  const [, , only] = process.argv
  for (const [name, run] of Object.entries(parts)) if (only === undefined || only === name) await run()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
