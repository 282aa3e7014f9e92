import type { Outcome } from '../../../core/base/failure.ts'
import { ok } from '../../../core/base/result.ts'
import type { Change } from '../change/read-change.ts'
import type { FlowSources } from '../flows/find-touched.ts'
import { judge, type Verdict } from './verdict.ts'

/** The verdict by what git and the ledger know, without a page. Fails as git does. */
export async function judgeAlone(
  { top, base, isBaseKnown, files: changed }: Change,
  { ledgerOf, findTestFiles }: Pick<FlowSources, 'ledgerOf' | 'findTestFiles'>,
): Promise<Outcome<Verdict>> {
  const testFiles = await findTestFiles(top)
  if (!testFiles.ok) return testFiles
  const { entries } = await ledgerOf(top).read()
  const verdict = judge({
    ...{ base, isBaseKnown, changed, entries, claims: [], flows: [], stale: [] },
    tests: new Set(testFiles.value),
    serverNote: '',
    serverFiles: new Set(),
  })
  return ok(verdict)
}
