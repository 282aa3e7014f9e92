// One task, done as an agent would do it, with only what the answers say: log in, fill a form, add three todos, complete one, verify.
// What counts is what a model would have to read, how often it must act, and how long the tools take.

import { countTokens } from 'gpt-tokenizer'
import type { Peer } from '../test/support/client.ts'
import { serveSite } from '../test/support/site.ts'
import { type Contender, end } from './contenders.ts'
import { median } from './measure.ts'
import { type Act, app, ways } from './ways.ts'

interface Tally {
  calls: number
  /** What the answers said. */
  text: string
}

export interface TaskRow {
  readonly name: string
  readonly calls: number
  readonly bytes: number
  readonly tokens: number
  readonly ms: number
}

/** Runs the task `runs` times with each that it was written for, taking turns. Bytes are the text of all answers; milliseconds the median of whole tasks. */
export async function compareTask(
  contenders: readonly Contender[],
  runs: number,
): Promise<readonly TaskRow[]> {
  const site = await serveSite({ '/': app })
  const supported = contenders.filter(({ name }) => ways[name] !== undefined)
  const peers = await Promise.all(supported.map((contender) => contender.start()))
  const times = supported.map((): number[] => [])
  const tallies: Tally[] = []
  for (let run = 0; run < runs; run += 1) {
    for (const [index, { name }] of supported.entries()) {
      const [peer, perform] = [peers[index], ways[name]]
      if (!peer || !perform) continue
      const tally: Tally = { calls: 0, text: '' }
      const startedAt = performance.now()
      const verified = await perform(counting(peer, name, tally), site.url)
      times[index]?.push(performance.now() - startedAt)
      if (!/2 left/.test(verified)) throw new Error(`${name} did not see the end: ${verified.slice(0, 2000)}`)
      tallies[index] = tally
    }
  }
  await Promise.all(peers.map((peer, index) => end(peer, supported[index] as Contender)))
  site.close()
  return supported.map(({ name }, index) => ({
    name,
    calls: tallies[index]?.calls ?? 0,
    bytes: tallies[index]?.text.length ?? 0,
    tokens: countTokens(tallies[index]?.text ?? ''),
    ms: median(times[index] ?? []),
  }))
}

const counting =
  (peer: Peer, name: string, tally: Tally): Act =>
  async (tool, input = {}) => {
    const { result, failed } = await peer.call(tool, input)
    const text = result.content.map((block) => (block.type === 'text' ? block.text : '')).join('\n')
    if (failed) throw new Error(`${name} ${tool}: ${text.slice(0, 1000)}`)
    tally.calls += 1
    tally.text += text
    return text
  }

export const taskTable = (rows: readonly TaskRow[]): string =>
  [
    '| task: log in, form, three todos | calls | bytes of text | tokens | ms |',
    '| --- | --- | --- | --- | --- |',
    ...rows.map(
      ({ name, calls, bytes, tokens, ms }) =>
        `| ${name} | ${calls} | ${bytes} | ${tokens} | ${ms.toFixed(0)} |`,
    ),
  ].join('\n')
