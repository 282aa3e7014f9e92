// `bun bench/changes/main.ts`: a hundred changes of a small shop, twenty in each of five stacks, and each stack with itself. What `compare` finds
// of them, whether the first three lines of its answer name the file that was changed, and what it reports on pages that are as before.
// `--stacks React,Vue`, `--changes 0,4`, `--verbose` (the answers), `--binary FILE` (instead of `dist/footlight`). The tables go to stdout.

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { countTokens } from 'gpt-tokenizer'
import { placeCopy } from '../../test/apps/place.ts'
import { binary, callOrThrow, connect, type Peer } from '../../test/support/client.ts'
import { git } from '../../test/support/small-shop.ts'
import { changes, seedChange, type SeededChange } from './changes.ts'
import { CART_STEP, flow, type ShopStack, stacks } from './shop.ts'

const { values } = parseArgs({
  options: {
    stacks: { type: 'string' },
    changes: { type: 'string' },
    verbose: { type: 'boolean', default: false },
    binary: { type: 'string', default: binary },
  },
})
const numbers = values.changes?.split(',').map(Number)

interface Row {
  readonly stack: string
  readonly kind: string
  readonly isFound: boolean
  readonly isPlaced: boolean
  readonly falseCount: number
  readonly tokens: number
  readonly seconds: number
}

const rows: Row[] = []
for (const stack of stacks)
  if (values.stacks === undefined || values.stacks.split(',').includes(stack.name)) await measureStack(stack)
report()

async function measureStack(stack: ShopStack): Promise<void> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fl-changes-')))
  const app = stack.packages === undefined ? folder : await placeCopy(stack.packages, folder)
  if (stack.packages !== undefined) rmSync(join(app, 'src'), { recursive: true })
  for (const [path, text] of Object.entries({ ...stack.files, 'tests/order.spec.ts': flow })) {
    mkdirSync(dirname(join(app, path)), { recursive: true })
    writeFileSync(join(app, path), text)
  }
  writeFileSync(join(folder, '.gitignore'), 'node_modules\n')
  git(folder, 'init', '--quiet', '--initial-branch=main')
  git(folder, 'add', '--all')
  git(folder, 'commit', '--quiet', '--message=shop')
  const args = ['--headless', '--tools', '+compare', '--output-dir', `${folder}-out`]
  const peer = await connect({ command: [values.binary], args, cwd: folder })
  try {
    await measure(peer, app, stack, undefined)
    for (const [index, change] of changes.entries())
      if (numbers?.includes(index) ?? true) await measure(peer, app, stack, change)
  } finally {
    await peer.close()
    for (const path of [folder, `${folder}-out`]) rmSync(path, { recursive: true, force: true })
  }
}

async function measure(
  peer: Peer,
  app: string,
  { name, command }: ShopStack,
  change: SeededChange | undefined,
): Promise<void> {
  const file = change && seedChange(app, change)
  const startTime = performance.now()
  const input = { command, cwd: app, base: 'HEAD', flow: join(app, 'tests/order.spec.ts') }
  const answer = await callOrThrow(peer, 'compare', input).catch((error: unknown) => ({ error, steps: [] }))
  const seconds = (performance.now() - startTime) / 1000
  git(app, 'checkout', '--quiet', '.')
  const differences = answer.steps.flatMap(({ step, differences: all }: any) =>
    all.map((one: any) => ({ ...one, step })),
  )
  const isElsewhere = ({ step }: any) =>
    !change || (change.page === 'list' && step >= CART_STEP) || (change.page === 'cart' && step < CART_STEP)
  const row: Row = {
    stack: name,
    kind: change?.kind ?? 'itself',
    isFound: differences.length > 0,
    isPlaced: differences.slice(0, 3).some((one: any) => one.file === file && one.inDiff),
    falseCount: differences.filter(isElsewhere).length,
    tokens: countTokens(JSON.stringify(answer)),
    seconds,
  }
  rows.push(row)
  const problem = row.falseCount > 0 || (change && !row.isPlaced) || 'error' in answer
  console.error(
    name,
    change?.kind ?? 'itself',
    change?.edits[0]?.[1] ?? '',
    problem ? 'LOOK' : 'ok',
    seconds.toFixed(1),
  )
  if (problem || values.verbose)
    console.error(JSON.stringify({ ...answer, files: undefined, expect: undefined }, undefined, 1))
}

function report(): void {
  const seeded = rows.filter(({ kind }) => kind !== 'itself')
  const tableOf = (name: 'stack' | 'kind') => {
    const groups = Map.groupBy(seeded, (row) => row[name])
    const lines = [...groups].map(([group, list]) => {
      const count = (has: (row: Row) => boolean) => `${list.filter(has).length} of ${list.length}`
      const falseCount = list.reduce((sum, row) => sum + row.falseCount, 0)
      return `| ${group} | ${count(({ isFound }) => isFound)} | ${count(({ isPlaced }) => isPlaced)} | ${falseCount} |`
    })
    const head = `| ${name} | found | file in the first three lines | false differences |`
    return [head, '| --- | --- | --- | --- |', ...lines, ''].join('\n')
  }
  const sorted = (values: readonly number[]) => values.toSorted((a, b) => a - b)
  const [tokens, seconds] = [sorted(rows.map((row) => row.tokens)), sorted(rows.map((row) => row.seconds))]
  const middle = Math.floor(rows.length / 2)
  const own = rows.filter(({ kind }) => kind === 'itself')
  console.log(tableOf('stack'))
  console.log(tableOf('kind'))
  console.log(
    `With itself: ${own.reduce((sum, row) => sum + row.falseCount, 0)} differences in ${own.length} stacks.`,
  )
  console.log(`Tokens of an answer: ${tokens[middle]} (median), ${tokens.at(-1)} at most.`)
  console.log(`Seconds: ${seconds[middle]?.toFixed(1)} (median), ${seconds.at(-1)?.toFixed(1)} at most.`)
}
