// What the entries of the ledger say of the lines of a file as it is now.

import { type FunctionEntry, type RunEntry, splitLines } from './entry.ts'
import { hashText } from './text-hash.ts'

interface LineRun {
  readonly state: 'ran' | 'partly' | 'not run'
  /** The last entry that says so. */
  readonly entry: RunEntry
}

export interface ContentRuns {
  /** Whether a page or a server has loaded this content. */
  readonly isLoaded: boolean
  /** By line; a line without code is in none. */
  readonly lines: ReadonlyMap<number, LineRun>
}

/** `entries` are those of the file, oldest first. Of another content only the functions count whose text is in this one: what an edit did not
 * touch. */
export function runsOfContent(content: string, entries: readonly RunEntry[]): ContentRuns {
  const hash = hashText(content)
  const findText = createTextFinder(content)
  const lines = new Map<number, LineRun>()
  for (const entry of entries) {
    const isSame = entry.content === hash
    for (const part of entry.functions) {
      const offset = isSame ? 0 : findText(part)
      if (offset !== undefined) noteFunction(lines, part, offset, entry)
    }
  }
  return { isLoaded: entries.some((entry) => entry.content === hash), lines }
}

// --- internal ---

const RANKS = { 'not run': 0, partly: 1, ran: 2 } as const

function noteFunction(
  lines: Map<number, LineRun>,
  { ran, partly, notRun }: FunctionEntry,
  offset: number,
  entry: RunEntry,
): void {
  const note = (places: readonly number[], state: LineRun['state']) => {
    for (const place of places) {
      const known = lines.get(place + offset)
      if (!known || RANKS[state] >= RANKS[known.state]) lines.set(place + offset, { state, entry })
    }
  }
  note(notRun, 'not run')
  note(partly, 'partly')
  note(ran, 'ran')
}

/** Finds by how many lines a function has moved; undefined where its text is not there once. */
function createTextFinder(content: string): (part: FunctionEntry) => number | undefined {
  const texts = splitLines(content)
  const hashes = new Map<number, ReadonlyMap<string, readonly number[]>>()
  // Each length of functions is looked up once for a file.
  const placesOf = (length: number): ReadonlyMap<string, readonly number[]> => {
    const known = hashes.get(length)
    if (known) return known
    const places = new Map<string, number[]>()
    for (let start = 0; start + length <= texts.length; start++) {
      const hash = hashText(texts.slice(start, start + length).join('\n'))
      places.set(hash, [...(places.get(hash) ?? []), start + 1])
    }
    hashes.set(length, places)
    return places
  }
  return ({ firstLine, lastLine, text }) => {
    const length = lastLine - firstLine + 1
    // One line alone is no function that could be told from others.
    if (length < SHORTEST_LINES) return undefined
    const places = placesOf(length).get(text) ?? []
    return places.length === 1 ? (places[0] ?? 0) - firstLine : undefined
  }
}

const SHORTEST_LINES = 2
