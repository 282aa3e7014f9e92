// V8 coverage of the Node servers of a session, without a debugging port: a preload counts in each process, and answers at a socket.

import { setImmediate } from 'node:timers/promises'
import type { Deadline } from '../../../core/base/system/deadline.ts'
import { settleWithin } from '../../../core/base/system/settle-within.ts'
import type { CountedFunction, CountedFunctions } from './install-coverage.ts'
import { mayContain, readModule, type ServerModule } from './read-module.ts'
import { type Flush, listenToProcesses, type ServerProcess } from './server-processes.ts'

/** A script that ran in a server since the last question, with the files that it was made from. */
export interface CountedModule extends ServerModule {
  readonly url: string
  readonly source: string
  readonly functions: readonly CountedFunction[]
  /** It has this number only until another version of it is loaded. */
  readonly scriptId: string
  readonly pid: number
  readonly threadId: number
  /** When its process or thread started, in Unix milliseconds. */
  readonly startedAt: number
}

export interface ServerCoverage {
  /** Who writes `{"flush": REASON}` to it waits until it is closed. */
  readonly socket: string
  /** The variables of the server. NODE_OPTIONS is that of `variables`, with the preload before it. */
  environmentFor(variables: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>>
  /** The processes and threads that count: those of other runtimes are not among them. */
  processes(): readonly Pick<ServerProcess, 'pid' | 'threadId' | 'startedAt'>[]
  /** What ran since the last question of the scripts that were made from these files, by absolute path. A process that does not answer in time
   * answers with the next question. */
  take(files: ReadonlySet<string>, deadline: Deadline): Promise<readonly CountedModule[]>
  end(): Promise<void>
}

/** The folder is for this alone; the server may start processes with the file in it as long as it runs. */
export async function openServerCoverage(
  folder: string,
  flush: Flush = async () => {},
): Promise<ServerCoverage> {
  const { preload, socket, list, end } = await listenToProcesses(folder, flush)
  const readers = new Map<ServerProcess, ProcessReader>()
  const readerOf = (process: ServerProcess) => {
    const reader = readers.get(process) ?? createProcessReader(process)
    readers.set(process, reader)
    return reader
  }
  return {
    socket,
    environmentFor: (variables) => ({ NODE_OPTIONS: optionsWith(preload, variables['NODE_OPTIONS']) }),
    processes: () => list().map(({ pid, threadId, startedAt }) => ({ pid, threadId, startedAt })),
    async take(files, deadline) {
      if (files.size === 0) return []
      const keptChars = [...readers.values()].reduce((sum, reader) => sum + reader.keptChars(), 0)
      const others = keptChars > KEPT_LIMIT_CHARS ? [] : list()
      for (const process of readers.keys()) if (!others.includes(process)) readers.delete(process)
      const counted = await Promise.all(list().map((process) => readerOf(process).take(files, deadline)))
      return counted.flat()
    },
    end,
  }
}

// --- internal ---

/** Of the texts of scripts; they are asked for anew when there are more. */
const KEPT_LIMIT_CHARS = 64_000_000

interface ProcessReader {
  keptChars(): number
  take(files: ReadonlySet<string>, deadline: Deadline): Promise<readonly CountedModule[]>
}

interface LoadedModule {
  /** The files that were asked for when it was read. */
  readonly key: string
  /** Undefined if it is made from none of these. */
  readonly module?: ServerModule & { readonly source: string }
}

function createProcessReader(process: ServerProcess): ProcessReader {
  const { pid, threadId, startedAt } = process
  const modules = new Map<string, LoadedModule>()
  let ready: CountedModule[] = []
  async function read(files: ReadonlySet<string>): Promise<void> {
    const key = [...files].sort().join('\n')
    const scripts = await process.take()
    const unknown = scripts.filter(({ scriptId }) => modules.get(scriptId)?.key !== key)
    for (const [scriptId, module] of await readModules(process, unknown, files)) {
      modules.set(scriptId, { key, ...(module && { module }) })
    }
    for (const script of scripts) {
      const module = modules.get(script.scriptId)?.module
      if (!module) continue
      const functions = script.functions.filter(hasBlocks)
      ready.push({ ...script, functions, ...module, pid, threadId, startedAt })
    }
  }
  return {
    keptChars: () => [...modules.values()].reduce((sum, { module }) => sum + (module?.source.length ?? 0), 0),
    async take(files, deadline) {
      await settleWithin(deadline.remaining(), read(files))
      const counted = ready
      ready = []
      return counted
    },
  }
}

// Of a function that ran without blocks nothing is known but that it was called: the user's own debugger has left.
const hasBlocks = ({ isBlockCoverage, ranges }: CountedFunction): boolean =>
  isBlockCoverage || ranges[0]?.count === 0

async function readModules(
  process: ServerProcess,
  scripts: readonly CountedFunctions[],
  files: ReadonlySet<string>,
): Promise<ReadonlyMap<string, LoadedModule['module']>> {
  const candidates: CountedFunctions[] = []
  for (const script of scripts) {
    // It may read a file.
    await setImmediate()
    if (mayContain(script.url, files)) candidates.push(script)
  }
  const texts =
    candidates.length > 0
      ? await process.readTexts(candidates.map((one) => one.scriptId))
      : new Map<string, string>()
  const modules = new Map<string, LoadedModule['module']>(
    scripts.map(({ scriptId }) => [scriptId, undefined]),
  )
  for (const { scriptId, url } of candidates) {
    const text = texts.get(scriptId)
    if (text === undefined) continue
    const module = await readModule({ url, text, startedAt: process.startedAt }, files)
    if (module) modules.set(scriptId, { ...module, source: text })
  }
  return modules
}

// Versions of Next that know one `--require` only take the last one: it must be the user's. They split at spaces that have no quotes.
function optionsWith(preload: string, own: string | undefined): string {
  const path = preload.replaceAll('\\', '/')
  return [/[\s"]/.test(path) ? `--require="${path}"` : `--require=${path}`, own].filter(Boolean).join(' ')
}
