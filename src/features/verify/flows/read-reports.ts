// From the reports of a test's pages to the lines of the work tree's files that they ran.

import { join } from 'node:path'
import { readRegularFile } from '../../../core/base/files/read-regular-file.ts'
import { isRecord, parseJson } from '../../../core/base/text/json.ts'
import { parseUrl } from '../../../core/base/text/parse-url.ts'
import { pathInside, readSourcePath } from '../../../core/base/text/source-path.ts'
import { decodeMap, MAP_LIMIT_CHARS } from '../../sources/map-cache.ts'
import { findMapReference } from '../../sources/map-reference.ts'
import { parseSourceMap } from '../../sources/parse-map.ts'
import { findServedFile, placeSource } from '../../sources/place-source.ts'
import { pathInTree, realFolderOf } from '../change/path-in-tree.ts'
import { splitLines } from '../ledger/entry.ts'
import type { FlowFile } from '../ledger/flow-entry.ts'
import { hashText } from '../ledger/text-hash.ts'
import { isSure } from '../page/page-reading.ts'
import type { CountedFunction, ReadScript } from '../page/reading.ts'
import { type CodePlace, fillLines, ranLinesOf } from './ran-lines.ts'

export interface ReportFolders {
  /** Of the reports. */
  readonly coverage: string
  /** Of the project that was served. */
  readonly project: string
  /** The real path of the work tree. */
  readonly top: string
}

export interface ReadReports {
  readonly files: readonly FlowFile[]
  readonly resources: readonly string[]
  /** Whether each script of this machine could be read. */
  readonly isWhole: boolean
  /** Whether a page had an uncaught error. */
  readonly hasError: boolean
  /** The scripts that came from changed files, as they are counted in the pages of a session. */
  readonly scripts: readonly ReadScript[]
}

export interface ReportReader {
  /** Reads the reports of one test. Texts that several have are parsed once. */
  read(names: readonly string[], changedFiles: ReadonlySet<string>): Promise<ReadReports>
  end(): Promise<void>
}

export function createReportReader(folders: ReportFolders): ReportReader {
  const codes = new Map<string, Promise<ScriptCode | undefined>>()
  const readText = (name: string) =>
    readRegularFile(join(folders.coverage, name), REPORT_LIMIT_BYTES)?.toString('utf8')
  const codeOf = (script: ReportedScript, text: string) => {
    const key = `${script.text} ${script.url} ${script.map ?? ''}`
    const map = script.map === undefined ? undefined : readText(script.map)
    const code = codes.get(key) ?? readCode(script.url, text, map, folders)
    codes.set(key, code)
    return code
  }
  return {
    async read(names, changedFiles) {
      const reports = names.map((name) => parseReport(readText(name) ?? ''))
      const files = new Map<string, KnownFile>()
      const scripts: ReadScript[] = []
      let isWhole = !reports.includes(undefined)
      for (const script of reports.flatMap((report) => report?.scripts ?? [])) {
        const text = script.text === undefined ? undefined : readText(script.text)
        const code = text === undefined ? undefined : await codeOf(script, text)
        // Of a document with scripts within it is known that it was loaded.
        isWhole &&= text !== undefined
        if (!code) continue
        noteScript(files, code, script)
        scripts.push(...wantedScriptOf(code, script, changedFiles))
      }
      return {
        ...{ isWhole, scripts },
        files: [...files].map(([file, { content, lines, lineCount }]) => ({
          ...{ file, content },
          ran: fillLines(lines, lineCount),
        })),
        resources: [...new Set(reports.flatMap((report) => report?.resources ?? []))],
        hasError: reports.some((report) => report?.hasError),
      }
    },
    async end() {
      for (const code of codes.values()) (await code)?.map?.sourceMap.close()
    },
  }
}

// --- internal ---

const REPORT_LIMIT_BYTES = 64_000_000

interface ReportedScript {
  readonly url: string
  readonly functions: readonly CountedFunction[]
  /** The names of its text and of its map. */
  readonly text?: string
  readonly map?: string
}

interface ScriptCode {
  readonly text: string
  readonly map?: ReadScript['map']
  readonly places: readonly CodePlace[]
  readonly sources: ReadonlyMap<string, SourceFile>
}

interface SourceFile {
  readonly file: string
  /** What the script was made of, and its hash. */
  readonly text: string
  readonly content: string
  readonly lineCount: number
}

interface KnownFile {
  content: string
  readonly lineCount: number
  readonly lines: Map<number, boolean>
}

