// Source positions as tools and evidence use them. locate-sources.ts implements it.

import type { JournalEntry } from '../../core/sessions/journal/journal.ts'
import type { ElementSource } from './element-source.ts'
import type { ScriptRequest } from './map-reference.ts'
import type { ElementOrigin } from './parse-origin.ts'
import type { SourcePosition } from './script-positions.ts'

/** A position in a source file, with the text of the file if its source map has it. */
export interface LocatedSource extends SourcePosition {
  readonly content?: string
}

/** A script as it was loaded; `mapUrl` is the source map that the header of its response names. `validator`: the browser had the text already,
 * which is the one with this ETag or date of the server. */
export type LoadedScript =
  { readonly text: string; readonly mapUrl?: string } | { readonly validator: string }

export interface SourceLocator {
  /** Notes the request of a script. */
  addScript(request: ScriptRequest): void
  /** Starts to load the source maps for an entry that was just added to the journal, if it is an error or a warning. */
  prepare(entry: Omit<JournalEntry, 'seq'>): void
  /** Replaces the positions of these entries, also in the journal, and returns them in the same order, within `timeoutMs` or half a second:
   * what is not loaded by then stays as it is until the next call. */
  locateEntries(entries: readonly JournalEntry[], timeoutMs?: number): Promise<readonly JournalEntry[]>
  /** The source of an element of the page at `pageUrl`, within `timeoutMs` or half a second: a line that is not known by then is left out. */
  locateElement(origin: ElementOrigin, pageUrl: string, timeoutMs?: number): Promise<ElementSource>
  /** Those of the files, which are relative to the folder of the server, that the scripts with these URLs were built from, as far as they or
   * their source maps say so. */
  findBundled(files: readonly string[], scriptUrls: readonly string[]): Promise<readonly string[]>
  /** The source of the first position of a located entry that is not in a library. */
  firstSourceOf(entry: JournalEntry): LocatedSource | undefined
}
