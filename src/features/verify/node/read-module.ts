// Which files of the work tree a script of a server was made from, and which contents of them: by its source map, or because it is the file.

import { isAbsolute } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { readRegularFile } from '../../../core/base/files/read-regular-file.ts'
import { readStats } from '../../../core/base/files/read-stats.ts'
import { parseUrl } from '../../../core/base/text/parse-url.ts'
import { readSourcePath } from '../../../core/base/text/source-path.ts'
import { decodeMap } from '../../sources/map-cache.ts'
import { findMapReference, type MapReference } from '../../sources/map-reference.ts'
import { parseSourceMap, type SourceMap } from '../../sources/parse-map.ts'

/** A file of the work tree that a script was made from. */
interface ModuleFile {
  /** As it is among those that are asked for. */
  readonly file: string
  /** Its name in the map; undefined if the script is the file itself. */
  readonly source?: string
  /** The text from which the script was made; its lines are those of the counts. */
  readonly content: string
}

export interface ServerModule {
  /** The text of its source map. */
  readonly json?: string
  readonly files: readonly ModuleFile[]
}

/** The path of a script on the disk, without the query that loaders add; undefined for others. */
function scriptPath(url: string): string | undefined {
  try {
    if (url.startsWith('file:')) return fileURLToPath(url.replace(/[?#].*$/, ''))
  } catch {
    return undefined
  }
  return isAbsolute(url) ? url.replace(/\?.*$/, '') : undefined
}

/** Whether a script at this URL may have been made from one of the files. It tells that without the text of the script, which costs the
 * server more. */
export function mayContain(url: string, files: ReadonlySet<string>): boolean {
  const path = scriptPath(url)
  if (path === undefined) return findByPath(url, url, files) !== undefined
  if (files.has(path)) return true
  const text = readText(path)
  const reference = text === undefined ? undefined : findMapReference(text, undefined, MAP_LIMIT_BYTES)
  const json = reference && readMap(reference, path)
  if (json === undefined) return false
  return json.length > SEARCH_LIMIT_CHARS || [...files].some((file) => namesFile(json, file))
}

export interface LoadedScript {
  readonly url: string
  readonly text: string
  /** When its process started, in Unix milliseconds. */
  readonly startedAt: number
}

/** The files of a script; undefined if it is made from none of them, or from unknown contents. */
export async function readModule(
  { url, text, startedAt }: LoadedScript,
  files: ReadonlySet<string>,
): Promise<ServerModule | undefined> {
  const { code, line, column } = withoutWrapper(text)
  const path = scriptPath(url)
  const reference = findMapReference(code, undefined, MAP_LIMIT_BYTES)
  if (!reference) return path !== undefined && files.has(path) ? readOwnFile(path, text) : undefined
  // The map on the disk is that of the script on the disk.
  const isCurrent = () => path !== undefined && isSameText(text, readText(path))
  if ('url' in reference && !isCurrent()) return undefined
  const json = readMap(reference, path)
  if (json === undefined || ('url' in reference && !isCurrent())) return undefined
  const shifted = shiftMap(json, line, column)
  const result = await parseSourceMap(shifted, text)
  if (!result.ok) return undefined
  const map = result.value
  const base = 'url' in reference ? mapUrl(reference.url, path) : path && pathToFileURL(path).href
  // A file that is older than what was made from it is what that was made from.
  const madeAt = 'url' in reference && path !== undefined ? modifiedAt(path) : startedAt
  const moduleFiles = await findFiles(map, base ?? url, madeAt, files)
  map.close()
  return moduleFiles.length > 0 ? { json: shifted, files: moduleFiles } : undefined
}

// --- internal ---

const MAP_LIMIT_BYTES = 32_000_000
/** To look for many names in more takes longer than to ask the server. */
const SEARCH_LIMIT_CHARS = 1_000_000

const readText = (path: string): string | undefined =>
  readRegularFile(path, MAP_LIMIT_BYTES)
    ?.toString('utf8')
    .replace(/^\uFEFF/, '')

// Compilers drop what no line depends on.
const isSameText = (text: string, disk: string | undefined): boolean =>
  disk !== undefined && normalize(text) === normalize(disk)

const normalize = (text: string): string =>
  text
    .replace(/^\uFEFF/, '')
    .replaceAll('\r\n', '\n')
    .trimEnd()

const mapUrl = (reference: string, path = '/'): string =>
  URL.canParse(reference, pathToFileURL(path)) ? new URL(reference, pathToFileURL(path)).href : reference

function readMap(reference: MapReference, path: string | undefined): string | undefined {
  if (!('url' in reference)) return decodeMap(reference)
  const url = parseUrl(mapUrl(reference.url, path))
  return url?.protocol === 'file:' ? readText(fileURLToPath(url)) : undefined
}

// The name of a file in the JSON text of a map, where brackets may be encoded.
function namesFile(json: string, file: string): boolean {
  const name = file.slice(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1)
  return json.includes(name) || json.includes(encodeURIComponent(name)) || json.includes(encodeURI(name))
}

async function findFiles(
  map: SourceMap,
  base: string,
  madeAt: number,
  files: ReadonlySet<string>,
): Promise<readonly ModuleFile[]> {
  const moduleFiles: ModuleFile[] = []
  for (const source of await map.sources()) {
    const file = findByPath(source, base, files)
    if (file === undefined) continue
    const content = await map.contentOf(source)
    const disk = readText(file)
    const isDisk = content === undefined ? modifiedAt(file) < madeAt : isSameText(content, disk)
    if (isDisk && disk !== undefined) moduleFiles.push({ file, source, content: disk })
    else if (content !== undefined) moduleFiles.push({ file, source, content })
  }
  return moduleFiles
}

/** The file of these that a source or a URL is. */
function findByPath(source: string, base: string, files: ReadonlySet<string>): string | undefined {
  const name = source.replace(/[?#].*$/, '')
  const isRelative = base.startsWith('file:') && !/^[a-z-]+:|^[A-Za-z]:[\\/]/i.test(name)
  if (isRelative) {
    const url = URL.canParse(name, base) ? new URL(encodeName(name), base).href : ''
    const file = scriptPath(url)
    return file !== undefined && files.has(file) ? file : undefined
  }
  const place = readSourcePath(name, base)
  if (!place) return undefined
  if (files.has(place.path)) return place.path
  // A bundler may name a file from its root, which is not known here: only one of all can be meant.
  const ends = place.kind === 'file' ? [] : [...files].filter((file) => isEndOf(place.path, file))
  return ends.length === 1 ? ends[0] : undefined
}

// Names in maps are encoded by some tools and not by others.
const encodeName = (name: string): string =>
  name.includes('%') ? name : encodeURI(name).replaceAll('?', '%3F')

const isEndOf = (path: string, file: string): boolean => file.replaceAll('\\', '/').endsWith(`/${path}`)

function modifiedAt(path: string): number {
  return readStats(path)?.mtimeMs ?? 0
}

// Node replaces types by spaces and leaves every position.
function readOwnFile(file: string, text: string): ServerModule {
  const disk = readText(file)
  const code = text.replace(/\n\n\/\/# sourceURL=[^\n]*$/, '')
  const isStripped = disk !== undefined && disk !== text && isStrippedOf(code, disk)
  return { files: [{ file, content: isStripped ? disk : text }] }
}

function isStrippedOf(code: string, disk: string): boolean {
  if (code.length !== disk.length) return false
  for (let index = 0; index < code.length; index += 1)
    if (code[index] !== disk[index] && !/[\s;()]/.test(code[index] ?? '')) return false
  return true
}

interface WrappedCode {
  readonly code: string
  /** The position of the code in its script. */
  readonly line: number
  readonly column: number
}

// Vite and vite-node make a function of a module. Its map counts the lines of the wrapper, but not what is before the code on its first line.
function withoutWrapper(text: string): WrappedCode {
  const [prefix] = WRAPPER.exec(text) ?? []
  if (prefix === undefined) return { code: text, line: 0, column: 0 }
  const line = prefix.split('\n').length - 1
  const column = prefix.length - (prefix.lastIndexOf('\n') + 1)
  return { code: text.slice(prefix.length).replace(/\s*\}[})]\s*$/, ''), line, column }
}

const WRAPPER =
  /^(?:\(async function anonymous\([^)]*\) \{\n(?:"use strict";\n?)?|'use strict';async \([^)]*\)=>\{\{)/

/** The map for its script with what is before the code in a line. */
function shiftMap(json: string, line: number, column: number): string {
  if (column === 0) return json
  try {
    const map = JSON.parse(json)
    const mappings = String(map.mappings)
    const lines = /^;*/.exec(mappings)?.[0].length ?? 0
    const own = { ...map, mappings: mappings.slice(Math.min(line, lines)) }
    return JSON.stringify({ version: 3, sections: [{ offset: { line, column }, map: own }] })
  } catch {
    return json
  }
}
