// From a reading to entries of the ledger: which lines of which files a call ran.

import { pathInTree } from './change/path-in-tree.ts'
import { readLineRuns } from './coverage/read-line-runs.ts'
import { functionEntriesOf, type FunctionEntry, type RunEntry } from './ledger/entry.ts'
import { hashText } from './ledger/text-hash.ts'
import type { CountedModule } from './node/server-coverage.ts'
import type { Reading, ReadScript, ReadStyle, WantedSource } from './page/reading.ts'

type RunSource = Pick<RunEntry, 'at' | 'session' | 'call' | 'isCutOff'>

export interface RunNotes {
  /** The entries of a reading of pages and of what ran in servers; `top` is that of the work tree. The first one of a compilation of a file has all
   * of its functions, later ones those that ran. */
  entriesOf(runs: Runs, top: string, source: RunSource): Promise<readonly RunEntry[]>
}

interface Runs {
  readonly pages: Reading
  readonly modules: readonly CountedModule[]
}

export function createRunNotes(): RunNotes {
  const known = new Set<string>()
  return {
    async entriesOf({ pages: { scripts, styles }, modules }, top, source) {
      const news = scripts.filter(
        (read) => hasCounts(read) || read.sources.some((one) => !known.has(keyOf(one))),
      )
      for (const key of news.flatMap(({ sources }) => sources.map(keyOf))) known.add(key)
      const runs = [...news.map(runsOfScript), ...modules.map((module) => runsOfModule(module, top))]
      const files = [...(await Promise.all(runs)).flat(), ...styles.map(runsOfStyle)]
      return files.flatMap(({ file, content, functions, part }) => {
        // What is compiled in another way has other functions.
        const places = functions.map(({ firstLine, lastLine }) => `${firstLine}-${lastLine}`).join(' ')
        const compilation = hashText(`${part}\0${file}\0${content}\0${places}`)
        const isNew = !known.has(compilation)
        known.add(compilation)
        const newFunctions = isNew ? functions : functions.filter(hasRun)
        return newFunctions.length > 0
          ? {
              ...{ kind: 'run' as const, ...source, file, content, functions: newFunctions },
              ...(part !== 'script' && { part }),
            }
          : []
      })
    },
  }
}

// --- internal ---

/** To parse a script takes long, and most have not run since the last reading. */
const hasCounts = ({ script }: ReadScript): boolean =>
  script.functions.some(({ ranges }) => ranges.some(({ count }) => count > 0))

const keyOf = ({ file, content = '' }: WantedSource): string =>
  `${file}\0${content.length}\0${hashText(content)}`

const hasRun = ({ ran, partly }: FunctionEntry): boolean => ran.length + partly.length > 0

interface FileRuns {
  readonly file: string
  readonly content: string
  readonly functions: readonly FunctionEntry[]
  readonly part: 'script' | 'server' | 'style'
}

/** The runs of the files that a script was made from. Without its content nothing is known of a file: its lines may be others now. */
async function runsOfScript({ script, map, sources }: ReadScript): Promise<readonly FileRuns[]> {
  const runs = await readLineRuns(script, map?.sourceMap)
  return sources.flatMap(({ source, file, content }) => {
    const functions = runs?.get(map ? source : script.url)
    if (!functions || content === undefined) return []
    const entries = functionEntriesOf(functions, content)
    return { file, content: hashText(content), functions: entries, part: 'script' as const }
  })
}

async function runsOfModule(
  { files, map, ...script }: CountedModule,
  top: string,
): Promise<readonly FileRuns[]> {
  const runs = await readLineRuns(script, map)
  return files.flatMap(({ file, source, content }) => {
    const functions = runs?.get(source ?? script.url)
    if (!functions) return []
    const path = pathInTree(top, file)
    const entries = functionEntriesOf(functions, content)
    return { file: path, content: hashText(content), functions: entries, part: 'server' as const }
  })
}

/** All rules of a sheet are one: what an edit does to a sheet may concern each of them. */
function runsOfStyle({ file, content, used, partly, unused }: ReadStyle): FileRuns {
  const lines = [...used, ...partly, ...unused]
  const runs = { firstLine: Math.min(...lines, 1), lastLine: Math.max(...lines, 1) }
  const functions = functionEntriesOf([{ ...runs, ran: used, partly, notRun: unused }], content)
  return { file, content: hashText(content), functions, part: 'style' }
}
