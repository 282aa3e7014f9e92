// Finds the source files of positions in scripts.

import { settleWithin } from '../calls/settle-within.ts'
import { findServedFile, placeSource, readSourceFile } from './place-source.ts'
import {
  createScriptMaps,
  type MappedScript,
  type ScriptMaps,
  type ScriptMapsOptions,
  type SourceFile,
} from './script-maps.ts'
import { createBoundedMap } from '../../core/limits/bounded-map.ts'
import { isLoopbackHost } from '../../core/network/http-guard.ts'
import { parseUrl } from '../../core/network/parse-url.ts'
import type { ScriptPosition } from '../../core/source/script-positions.ts'
import { isLibraryPath, readSourcePath } from '../../core/source/source-path.ts'
import type { LocatedSource } from '../ports/source-locator.ts'

export type PositionLocatorOptions = Omit<ScriptMapsOptions, 'findFile' | 'readSource'>

/** A position as it was at a time in Unix milliseconds. */
export interface DatedPosition extends ScriptPosition {
  readonly at: number
}

export type FindLocated = (position: DatedPosition) => LocatedSource | undefined

export interface PositionLocator {
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

export function createPositionLocator(options: PositionLocatorOptions): PositionLocator {
  const { server } = options
  const scripts = createScriptMaps({
    ...options,
    findFile: (url, text) => findOwnFile(server, url, text),
    readSource: (source, origin) => readOwnSource(server, source, origin),
  })
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
        sources.set(key, source)
      })
      const end = await settleWithin(timeoutMs, Promise.all(work))
      return { find: (position) => sources.get(keyOf(position)), isComplete: end !== undefined }
    },
    prepare({ url, at }) {
      if (!isLibraryPath(url)) void scripts.load(url, at)
    },
  }
}

// --- internal ---

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
  return { file, line, column, ...(content !== undefined && { content }) }
}

type ReadServer = PositionLocatorOptions['server']

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
