// Replaces positions in scripts by positions in source files, in the journal and for elements. Nothing is done until an error is printed or
// a caller reads positions.

import { locateElement } from './element-locator.ts'
import { createPositionLocator, type PositionLocatorOptions } from './position-locator.ts'
import type { LocatedSource, SourceLocator } from '../ports/source-locator.ts'
import type { Journal, JournalEntry } from '../../core/session/journal.ts'
import {
  positionsOfEntry,
  replaceEntryPositions,
  type ScriptPosition,
} from '../../core/source/script-positions.ts'
import { createScriptIndex } from '../../core/source/script-index.ts'
import { isLibraryPath } from '../../core/source/source-path.ts'

export interface SourceLocatorOptions extends Omit<PositionLocatorOptions, 'index'> {
  readonly journal: Journal
  readonly now: () => number
}

const PREPARE_INTERVAL_MS = 50
const PREPARED_POSITION_LIMIT = 4
// A request has the stack that started it.
const LOCATED_KINDS = new Set<JournalEntry['kind']>(['console', 'request'])

export function createSourceLocator(options: SourceLocatorOptions): SourceLocator {
  const { journal, now } = options
  const index = createScriptIndex()
  const locator = createPositionLocator({ ...options, index })
  const sourceByEntry = new WeakMap<JournalEntry, LocatedSource>()
  const completeEntries = new WeakSet<JournalEntry>()
  let preparedAt = 0
  async function locate(positions: readonly ScriptPosition[]) {
    const at = now()
    const datedPositions = positions.map((position) => ({ ...position, at }))
    const { find } = await locator.locateAll(datedPositions)
    return datedPositions.map(find)
  }
  return {
    addScript: index.add,
    prepare(entry) {
      // A page may print thousands of errors a second; they are located when they are read.
      if (!isProblem(entry) || entry.at - preparedAt < PREPARE_INTERVAL_MS) return
      preparedAt = entry.at
      datedPositionsOf(entry).slice(0, PREPARED_POSITION_LIMIT).forEach(locator.prepare)
    },
    async locateEntries(entries, timeoutMs) {
      const open = entries.filter((entry) => LOCATED_KINDS.has(entry.kind) && !completeEntries.has(entry))
      const positions = open.flatMap(datedPositionsOf)
      if (positions.length === 0) return entries
      const { find, isComplete } = await locator.locateAll(positions, timeoutMs)
      const locate = (entry: JournalEntry): JournalEntry => {
        const entryWithSource = replaceEntryPositions(entry, (position) =>
          find({ ...position, at: entry.at }),
        )
        const sources = datedPositionsOf(entry).map(find)
        const source = sources.find((one) => one && !isLibraryPath(one.file))
        if (entryWithSource !== entry) journal.replace(entry, entryWithSource)
        if (isComplete) completeEntries.add(entryWithSource)
        if (source) sourceByEntry.set(entryWithSource, source)
        return entryWithSource
      }
      const locatedEntries = new Map(open.map((entry) => [entry, locate(entry)]))
      return entries.map((entry) => locatedEntries.get(entry) ?? entry)
    },
    locateElement: (origin, pageUrl) => locateElement(origin, pageUrl, { locate, server: options.server }),
    firstSourceOf: (entry) => sourceByEntry.get(entry),
  }
}

// --- internal ---

const isProblem = ({ kind, level }: Pick<JournalEntry, 'kind' | 'level'>): boolean =>
  kind === 'console' && (level === 'error' || level === 'warning')

const datedPositionsOf = (entry: Omit<JournalEntry, 'seq'>): (ScriptPosition & { at: number })[] =>
  positionsOfEntry(entry).map((position) => ({ ...position, at: entry.at }))
