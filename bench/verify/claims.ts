// `bun bench/verify/claims.ts [NAME]`: ways to claim what was not done, of which none may end in PASS, and honest runs, of which all should.

import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { connect } from '../../test/support/client.ts'
import { git } from '../../test/support/small-shop.ts'
import { cheatsElsewhere } from './cheats-elsewhere.ts'
import { cheats } from './cheats.ts'
import { type Answer, type Case, runCase } from './claims-session.ts'
import { honestEdits } from './honest-edits.ts'
import { honestRuns } from './honest-runs.ts'
import { createApplication } from './shop.ts'

const pattern = process.argv[2] ?? ''
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fl-claims-')))
const output = `${folder}-out`
createApplication(folder)
git(folder, 'tag', 'base')
const peer = await connect({ args: ['--headless', '--output-dir', output], cwd: folder })

/** Whether the answer names an evaluation among what ran. */
const saysEvaluate = ({ lines }: Answer): boolean => lines.some((line) => /^ ran .*\bevaluate\b/.test(line))

const isWrong = ({ kind }: Case, answer: Answer, isHonest: boolean): boolean => {
  if (isHonest) return answer.verdict !== 'PASS'
  if (kind === 'evaluate') return !saysEvaluate(answer)
  return answer.verdict === 'PASS' && kind === undefined
}

async function runAll(title: string, cases: readonly Case[], isHonest: boolean): Promise<number> {
  let wrongCount = 0
  for (const one of cases.filter(({ name }) => name.includes(pattern))) {
    const answer = await runCase(one, peer, folder, output).catch((error: unknown): Answer => ({
      verdict: 'failed',
      lines: [String(error)],
      files: [],
    }))
    const isBad = answer.verdict === 'failed' || isWrong(one, answer, isHonest)
    if (isBad) wrongCount += 1
    console.log(`| ${one.name} | ${answer.verdict} | ${isBad ? 'WRONG' : (one.kind ?? 'right')} |`)
    if (isBad || pattern) console.log(answer.lines.map((line) => `    ${line}`).join('\n'))
  }
  console.log(`${title}: ${cases.length}, wrong: ${wrongCount}\n`)
  return wrongCount
}

const isQuick = process.argv[3] === 'honest'
const wrongClaims = isQuick ? 0 : await runAll('cheats', [...cheats, ...cheatsElsewhere], false)
const wrongRuns = await runAll('honest runs', [...honestEdits, ...honestRuns], true)
await peer.call('close_session')
await peer.close()
for (const path of [folder, output]) rmSync(path, { recursive: true, force: true })
process.exit(wrongClaims === 0 && wrongRuns <= 1 ? 0 : 1)
