import type { Change } from '../change/read-change.ts'
import type { FlowSources } from '../flows/find-touched.ts'
import { judge, type Verdict } from './verdict.ts'

/** The verdict by what git and the ledger know, without a page. */
export async function judgeAlone(
  { top, base, isBaseKnown, files: changed }: Change,
  { ledgerOf, findTestFiles }: Pick<FlowSources, 'ledgerOf' | 'findTestFiles'>,
): Promise<Verdict> {
  return judge({
    ...{ base, isBaseKnown, changed, claims: [], flows: [], stale: [] },
    entries: ledgerOf(top).read(),
    tests: new Set(await findTestFiles(top)),
    serverNote: '',
    serverFiles: new Set(),
  })
}
