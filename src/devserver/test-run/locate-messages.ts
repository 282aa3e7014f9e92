// Replaces the script positions of messages in a trace by those in the source, with the source maps of the scripts that were saved during
// the run.

import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { decodeMap, MAP_LIMIT_CHARS } from '../../runtime/sources/map-cache.ts'
import { sourceMap } from '../../runtime/sources/parse-map.ts'
import { placeSource } from '../../runtime/sources/place-source.ts'
import { parseUrl } from '../../core/network/parse-url.ts'
import { findMapReference } from '../../core/source/map-reference.ts'
import { findPositions, formatSource, replacePositions } from '../../core/source/script-positions.ts'
import type { ScriptPosition, SourcePosition } from '../../core/source/script-positions.ts'
import { readSourcePath } from '../../core/source/source-path.ts'
import { summarizeError } from '../../core/evidence/error-lines.ts'
import type { TraceMessage } from '../../core/test-run/trace-evidence.ts'

const LINE_LIMIT_CHARS = 400

export interface SourceFolders {
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

// --- internal ---

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

// No browser runs these as they are.
const TRANSFORMED_FILE = /\.(?:[cm]?tsx?|jsx|vue|svelte|astro)(?:[?#]|$)/

/** The position in the source; undefined if the script is a source itself, `unknown` if its map is not in the trace. */
async function locate(
  { url, ...position }: ScriptPosition,
  { scripts, project }: SourceFolders,
): Promise<SourcePosition | 'unknown' | undefined> {
  const name = createHash('sha1').update(url).digest('hex')
  const script = await readFile(join(scripts, name), 'utf8').catch(() => undefined)
  const reference = script === undefined ? undefined : findMapReference(script, undefined, MAP_LIMIT_CHARS)
  if (script === undefined && TRANSFORMED_FILE.test(url)) return 'unknown'
  if (script === undefined || !reference) return undefined
  const json = 'url' in reference ? undefined : decodeMap(reference)
  const map =
    json === undefined ? undefined : await sourceMap.open({ json, lineCount: script.split('\n').length })
  const mapped = map?.ok ? await map.value(position) : undefined
  if (typeof mapped !== 'object') return 'unknown'
  const path = readSourcePath(mapped.source, url)
  const file = path && (await placeSource(path, project))
  return file === undefined ? 'unknown' : { ...mapped, file }
}
