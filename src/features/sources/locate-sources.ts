// Replaces positions in scripts by positions in source files, in the journal and for elements. Nothing is done until an error is printed or
// a caller reads positions.

import { createBoundedMap } from '../../core/base/bounded-collections.ts'
import { isLoopbackHost } from '../../core/base/network/http-guard.ts'
import { settleWithin } from '../../core/base/system/settle-within.ts'
import { parseUrl } from '../../core/base/text/parse-url.ts'
import { isLibraryPath, readSourcePath } from '../../core/base/text/source-path.ts'
import type { Journal, JournalEntry } from '../../core/sessions/journal/journal.ts'
import type { LocatedSource, SourceLocator } from '../../core/sessions/types/sources.ts'
import { createBundleReader } from './bundled-files.ts'
import { locateElement } from './locate-element.ts'
import { createScriptIndex } from './map-reference.ts'
import { createNotedModules } from './noted-modules.ts'
import { findServedFile, placeSource, readSourceFile } from './place-source.ts'
import {
  createScriptMaps,
  type MappedScript,
  type ScriptMaps,
  type ScriptMapsOptions,
  type SourceFile,
} from './script-maps.ts'
import { positionsOfEntry, replaceEntryPositions, type ScriptPosition } from './script-positions.ts'

interface SourceLocatorOptions extends Omit<PositionLocatorOptions, 'index'> {
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
  const scripts = createScripts({ ...options, index })
  const locator = createPositionLocator(scripts, options.server)
  const modules = createNotedModules({ ...options, index, scripts })
  const sourcesByEntry = new WeakMap<JournalEntry, readonly LocatedSource[]>()
  const completeEntries = new WeakSet<JournalEntry>()
  let preparedAt = 0
  async function locate(positions: readonly ScriptPosition[], timeoutMs: number) {
    const at = now()
    const datedPositions = positions.map((position) => ({ ...position, at }))
    const { find } = await locator.locateAll(datedPositions, timeoutMs)
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
      if (positions.length === 0) {
        open.forEach((entry) => completeEntries.add(entry))
        return entries
      }
      const { find, isComplete } = await locator.locateAll(positions, timeoutMs)
      const locate = (entry: JournalEntry): JournalEntry => {
        const entryWithSource = replaceEntryPositions(entry, (position) =>
          find({ ...position, at: entry.at }),
        )
        const sources = datedPositionsOf(entry).flatMap((position) => find(position) ?? [])
        const ownSources = sources.filter(({ file }) => !isLibraryPath(file))
        if (entryWithSource !== entry) journal.replace(entry, entryWithSource)
        if (isComplete) completeEntries.add(entryWithSource)
        if (ownSources.length > 0) sourcesByEntry.set(entryWithSource, ownSources)
        return entryWithSource
      }
      const locatedEntries = new Map(open.map((entry) => [entry, locate(entry)]))
      return entries.map((entry) => locatedEntries.get(entry) ?? entry)
    },
    locateElement: (origin, pageUrl, timeoutMs = LOCATE_TIMEOUT_MS) =>
      locateElement(origin, pageUrl, { locate, server: options.server, modules, timeoutMs }),
    findBundled: createBundleReader({ ...options, index, scripts }),
    firstSourceOf: (entry) => sourcesByEntry.get(entry)?.[0],
    sourcesOf: (entry) => sourcesByEntry.get(entry) ?? [],
  }
}

// --- internal ---

const isProblem = ({ kind, level }: Pick<JournalEntry, 'kind' | 'level'>): boolean =>
  kind === 'console' && (level === 'error' || level === 'warning')

const datedPositionsOf = (entry: Omit<JournalEntry, 'seq'>): (ScriptPosition & { at: number })[] =>
  positionsOfEntry(entry).map((position) => ({ ...position, at: entry.at }))

// Finds the source files of positions in scripts.
type PositionLocatorOptions = Omit<ScriptMapsOptions, 'findFile' | 'readSource'>

/** A position as it was at a time in Unix milliseconds. */
interface DatedPosition extends ScriptPosition {
  readonly at: number
}

type FindLocated = (position: DatedPosition) => LocatedSource | undefined

