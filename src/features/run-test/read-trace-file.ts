// Reads the trace of a failed test: its events, the last picture of the page, and the bodies of failed responses.

import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { type Entry, openPromise } from 'yauzl'
import type { DocumentType } from '../../core/base/files/files.ts'
import { openDocument } from '../../core/base/files/open-document.ts'
import { readRegularFile } from '../../core/base/files/read-regular-file.ts'
import { err, ok } from '../../core/base/result.ts'
import { normalizeSpace } from '../../core/base/text/clip.ts'
import { summarizeError } from '../../core/base/text/error-lines.ts'
import { parseJson } from '../../core/base/text/json.ts'
import { parseUrl } from '../../core/base/text/parse-url.ts'
import { readSourcePath } from '../../core/base/text/source-path.ts'
import type { SourcePosition } from '../../core/sessions/types/sources.ts'
import { decodeMap, MAP_LIMIT_CHARS } from '../sources/map-cache.ts'
import { findMapReference } from '../sources/map-reference.ts'
import { sourceMap } from '../sources/parse-map.ts'
import { placeSource } from '../sources/place-source.ts'
import {
  findPositions,
  formatSource,
  replacePositions,
  type ScriptPosition,
} from '../sources/script-positions.ts'
import { readTrace, type TraceEvidence, type TraceMessage, type TraceRequest } from './trace-evidence.ts'

interface TraceFile {
  readonly path: string
  /** Where its last picture is written. */
  readonly picturePath: string
  readonly sources: SourceFolders
}

type TraceFileEvidence = Omit<TraceEvidence, 'console' | 'requests'> & {
  readonly console: readonly string[]
  readonly requests: readonly string[]
}

/** A large trace is a small file when it is compressed. */
export const testTrace: DocumentType<TraceFile, 'all', TraceFileEvidence, 'unreadable'> = {
  name: 'test-trace',
  isSmall: () => false,
  async open(file) {
    try {
      const evidence = await readArchive(file)
      return ok(() => evidence)
    } catch {
      return err('unreadable')
    }
  },
}

const READ_TIMEOUT_MS = 10_000
const ENTRY_LIMIT_BYTES = 64 * 1024 * 1024
const BODY_LIMIT_BYTES = 256 * 1024
const BODY_LIMIT_CHARS = 150
const REQUEST_LIMIT = 20
const MESSAGE_LIMIT = 20

/** The evidence in a trace. Undefined if the file cannot be read. */
export async function readTraceFile(file: TraceFile): Promise<TraceFileEvidence | undefined> {
  const trace = await openDocument(testTrace, file, READ_TIMEOUT_MS)
  if (!trace.ok) return undefined
  const evidence = await trace.value.ask('all')
  trace.value.close()
  return evidence
}

async function readArchive({ path, picturePath, sources }: TraceFile): Promise<TraceFileEvidence> {
  const archive = await openPromise(path, { autoClose: false })
  try {
    const entries = new Map<string, Entry>()
    for await (const entry of archive.eachEntry()) entries.set(entry.fileName, entry)
    const read = async (name: string, limitBytes = ENTRY_LIMIT_BYTES): Promise<Buffer | undefined> => {
      const entry = entries.get(name)
      if (!entry || entry.uncompressedSize > limitBytes) return undefined
      return buffer(await archive.openReadStreamPromise(entry))
    }
    const readDocuments = async (names: readonly string[]) => {
      const texts = await Promise.all(names.map((name) => read(name)))
      return texts.flatMap((bytes) => parseJsonLines(bytes?.toString('utf8') ?? ''))
    }
    // `test.trace` has the steps of the test; the pages are in the others.
    const names = [...entries.keys()].sort()
    const evidence = readTrace(
      await readDocuments(names.filter((name) => name.endsWith('.trace') && name !== 'test.trace')),
      await readDocuments(names.filter((name) => name.endsWith('.network'))),
    )
    const picture = evidence.picture === undefined ? undefined : await read(evidence.picture)
    if (picture) writeFileSync(picturePath, picture, { mode: 0o600 })
    const { picture: _, ...rest } = evidence
    const messages = await locateMessages(evidence.console.slice(-MESSAGE_LIMIT), sources)
    const requests = await Promise.all(
      evidence.requests.slice(-REQUEST_LIMIT).map((request) => describeRequest(request, read)),
    )
    return { ...rest, picture: picture && picturePath, console: messages, requests }
  } finally {
    archive.close()
  }
}

