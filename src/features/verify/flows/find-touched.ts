import { join } from 'node:path'
import { findOutputDenial } from '../../../core/devserver/process/allowed-programs.ts'
import { type Change, changedLinesOf, readTreeFile } from '../change/read-change.ts'
import type { Ledger } from '../ledger/ledger-file.ts'
import { type FlowVerdict, judgeFlows } from './judge-flows.ts'

/** Where what is known of tests comes from. */
export interface FlowSources {
  readonly ledgerOf: (top: string) => Pick<Ledger, 'read'>
  /** The files of a work tree with tests for Playwright. */
  readonly findTestFiles: (top: string) => Promise<readonly string[]>
  /** Nothing of it runs. */
  readonly outputFolder: string
}

/** The tests that a change touches, the quickest first. */
export const findTouched = async (
  change: Change,
  { ledgerOf, findTestFiles, outputFolder }: FlowSources,
): Promise<readonly FlowVerdict[]> =>
  judgeFlows({
    entries: (await ledgerOf(change.top).read()).entries,
    changed: changedLinesOf(change),
    testFiles: await findTestFiles(change.top),
    read: (file) => readTreeFile(change.top, file),
  }).filter(({ path }) => !findOutputDenial(join(change.top, path), outputFolder))