interface PositionLocator {
  /** What is found in time, by default `LOCATE_TIMEOUT_MS`; `isComplete`: nothing is still being loaded. */
  locateAll(
    positions: readonly DatedPosition[],
    timeoutMs?: number,
  ): Promise<{ find: FindLocated; isComplete: boolean }>
  /** Starts to load what is needed to locate a position. */
  prepare(position: DatedPosition): void
}

/** The longest wait of a call for source maps that are still being loaded. */
const LOCATE_TIMEOUT_MS = 500
const FILE_LIMIT = 1000

const createScripts = (options: PositionLocatorOptions): ScriptMaps =>
  createScriptMaps({
    ...options,
    findFile: (url, text) => findOwnFile(options.server, url, text),
    readSource: (source, origin) => readOwnSource(options.server, source, origin),
  })

function createPositionLocator(scripts: ScriptMaps, server: ReadServer): PositionLocator {
  const files = createBoundedMap<string, Promise<string | undefined>>(FILE_LIMIT)
  const findFile = (source: string, script: MappedScript) => {
    const key = `${script.base} ${source}`
    const file = files.get(key) ?? findSourceFile(server, source, script)
    files.set(key, file)
    return file
  }
  return {
    async locateAll(positions, timeoutMs = LOCATE_TIMEOUT_MS) {
      const sources = new Map<string, LocatedSource | undefined>()
      const unique = new Map(positions.map((position) => [keyOf(position), position]))
      const work = [...unique].map(async ([key, position]) => {
        const source = await locatePosition(position, scripts, findFile).catch(() => undefined)
        if (source && (await hasLine(server, source))) sources.set(key, source)
      })
      const end = await settleWithin(timeoutMs, Promise.all(work))
      return { find: (position) => sources.get(keyOf(position)), isComplete: end !== undefined }
    },
    prepare({ url, at }) {
      if (!isLibraryPath(url)) void scripts.load(url, at)
    },
  }
}

const keyOf = ({ url, line, column, at }: DatedPosition): string => `${at} ${url}:${line}:${column}`

async function locatePosition(
  { url, at, ...position }: DatedPosition,
  scripts: ScriptMaps,
  findFile: (source: string, script: MappedScript) => Promise<string | undefined>,
): Promise<LocatedSource | undefined> {
  if (isLibraryPath(url)) return undefined
  const script = await scripts.load(url, at)
  const mapped = await script?.map.find(position)
  if (!script || !mapped) return undefined
  const { source, line, column } = mapped
  const file = script.file ?? (await findFile(source, script))
  if (file === undefined) return undefined
  const content = await script.map.contentOf(source)
  return { file, line, column, content }
}

type ReadServer = PositionLocatorOptions['server']

// A map may be of another text than the file that it names.
async function hasLine(server: ReadServer, { file, line, content }: LocatedSource): Promise<boolean> {
  const own = content === undefined ? await server() : undefined
  const text = content ?? (own && (await readSourceFile(own.folder, file)))
  return text === undefined || text.split('\n', line).length === line
}

// Only scripts of the session's own server can be files of its folder: a page of another server may have the same paths.
async function findSourceFile(
  server: ReadServer,
  source: string,
  { base, origin }: MappedScript,
): Promise<string | undefined> {
  const path = readSourcePath(source, base)
  if (!path) return undefined
  const own = await server()
  const isOwn = own?.origin === origin
  if (path.kind === 'file' && !isOwn && !isLoopbackHost(parseUrl(origin)?.hostname ?? '')) return undefined
  return placeSource(path, isOwn || path.kind === 'file' ? own?.folder : undefined)
}

async function findOwnFile(server: ReadServer, url: string, text: string): Promise<string | undefined> {
  const own = await server()
  const path = own?.origin === new URL(url).origin ? readSourcePath(url, url) : undefined
  return own && path && findServedFile(path, text, own.folder)
}

async function readOwnSource(
  server: ReadServer,
  source: string,
  origin: string,
): Promise<SourceFile | undefined> {
  const own = await server()
  const path = readSourcePath(source, origin)
  if (own?.origin !== origin || !path) return undefined
  const file = await placeSource(path, own.folder)
  const text = file === undefined || file.startsWith('/') ? undefined : await readSourceFile(own.folder, file)
  return file === undefined || text === undefined ? undefined : { file, text }
}