/** The documents of a text with one on each line; others are left out. */
const parseJsonLines = (text: string): readonly unknown[] =>
  text.split('\n').flatMap((line) => parseJson(line) ?? [])

async function describeRequest(
  { text, body }: TraceRequest,
  read: (name: string, limitBytes: number) => Promise<Buffer | undefined>,
): Promise<string> {
  const bytes = body === undefined ? undefined : await read(body, BODY_LIMIT_BYTES)
  const excerpt = bytes && normalizeSpace(bytes.toString('utf8')).slice(0, BODY_LIMIT_CHARS)
  return excerpt ? `${text} ${excerpt}` : text
}

// Replaces the script positions of messages in a trace by those in the source, with the source maps of the scripts that were saved during
// the run.
const LINE_LIMIT_CHARS = 400

interface SourceFolders {
  /** The saved scripts; the name of each is the SHA-1 of its URL. */
  readonly scripts: string
  /** The project, whose sources they are made of. */
  readonly project: string
}

/** The messages with their positions, one text each. */
export async function locateMessages(
  messages: readonly TraceMessage[],
  folders: SourceFolders,
): Promise<readonly string[]> {
  const sources = new Map<string, SourcePosition | 'unknown' | undefined>()
  const find = (position: ScriptPosition) => {
    const source = sources.get(keyOf(position))
    return source === 'unknown' ? undefined : source
  }
  for (const { text, position } of messages)
    for (const known of [...findPositions(text), ...(position ? [position] : [])])
      if (!sources.has(keyOf(known))) sources.set(keyOf(known), await locate(known, folders))
  return messages.map(({ text, position }) => {
    const place = position && describePlace(position, sources.get(keyOf(position)))
    const line = summarizeError(replacePositions(text, find), LINE_LIMIT_CHARS)
    return place === undefined || line.includes(place) ? line : `${line} (${place})`
  })
}

const keyOf = ({ url, line, column }: ScriptPosition): string => `${url}:${line}:${column}`

// A line of a script that was made of another file would look like one of that.
function describePlace(
  { url, line }: ScriptPosition,
  source: SourcePosition | 'unknown' | undefined,
): string {
  if (source === 'unknown') return pathOf(url)
  return source ? formatSource(source) : `${pathOf(url)}:${line}`
}

const pathOf = (url: string): string => {
  const parsedUrl = parseUrl(url)
  return parsedUrl?.protocol.startsWith('http') ? url.slice(parsedUrl.origin.length) : url
}

const SCRIPT_LIMIT_BYTES = 50_000_000

// No browser runs these as they are.
const TRANSFORMED_FILE = /\.(?:[cm]?tsx?|jsx|vue|svelte|astro)(?:[?#]|$)/

/** The position in the source; undefined if the script is a source itself, `unknown` if its map is not in the trace. */
async function locate(
  { url, ...position }: ScriptPosition,
  { scripts, project }: SourceFolders,
): Promise<SourcePosition | 'unknown' | undefined> {
  const name = createHash('sha1').update(url).digest('hex')
  const script = readRegularFile(join(scripts, name), SCRIPT_LIMIT_BYTES)?.toString('utf8')
  const reference = script === undefined ? undefined : findMapReference(script, undefined, MAP_LIMIT_CHARS)
  if (script === undefined && TRANSFORMED_FILE.test(url)) return 'unknown'
  if (script === undefined || !reference) return undefined
  const json = 'url' in reference ? undefined : decodeMap(reference)
  const map =
    json === undefined ? undefined : await sourceMap.open({ json, lineCount: script.split('\n').length })
  const answer = map?.ok ? await map.value({ positions: [position] }) : undefined
  const mapped = typeof answer === 'object' ? answer[0] : undefined
  if (!mapped) return 'unknown'
  const path = readSourcePath(mapped.source, url)
  const file = path && (await placeSource(path, project))
  return file === undefined ? 'unknown' : { ...mapped, file }
}
