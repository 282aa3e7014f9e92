// From a reading to entries of the ledger: which lines of which files a call ran.

import { join } from 'node:path'
import { readFileBelow } from '../../core/base/files/read-regular-file.ts'
import { pathInTree } from './change/path-in-tree.ts'
import type { FunctionRuns } from './coverage/counted-script.ts'
import { readLineRuns } from './coverage/read-line-runs.ts'
import type { FunctionEntry, RunEntry } from './ledger/entry.ts'
import { functionEntriesOf } from './ledger/source-functions.ts'
import { hashText } from './ledger/text-hash.ts'
import type { CountedModule } from './node/server-coverage.ts'
import { placeInFile } from './page/place-in-file.ts'
import type { Reading, ReadScript, ReadStyle, WantedSource } from './page/reading.ts'

type RunSource = Pick<RunEntry, 'at' | 'session' | 'call' | 'isCutOff'>

export interface RunNotes {
  /** The entries of a reading of pages and of what ran in servers; `top` is that of the work tree. The first one of a compilation of a file has all
   * of its functions, later ones those that ran. */
  entriesOf(
    runs: Runs,
    top: string,
    source: RunSource,
    serverSource?: RunSource,
  ): Promise<readonly RunEntry[]>
  /** The URLs of scripts that are no program, or took too long to read. */
  unread(): readonly string[]
}

interface Runs {
  readonly pages: Reading
  readonly modules: readonly CountedModule[]
}

export function createRunNotes(): RunNotes {
  const known = new Set<string>()
  const unread = new Set<string>()
  return {
    unread: () => [...unread],
    async entriesOf({ pages: { scripts, styles }, modules }, top, source, serverSource = source) {
      const news = scripts.filter(
        (read) => hasCounts(read) || read.sources.some((one) => !known.has(keyOf(one))),
      )
      for (const key of news.flatMap(({ sources }) => sources.map(keyOf))) known.add(key)
      const runs = [
        ...news.map((read) => runsOfScript(read, top, unread)),
        ...modules.map((module) => runsOfModule(module, top)),
      ]
      const files = [...(await Promise.all(runs)).flat(), ...styles.map(runsOfStyle)]
      return files.flatMap(({ file, content, functions, part }) => {
        // What is compiled in another way has other functions.
        const places = functions.map(({ firstLine, lastLine }) => `${firstLine}-${lastLine}`).join(' ')
        const compilation = hashText(`${part}\0${file}\0${content}\0${places}`)
        const isNew = !known.has(compilation)
        known.add(compilation)
        const newFunctions = isNew ? functions : functions.filter(hasRun)
        // What has no code of its own, such as a list of exports, was loaded.
        return isNew || newFunctions.length > 0
          ? {
              ...{
                kind: 'run' as const,
                ...(part === 'server' ? serverSource : source),
                file,
                content,
                functions: newFunctions,
              },
              ...(part !== 'script' && { part }),
            }
          : []
      })
    },
  }
}

// --- internal ---

const FILE_LIMIT_BYTES = 2_000_000

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
async function runsOfScript(
  { script, map, sources }: ReadScript,
  top: string,
  unread: Set<string>,
): Promise<readonly FileRuns[]> {
  const runs = await readLineRuns(
    { ...script, json: map?.json },
    sources.map(({ source }) => source),
  )
  if (runs) unread.delete(script.url)
  else unread.add(script.url)
  return sources.flatMap(({ source, file, content }) =>
    runs && content !== undefined ? fileRunsOf(file, content, runs.get(source) ?? [], 'script', top) : [],
  )
}

async function runsOfModule(module: CountedModule, top: string): Promise<readonly FileRuns[]> {
  const { files } = module
  const runs = await readLineRuns(
    module,
    files.map(({ source = '' }) => source),
  )
  return files.flatMap(({ file, source = '', content }) =>
    runs ? fileRunsOf(pathInTree(top, file), content, runs.get(source) ?? [], 'server', top) : [],
  )
}

function fileRunsOf(
  file: string,
  content: string,
  functions: readonly FunctionRuns[],
  part: FileRuns['part'],
  top: string,
): FileRuns {
  const disk = readFileBelow(join(top, file), top, FILE_LIMIT_BYTES)?.toString('utf8')
  const placed = disk === undefined ? undefined : placeInFile(file, disk, content, functions)
  const { text, functions: own } = placed ?? { text: content, functions }
  return { file, content: hashText(text), functions: functionEntriesOf(own, text, file), part }
}

/** All rules of a block are one: what an edit does to one may concern each of them. */
function runsOfStyle({ file, content, used, partly, unused }: ReadStyle): FileRuns {
  const lines = [...used, ...partly, ...unused].toSorted((a, b) => a - b)
  const runs = { firstLine: lines[0] ?? 1, lastLine: lines.at(-1) ?? 1 }
  const functions = functionEntriesOf([{ ...runs, ran: used, partly, notRun: unused }], content, file)
  return { file, content: hashText(content), functions, part: 'style' }
}
