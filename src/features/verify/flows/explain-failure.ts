// What the lines that a failed test ran tell about its cause, and what its last runs do.

import type { Change } from '../change/read-change.ts'
import type { LedgerEntry } from '../ledger/entry.ts'
import type { FlowEntry } from '../ledger/flow-entry.ts'
import { changedLinesOf } from '../pieces/changed-lines.ts'
import { isCode, isStyle } from '../source/source-structure.ts'
import { pageFilesOf, serverFilesOf } from './judge-flows.ts'

/** A sentence for each thing that is known; `entries` are all of the ledger. */
export function explainFailure(
  flow: FlowEntry | undefined,
  change: Change | undefined,
  entries: readonly LedgerEntry[],
): readonly string[] {
  if (!flow) return []
  const byLines = change && explainByLines(flow, change, entries)
  return [byLines, explainByPast(flow)].filter((sentence) => sentence !== undefined)
}

// --- internal ---

function explainByLines(
  flow: FlowEntry,
  change: Change,
  entries: readonly LedgerEntry[],
): string | undefined {
  // What a server runs, or a page loads that nobody reads, may be the cause.
  if (!flow.isWhole) return undefined
  const ranLines = new Map(flow.files.map(({ file, ran }) => [file, new Set(ran)]))
  const ofServers = new Set(entries.flatMap(serverFilesOf))
  const ofPages = new Set(entries.flatMap(pageFilesOf))
  let count = 0
  for (const { path, lines } of changedLinesOf(change.files)) {
    const ran = ranLines.get(path)
    const isScript = isCode(path) && !isStyle(path)
    if (!isScript || ofServers.has(path) || (!ran && !ofPages.has(path))) return undefined
    if (lines.some((line) => ran?.has(line))) return undefined
    count += lines.length
  }
  if (count === 0) return undefined
  const lines = count === 1 ? 'did not run your changed line' : `ran none of your ${count} changed lines`
  return `It ${lines}: probably not due to this change.`
}

function explainByPast({ past, inputs }: FlowEntry): string | undefined {
  const same = past.filter((run) => run.inputs === inputs)
  const failedCount = same.filter(({ isPassed }) => !isPassed).length
  if (failedCount === same.length) return undefined
  return `It is flaky: it failed in ${failedCount} of its last ${same.length} runs of the same code.`
}
