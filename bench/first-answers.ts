// `bun bench/first-answers.ts [EXECUTABLE...]`: from the start of the process to the first answer of each era, taking turns. Other executables
// of Footlight answer `initialize` beside the built one, which alone answers `server/discover`.

import { resolve } from 'node:path'
import process from 'node:process'
import { binary } from '../test/support/client.ts'
import { MODERN_REVISION, modernMeta } from '../test/support/modern.ts'
import { initialize, startRaw } from '../test/support/raw.ts'
import { median, type Run, sideBySide } from './measure.ts'

const discover = { jsonrpc: '2.0', id: 'init', method: 'server/discover', params: { _meta: modernMeta } }
const runs = { runs: 20, warmUp: 2 }

const executables = [binary, ...process.argv.slice(2).map((path) => resolve(path))]
const timeTo =
  (executable: string, request: object): Run =>
  async () => {
    const startedAt = performance.now()
    const raw = await startRaw([], { greet: false, command: [executable] })
    const answered = raw.firstChunk.then(() => performance.now() - startedAt)
    raw.send(request)
    const durationMs = await answered
    const { result } = await raw.answer('init')
    await raw.close()
    if (!result) throw new Error(`${executable} refuses ${JSON.stringify(request)}`)
    return durationMs
  }
const contenders = [
  ...executables.map((executable) => [`initialize, ${executable}`, timeTo(executable, initialize)] as const),
  [`server/discover (${MODERN_REVISION}), ${binary}`, timeTo(binary, discover)] as const,
]
const { samples } = await sideBySide('first answer', Object.fromEntries(contenders), runs)
console.log('| from start to | minimum, ms | median, ms |\n| --- | --- | --- |')
for (const [name, values] of Object.entries(samples))
  console.log(`| ${name} | ${Math.min(...values).toFixed(1)} | ${median(values).toFixed(1)} |`)
