import type { Outcome } from '../../../core/base/failure.ts'
import { map } from '../../../core/base/result.ts'
import { type Change, changedLinesOf, readTreeFile } from '../change/read-change.ts'
import type { Ledger } from '../ledger/ledger-file.ts'
import { type FlowVerdict, judgeFlows } from './judge-flows.ts'

/** Where what is known of tests comes from. */
export interface FlowSources {
  readonly ledgerOf: (top: string) => Pick<Ledger, 'read'>
  /** The files of a work tree with tests for Playwright. */
  readonly findTestFiles: (top: string) => Promise<Outcome<readonly string[]>>
}

/** The tests that a change touches, the quickest first. */
export const findTouched = async (
  change: Change,
  { ledgerOf, findTestFiles }: FlowSources,
): Promise<Outcome<readonly FlowVerdict[]>> =>
  map(await findTestFiles(change.top), (testFiles) =>
    judgeFlows({
      entries: ledgerOf(change.top).read(),
      changed: changedLinesOf(change),
      testFiles,
      read: (file) => readTreeFile(change.top, file),
    }),
  )
