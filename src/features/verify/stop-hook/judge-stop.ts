// Whether an agent may stop: by git and the ledgers of its work trees. It runs in a process of its own, so that whatever happens to it
// lets the agent stop.

import { join, resolve } from 'node:path'
import process from 'node:process'
import { readKeptFile, replaceFile } from '../../../core/base/files/kept-files.ts'
import { openFolder } from '../../../core/base/files/output-folder.ts'
import { createRunGit } from '../../../core/devserver/process/run-git.ts'
import { findLedgerStart } from '../change/beginnings.ts'
import { readChange } from '../change/read-change.ts'
import { findTestFiles } from '../flows/find-tests.ts'
import { LEDGER_FOLDER } from '../ledger/ledger-file.ts'
import { readLedgers } from '../ledger/read-ledgers.ts'
import { hashText } from '../ledger/text-hash.ts'
import { judgeAlone } from '../verdict/judge-alone.ts'
import type { AgentStop } from './agent-stop.ts'
import { openLinesOf } from './open-lines.ts'

/** What the agent is asked to do; empty if it may stop. */
export async function judgeStop(stop: AgentStop, outputDir: string): Promise<string> {
  const folders = stop.folders.length > 0 ? stop.folders : [process.cwd()]
  const trees = await Promise.all(folders.map((folder) => judgeFolder(folder, outputDir)))
  const openTrees = trees.filter((tree) => tree !== undefined)
  const [first] = openTrees
  if (!first) return ''
  const lines = openTrees.flatMap((tree) => tree.lines)
  const isFirst = await noteQuestion(stop, lines, resolve(first.top, outputDir))
  return isFirst ? [...lines, REQUEST].join('\n') : ''
}

// --- internal ---

const REQUEST =
  'Run these lines in a browser with Footlight and verify again, or say that they are not verified. This is asked once.'

async function judgeFolder(folder: string, outputDir: string) {
  const git = createRunGit({ parentEnv: process.env })
  const read = (top: string) => readLedgers(folder, top, outputDir, git)
  const change = await readChange(git, folder, undefined, async (top) =>
    findLedgerStart(git, top, await read(top)),
  )
  if (!change.ok) return undefined
  const { top } = change.value
  const ledger = await read(top)
  if (ledger.isUnreadable) return undefined
  const verdict = await judgeAlone(change.value, {
    ledgerOf: () => ({ read: async () => ledger }),
    findTestFiles: () => findTestFiles(git, top, resolve(top, outputDir)),
  })
  if (!verdict.ok) return undefined
  const lines = openLinesOf(verdict.value, Date.now())
  return lines.length > 0 ? { top, lines } : undefined
}

const FILE_NAME = 'questions.txt'
const QUESTION_LIMIT = 100
const QUESTIONS_LIMIT_BYTES = 10_000

/** Notes that the agent is asked; false if it was asked before. A client that neither says whether the agent goes on because of a hook nor which
 * prompt it answers is asked once for what is the same. */
async function noteQuestion(
  { session, prompt, isContinued }: AgentStop,
  lines: readonly string[],
  outputFolder: string,
): Promise<boolean> {
  if (prompt === undefined && isContinued !== undefined) return true
  const withoutAges = lines.join('\n').replace(/ \(\d+ \w+ ago\)/g, '')
  const question = hashText(`${session}\n${prompt ?? withoutAges}`)
  const folder = await openFolder(outputFolder, LEDGER_FOLDER)
  if (!folder.ok) return false
  const path = join(folder.value, FILE_NAME)
  const last = readKeptFile(path, QUESTIONS_LIMIT_BYTES)
  const questions = ((last.ok && last.value?.toString('utf8')) || '').split('\n').filter(Boolean)
  if (questions.includes(question)) return false
  await replaceFile(path, `${[...questions, question].slice(-QUESTION_LIMIT).join('\n')}\n`)
  return true
}
