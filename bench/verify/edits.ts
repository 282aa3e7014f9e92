// `bun bench/verify/edits.ts [NAME|FROM-TO [sample]]`: what verify says of each changed line of an edit, where a flow touches it, does not, and touched it before.

import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { connect } from '../../test/support/client.ts'
import { git } from '../../test/support/small-shop.ts'
import { type Answer, type Bench, runCase } from './claims-session.ts'
import { type Edit, edits, type Line } from './edit-list.ts'
import { createApplication } from './shop.ts'

const flows = ['touched', 'not touched', 'touched before'] as const
type FlowName = (typeof flows)[number]

const pattern = process.argv[2] ?? ''
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fl-edits-')))
const output = `${folder}-out`
createApplication(folder)
git(folder, 'tag', 'base')
const peer = await connect({ args: ['--headless', '--output-dir', output], cwd: folder })

function apply(bench: Bench, { prepare, path, after, text }: Edit): void {
  prepare?.(bench)
  if (after) bench.edit(path, after, after + text)
  else bench.write(path, text)
}

async function runFlow(bench: Bench, edit: Edit, flow: FlowName): Promise<Answer> {
  const isBefore = flow === 'touched before'
  if (!isBefore) apply(bench, edit)
  const isTouched = flow !== 'not touched'
  await bench.open(isTouched ? edit.page : edit.idlePage)
  await (isTouched ? edit.touch : edit.idle)(bench)
  if (isBefore) {
    apply(bench, edit)
    await bench.call('navigate', { url: edit.idlePage })
  }
  return bench.verify()
}

function stateOf(answer: Answer, path: string, line: number): Line {
  const file = answer.files.find((one) => one['file'] === path)
  if (!file) return 'no code'
  if (file['notSeen'] !== undefined) return 'not seen'
  const has = (part: string) =>
    file[part].some((range: string) => {
      const [first = 0, last = first] = range.split('-').map(Number)
      return line >= first && line <= last
    })
  if (has('ran') || has('partly') || has('idle')) return 'ran'
  return has('notRun') ? 'not run' : has('notLoaded') ? 'not loaded' : 'no code'
}

function expectedOf({ touched, untouched, isServer = false }: Edit, flow: FlowName): Edit['touched'] {
  if (flow === 'touched') return touched
  const isUnseen = flow === 'touched before' && isServer
  return isUnseen ? untouched.map((states) => ['not seen', ...states]) : untouched
}

let [flowCount, lineCount, rightCount, wrongRanCount] = [0, 0, 0, 0]
const summarize = () =>
  console.log(
    `${flowCount} flows of ${own.length} edits: ${rightCount} of ${lineCount} lines right (${((100 * rightCount) / lineCount).toFixed(1)} %), wrong "ran": ${wrongRanCount}`,
  )
async function end(): Promise<void> {
  await peer.close()
  for (const path of [folder, output]) rmSync(path, { recursive: true, force: true })
}
// A limit of time leaves what was seen until then.
process.once('SIGTERM', () => {
  summarize()
  void end().finally(() => process.exit(1))
})
const [, from, to] = /^(\d+)-(\d+)$/.exec(pattern) ?? []
const own = edits.filter(({ name }, index) =>
  from === undefined ? name.includes(pattern) : index + 1 >= Number(from) && index < Number(to),
)
// Each edit in one flow alone is a third of the time.
const isSample = process.argv[3] === 'sample'
for (const [number, edit] of own.entries())
  for (const flow of isSample ? flows.filter((_, index) => index === number % flows.length) : flows) {
    let first = 1
    const run = async (bench: Bench) => {
      const answer = await runFlow(bench, edit, flow)
      const text = bench.read(edit.path)
      first = text
        .slice(0, text.indexOf((edit.after ?? '') + edit.text) + (edit.after?.length ?? 0))
        .split('\n').length
      return answer
    }
    const answer = await runCase({ name: edit.name, run }, peer, folder, output)
    flowCount += 1
    expectedOf(edit, flow).forEach((expected, index) => {
      const state = stateOf(answer, edit.path, first + index)
      lineCount += 1
      if (expected.includes(state)) rightCount += 1
      else if (state === 'ran') wrongRanCount += 1
      if (!expected.includes(state))
        console.log(`| ${edit.name} | ${flow} | line ${index + 1} | ${state} | ${expected.join(' or ')} |`)
    })
  }
summarize()
await end()
process.exit(wrongRanCount === 0 && rightCount >= 0.99 * lineCount ? 0 : 1)
