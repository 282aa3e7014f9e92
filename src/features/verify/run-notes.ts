// From a reading of the pages to entries of the ledger: which lines of which files a call ran.

import { readLineRuns } from './coverage/read-line-runs.ts'
import { functionEntriesOf, type FunctionEntry, type RunEntry } from './ledger/entry.ts'
import { hashText } from './ledger/text-hash.ts'
import type { Reading, ReadScript } from './page/reading.ts'

type RunSource = Pick<RunEntry, 'at' | 'session' | 'call'>

export interface RunNotes {
  /** The entries of a reading. The first one of a version of a file has all of its functions, later ones those that ran. */
  entriesOf(reading: Reading, source: RunSource): Promise<readonly RunEntry[]>
}

export function createRunNotes(): RunNotes {
  const known = new Set<string>()
  return {
    async entriesOf({ scripts }, source) {
      const entries: RunEntry[] = []
      for (const script of scripts)
        for (const { file, content, functions } of await filesOf(script)) {
          const version = `${file}\0${content}`
          const isNew = !known.has(version)
          known.add(version)
          const news = isNew ? functions : functions.filter(hasRun)
          if (news.length > 0) entries.push({ kind: 'run', ...source, file, content, functions: news })
        }
      return entries
    },
  }
}

// --- internal ---

const hasRun = ({ ran, partly }: FunctionEntry): boolean => ran.length + partly.length > 0

interface FileRuns {
  readonly file: string
  readonly content: string
  readonly functions: readonly FunctionEntry[]
}

/** The runs of the files that a script was made from. Without its content nothing is known of a file: its lines may be others now. */
async function filesOf({ script, map, sources }: ReadScript): Promise<readonly FileRuns[]> {
  const runs = await readLineRuns(script, map?.parsed)
  return sources.flatMap(({ source, file, content }) => {
    const functions = runs?.get(map ? source : script.url)
    if (!functions || content === undefined) return []
    return { file, content: hashText(content), functions: functionEntriesOf(functions, content) }
  })
}
