import { join } from 'node:path'
import type { Outcome } from '../../../core/base/failure.ts'
import { ok } from '../../../core/base/result.ts'
import { findOutputDenial } from '../../../core/devserver/process/allowed-programs.ts'
import { type Change, readTreeFile } from '../change/read-change.ts'
import type { Ledger } from '../ledger/ledger-file.ts'
import { changedLinesOf } from '../pieces/changed-lines.ts'
import { type FlowVerdict, judgeFlows } from './judge-flows.ts'

/** Where what is known of tests comes from. */
export interface FlowSources {
  readonly ledgerOf: (top: string) => Pick<Ledger, 'read'>
  /** The files of a work tree with tests for Playwright. */
  readonly findTestFiles: (top: string) => Promise<Outcome<readonly string[]>>
  /** Nothing of it runs. */
  readonly outputFolder: string
}

/** The tests that a change touches, the quickest first. */
export const findTouched = async (
  change: Change,
  { ledgerOf, findTestFiles, outputFolder }: FlowSources,
): Promise<Outcome<readonly FlowVerdict[]>> => {
  const testFiles = await findTestFiles(change.top)
  if (!testFiles.ok) return testFiles
  const { entries } = await ledgerOf(change.top).read()
  const flows = judgeFlows({
    ...{ entries, changed: changedLinesOf(change.files), testFiles: testFiles.value },
    read: (file) => readTreeFile(change.top, file),
  })
  return ok(flows.filter(({ path }) => !findOutputDenial(join(change.top, path), outputFolder)))
}
