// One act at a time, on one open page: how long it takes, and how many bytes of text come back.

import { countTokens } from 'gpt-tokenizer'
import { act, end, type Contender } from './contenders.ts'
import type { Floor } from './floors.ts'
import { sideBySide, type Row, type Run, type Runs } from './measure.ts'

interface Field {
  readonly all: readonly Contender[]
  readonly floor: readonly Floor[]
  readonly url: string
}

export type Bytes = Record<string, Record<string, number>>

// A snapshot comes last: after it, each act of ours also tells what it changed, which the others do not.
const acts = [
  ['click', 'click'],
  ['type', 'type, 10 letters'],
  ['evaluate', 'evaluate'],
  ['screenshot', 'screenshot'],
  ['navigate', 'navigate'],
  ['missing', 'click on what is not there (300 ms)'],
  ['snapshot', 'snapshot'],
] as const

export async function measureActs(
  { all, floor, url }: Field,
  times: Runs,
  say: (text: string) => void,
): Promise<{ rows: Row[]; bytes: Bytes }> {
  const below = await Promise.all(floor.map((one) => one.open(1, url)))
  const open = await Promise.all(
    all.map(async (contender) => {
      const peer = await contender.start()
      return { contender, peer, given: await contender.open(peer, url) }
    }),
  )
  const rows: Row[] = []
  const bytes: Bytes = {}
  const note = (what: string, name: string, size: number) => {
    bytes[what] = { ...bytes[what], [name]: size }
  }
  for (const [what, title] of acts) {
    const contenders: [string, Run][] = []
    for (const { contender, peer, given } of open.filter((one) => one.contender.acts[what])) {
      const run = () => act(contender, peer, given, what, url)
      const tried = await run().catch((error: Error) => error)
      if (tried instanceof Error) say(`left out: ${tried.message}`)
      else contenders.push([contender.name, async () => note(title, contender.name, await run())])
    }
    const raw = floor.flatMap(({ name }, index): [string, Run][] => {
      const run = below[index]?.pages[0]?.[what]
      return run ? [[name, async () => void (await run())]] : []
    })
    rows.push(await sideBySide(title, Object.fromEntries([...contenders, ...raw]), times))
  }
  for (const { contender, peer } of open) {
    const { tools } = await peer.client.listTools()
    const read = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))
    note('tools/list', contender.name, JSON.stringify(tools).length)
    note('of it, what a model reads', contender.name, JSON.stringify(read).length)
    note('that, in tokens', contender.name, countTokens(JSON.stringify(read)))
    await end(peer, contender)
  }
  for (const { close } of below) await close()
  return { rows, bytes }
}
