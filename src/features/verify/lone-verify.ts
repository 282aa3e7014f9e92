// `footlight verify` where no server runs: by git and by what servers left in the ledgers of the work tree, without a browser.

import { resolve } from 'node:path'
import process from 'node:process'
import type { Outcome } from '../../core/base/failure.ts'
import { createRunGit } from '../../core/devserver/process/run-git.ts'
import type { Fields } from '../../core/tool/verb.ts'
import { findLedgerStart } from './change/beginnings.ts'
import { readChange } from './change/read-change.ts'
import { findTestFiles } from './flows/find-tests.ts'
import { openLedger } from './ledger/ledger-file.ts'
import { readLedgers } from './ledger/read-ledgers.ts'
import { readOutputDir } from './ledger/read-output-dir.ts'
import { verifyAlone, type VerifyRequest } from './run-verify.ts'
import { writeVerdict } from './write-verdict.ts'

/** Verifies the work tree of the current folder, or of that of the request. */
export async function runLoneVerify(request: VerifyRequest): Promise<Outcome<Fields>> {
  const outputDir = readOutputDir(process.env)
  const folder = request.cwd ?? process.cwd()
  const outputFolder = resolve(outputDir)
  const git = createRunGit({ parentEnv: process.env })
  const read = (top: string) => readLedgers(folder, top, outputDir, git)
  const findBegan = async (top: string) => findLedgerStart(git, top, await read(top))
  return verifyAlone(request, {
    readChange: (path, base) => readChange(git, path, base, findBegan),
    ledgerOf: (top) => ({ ...openLedger(outputFolder, top), read: () => read(top) }),
    findTestFiles: (top) => findTestFiles(git, top, outputFolder),
    outputFolder,
    write: (_, markdown) => writeVerdict(outputFolder, markdown),
  })
}
