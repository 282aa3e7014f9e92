import type { Outcome } from '../../../core/base/failure.ts'
import { map } from '../../../core/base/result.ts'
import type { Change } from '../change/read-change.ts'
import type { FlowSources } from '../flows/find-touched.ts'
import { judge, type Verdict } from './verdict.ts'

/** The verdict by what git and the ledger know, without a page. Fails as git does. */
export const judgeAlone = async (
  { top, base, isBaseKnown, files: changed }: Change,
  { ledgerOf, findTestFiles }: Pick<FlowSources, 'ledgerOf' | 'findTestFiles'>,
): Promise<Outcome<Verdict>> =>
  map(await findTestFiles(top), (testFiles) =>
    judge({
      ...{ base, isBaseKnown, changed, claims: [], flows: [], stale: [] },
      entries: ledgerOf(top).read(),
      tests: new Set(testFiles),
      serverNote: '',
      serverFiles: new Set(),
    }),
  )