// It was written by the process of the tests, for this one alone.
function parseReport(text: string) {
  const report = parseJson(text)
  return isRecord(report)
    ? {
        scripts: (report['scripts'] ?? []) as readonly ReportedScript[],
        resources: (report['resources'] ?? []) as readonly string[],
        hasError: report['hasError'] === true,
      }
    : undefined
}

function noteScript(
  files: Map<string, KnownFile>,
  { places, sources }: ScriptCode,
  { functions }: ReportedScript,
): void {
  const ran = ranLinesOf(places, functions)
  for (const [source, { file, content, lineCount }] of sources) {
    const known = files.get(file) ?? { content, lineCount, lines: new Map<number, boolean>() }
    files.set(file, known)
    if (known.content !== content) known.content = ''
    for (const [line, hasRun] of ran.get(source) ?? [])
      known.lines.set(line, hasRun || known.lines.get(line) === true)
  }
}

function wantedScriptOf(
  { text, map, sources }: ScriptCode,
  { url, functions }: ReportedScript,
  changedFiles: ReadonlySet<string>,
): readonly ReadScript[] {
  const own = [...sources].flatMap(([source, { file, text: content }]) =>
    changedFiles.has(file) ? [{ source, file, content }] : [],
  )
  if (own.length === 0) return []
  return [
    { script: { url, source: text, functions: functions.filter(isSure) }, ...(map && { map }), sources: own },
  ]
}

async function readCode(
  url: string,
  text: string,
  mapText: string | undefined,
  folders: ReportFolders,
): Promise<ScriptCode | undefined> {
  const reference = findMapReference(text, undefined, MAP_LIMIT_CHARS)
  const json = reference && 'url' in reference ? mapText : reference && decodeMap(reference)
  if (json !== undefined) return readMappedCode(url, text, json, folders)
  const file = await findFile(url, url, folders, text)
  if (file === undefined) return undefined
  const places = placesIn(text).map(({ offset, line }) => ({ offset, source: '', line }))
  return { text, places, sources: new Map([['', sourceFileOf(file, text)]]) }
}

async function readMappedCode(
  url: string,
  text: string,
  json: string,
  folders: ReportFolders,
): Promise<ScriptCode | undefined> {
  const result = await parseSourceMap(json, text)
  if (!result.ok) return undefined
  const sourceMap = result.value
  const sources = new Map<string, SourceFile>()
  for (const source of await sourceMap.sources()) {
    const file = await findFile(source, url, folders)
    const content = file && ((await sourceMap.contentOf(source)) ?? readFile(join(folders.top, file)))
    if (file && content) sources.set(source, sourceFileOf(file, content))
  }
  const positions = placesIn(text)
  const mappedPlaces = await sourceMap.findAll(positions)
  const places = positions.flatMap(({ offset }, index) => {
    const place = mappedPlaces[index]
    return place && sources.has(place.source) ? [{ offset, source: place.source, line: place.line }] : []
  })
  return { text, map: { json, sourceMap }, places, sources }
}

const sourceFileOf = (file: string, text: string): SourceFile => ({
  ...{ file, text, content: hashText(text) },
  lineCount: splitLines(text).length,
})

const readFile = (path: string): string | undefined => readRegularFile(path)?.toString('utf8')

/** What maps have places for: words, and what begins an expression or a block. */
const PLACE = /[\w$]+|[{}()[\]<`'"!]/g

/** Lines and columns from 1. */
function placesIn(text: string): readonly { offset: number; line: number; column: number }[] {
  const places: { offset: number; line: number; column: number }[] = []
  let start = 0
  for (const [index, lineText] of text.split('\n').entries()) {
    if (lineText.length <= LINE_LIMIT_CHARS && !lineText.startsWith('//# source'))
      for (const match of lineText.matchAll(PLACE))
        places.push({ offset: start + match.index, line: index + 1, column: match.index + 1 })
    start += lineText.length + 1
  }
  return places
}

/** A line may be a whole bundle. */
const LINE_LIMIT_CHARS = 5_000_000

/** The file of the work tree, relative to its top. With a text it must be that of the file. */
async function findFile(
  source: string,
  base: string,
  { project, top }: ReportFolders,
  text?: string,
): Promise<string | undefined> {
  const path = readSourcePath(source, base)
  if (!path || parseUrl(base) === undefined) return undefined
  if (path.kind === 'file') return pathInside(top, path.path)
  for (const folder of new Set([realFolderOf(project), top])) {
    const file = await (text === undefined ? placeSource(path, folder) : findServedFile(path, text, folder))
    if (file !== undefined && !file.startsWith('/') && !/(^|\/)node_modules\//.test(file))
      return pathInTree(top, join(folder, file))
  }
  return undefined
}
