// From a reading to entries of the ledger: which lines of which files a call ran.

import { readLineRuns } from './coverage/read-line-runs.ts'
import { functionEntriesOf, type FunctionEntry, type RunEntry } from './ledger/entry.ts'
import { hashText } from './ledger/text-hash.ts'
import type { Reading, ReadScript, ReadStyle } from './page/reading.ts'

type RunSource = Pick<RunEntry, 'at' | 'session' | 'call'>

export interface RunNotes {
  /** The entries of a reading. The first one of a version of a file has all of its functions, later ones those that ran. */
  entriesOf(reading: Reading, source: RunSource): Promise<readonly RunEntry[]>
}

export function createRunNotes(): RunNotes {
  const known = new Set<string>()
  return {
    async entriesOf({ scripts, styles }, source) {
      const files = [...(await Promise.all(scripts.map(runsOfScript))).flat(), ...styles.map(runsOfStyle)]
      return files.flatMap(({ file, content, functions, part }) => {
        const version = `${part}\0${file}\0${content}`
        const isNew = !known.has(version)
        known.add(version)
        const news = isNew ? functions : functions.filter(hasRun)
        return news.length > 0 ? { kind: 'run' as const, ...source, file, content, functions: news } : []
      })
    },
  }
}

// --- internal ---

const hasRun = ({ ran, partly }: FunctionEntry): boolean => ran.length + partly.length > 0

interface FileRuns {
  readonly file: string
  readonly content: string
  readonly functions: readonly FunctionEntry[]
  readonly part: 'script' | 'style'
}

/** The runs of the files that a script was made from. Without its content nothing is known of a file: its lines may be others now. */
async function runsOfScript({ script, map, sources }: ReadScript): Promise<readonly FileRuns[]> {
  const runs = await readLineRuns(script, map?.parsed)
  return sources.flatMap(({ source, file, content }) => {
    const functions = runs?.get(map ? source : script.url)
    if (!functions || content === undefined) return []
    const entries = functionEntriesOf(functions, content)
    return { file, content: hashText(content), functions: entries, part: 'script' as const }
  })
}

/** All rules of a sheet are one: what an edit does to a sheet may concern each of them. */
function runsOfStyle({ file, content, used, partly, unused }: ReadStyle): FileRuns {
  const lines = [...used, ...partly, ...unused]
  const runs = { firstLine: Math.min(...lines, 1), lastLine: Math.max(...lines, 1) }
  const functions = functionEntriesOf([{ ...runs, ran: used, partly, notRun: unused }], content)
  return { file, content: hashText(content), functions, part: 'style' }
}
