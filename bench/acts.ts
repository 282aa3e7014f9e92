// One act at a time, on one open page: how long it takes, and how many bytes of text come back.

import { countTokens } from 'gpt-tokenizer'
import type { Baseline } from './baselines.ts'
import { act, type Contender, end } from './contenders.ts'
import { type Row, type Run, type Runs, sideBySide } from './measure.ts'

interface ActsOptions {
  readonly all: readonly Contender[]
  readonly baselines: readonly Baseline[]
  readonly url: string
}

export type Bytes = Record<string, Record<string, number>>

// A snapshot comes last: after it, each act of ours also tells what it changed, which the others do not.
const ACTS = [
  ['click', 'click'],
  ['type', 'type, 10 letters'],
  ['evaluate', 'evaluate'],
  ['screenshot', 'screenshot'],
  ['navigate', 'navigate'],
  ['missing', 'click on what is not there (300 ms)'],
  ['console', 'read 100 console entries'],
  ['requests', 'read 100 requests'],
  ['snapshot', 'snapshot'],
] as const

export async function measureActs(
  { all, baselines, url }: ActsOptions,
  times: Runs,
  report: (text: string) => void,
): Promise<{ rows: Row[]; bytes: Bytes }> {
  const openedBaselines = await Promise.all(baselines.map((baseline) => baseline.open(1, url)))
  const opened = await Promise.all(
    all.map(async (contender) => {
      const peer = await contender.start()
      return { contender, peer, given: await contender.open(peer, url) }
    }),
  )
  const rows: Row[] = []
  const bytes: Bytes = {}
  const recordBytes = (what: string, name: string, size: number) => {
    bytes[what] = { ...bytes[what], [name]: size }
  }
  for (const [what, title] of ACTS) {
    const contenders: [string, Run][] = []
    if (what === 'console')
      for (const { contender, peer, given } of opened.filter((one) => one.contender.acts.produce))
        await act(contender, peer, given, 'produce', url)
    for (const { contender, peer, given } of opened.filter((one) => one.contender.acts[what])) {
      const run = () => act(contender, peer, given, what, url)
      const firstResult = await run().catch((error: Error) => error)
      if (firstResult instanceof Error) report(`left out: ${firstResult.message}`)
      else contenders.push([contender.name, async () => recordBytes(title, contender.name, await run())])
    }
    const raw = baselines.flatMap(({ name }, index): [string, Run][] => {
      const run = openedBaselines[index]?.pages[0]?.[what]
      return run ? [[name, async () => void (await run())]] : []
    })
    rows.push(await sideBySide(title, Object.fromEntries([...contenders, ...raw]), times))
  }
  for (const { contender, peer } of opened) {
    const { tools } = await peer.client.listTools()
    const modelTools = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))
    recordBytes('tools/list', contender.name, JSON.stringify(tools).length)
    recordBytes('of it, what a model reads', contender.name, JSON.stringify(modelTools).length)
    recordBytes('that, in tokens', contender.name, countTokens(JSON.stringify(modelTools)))
    await end(peer, contender)
  }
  for (const { close } of openedBaselines) await close()
  return { rows, bytes }
}
