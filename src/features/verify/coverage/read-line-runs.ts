// From what V8 counted in a script to the lines of its sources that ran. A line is said to have run only where the counters prove it.

import type { OpenDocument } from '../../../core/base/files/files.ts'
import { openDocument } from '../../../core/base/files/open-document.ts'
import { countedScript, type FunctionRuns, type ScriptQuestion, type SourceRuns } from './counted-script.ts'
import { type FunctionCoverage, packCounts } from './counts.ts'

/** One script as V8 counted it (Profiler.ScriptCoverage with `callCount` and `detailed`), with its text. */
export interface CountedScript {
  readonly source: string
  readonly functions: readonly FunctionCoverage[]
  readonly isWithoutExceptions?: boolean
  /** Its source map. */
  readonly json?: string | undefined
}

type Runs = ReadonlyMap<string, readonly FunctionRuns[]>

/** The functions of each of the sources, by its name in the map, which is '' of a script without one. Undefined if the script is no program, or
 * takes too long to read. */
export async function readLineRuns(
  { source, functions, json, isWithoutExceptions = false }: CountedScript,
  sources: readonly string[],
): Promise<Runs | undefined> {
  const script = await openScript(source, json, sources.join('\n'))
  const runs = await script?.ask({ counts: packCounts(functions), isWithoutExceptions })
  return runs && new Map(runs)
}

// --- internal ---

type Script = OpenDocument<ScriptQuestion, SourceRuns>

/** A bundle of megabytes takes seconds, and longer on a busy machine. */
const OPEN_TIMEOUT_MS = 30_000
const SCRIPT_LIMIT = 50
const ALL_SCRIPTS_LIMIT_CHARS = 40_000_000

interface KeptScript {
  readonly source: string
  readonly json: string | undefined
  /** Their names, a line each. */
  readonly sources: string
  readonly script: Promise<Script | undefined>
}

/** The newest last: the same script is read after each call. */
let scripts: readonly KeptScript[] = []

const sizeOf = ({ source, json = '' }: KeptScript): number => source.length + json.length

function openScript(source: string, json: string | undefined, sources: string): Promise<Script | undefined> {
  const known = scripts.find((one) => one.source === source && one.json === json && one.sources === sources)
  const script = known ?? { source, json, sources, script: open(source, json, sources) }
  const others = scripts.filter((one) => one !== known)
  let size = sizeOf(script)
  const rest = others
    .toReversed()
    .filter((one, index) => (size += sizeOf(one)) <= ALL_SCRIPTS_LIMIT_CHARS && index < SCRIPT_LIMIT - 1)
  scripts = [...rest.toReversed(), script]
  for (const dropped of others) if (!rest.includes(dropped)) void dropped.script.then((one) => one?.close())
  return script.script
}

async function open(source: string, json: string | undefined, sources: string): Promise<Script | undefined> {
  const input = { source, sources: sources.split('\n'), ...(json !== undefined && { json }) }
  const document = await openDocument(countedScript, input, OPEN_TIMEOUT_MS)
  // What took too long on a busy machine may be read the next time.
  if (!document.ok && document.error === 'unreadable')
    scripts = scripts.filter((one) => one.source !== source || one.json !== json)
  return document.ok ? document.value : undefined
}
