// Where what a page shows comes from, in source files. src/features/sources finds it.

import type { JournalEntry } from '../journal/journal.ts'
import type { NetworkRequest } from '../journal/network-log.ts'

/** A position that a framework noted: in a file, or a stack whose first frame outside of the framework is meant. */
export type SourceNote =
  | { readonly stack: string }
  | {
      readonly file: string
      readonly line?: number
      readonly column?: number
      /** Whether the position is that of the end of the opening tag. */
      readonly isTagEnd?: boolean
    }

export interface ComponentOrigin {
  readonly name: string
  /** Where it is used, or for Vue and Angular where it is defined. */
  readonly position?: SourceNote
}

/** What identifies an element in the template that it was made from. */
export interface ElementDescription {
  readonly tag: string
  readonly attributes: Readonly<Record<string, string>>
  /** The text of an element without children. */
  readonly text?: string
}

/** An element or an ancestor that is written in the same template. */
export interface TemplateStep extends ElementDescription {
  /** Its position among the child elements of its parent in the page, and their count. */
  readonly index: number
  readonly count: number
  /** Whether the next step is its parent in the page. */
  readonly isDirect: boolean
}

export interface ElementOrigin {
  readonly element: ElementDescription
  /** The nearest ancestor that has an origin, if the element has none itself. */
  readonly ancestor?: ElementDescription
  readonly position?: SourceNote
  /** The file of the template, whose line the framework does not note, and the element with its ancestors in that template. */
  readonly template?: string
  readonly path?: readonly TemplateStep[]
  /** The nearest component first. */
  readonly components: readonly ComponentOrigin[]
  /** The nearest test id, such as `data-testid="save"`. */
  readonly testId?: string
}

/** A file, with a line and a column if they are known. */
export interface FilePosition {
  readonly file: string
  readonly line?: number
  readonly column?: number
}

export interface ElementSource {
  /** Such as `<button>`. */
  readonly element: string
  /** Where the element is written; undefined if that is not known. */
  readonly position?: FilePosition
  /** Set if the position is that of the nearest ancestor that has one. */
  readonly ancestor?: string
  /** The nearest component first. */
  readonly components: readonly { readonly name: string; readonly position?: FilePosition }[]
  /** The nearest test id. */
  readonly testId?: string
}

/** A position in a source file; `file` is a path relative to the folder of the dev server, or the path of its URL. */
export type SourcePosition = Required<FilePosition>

// The requests of scripts by URL, so that a position can be attributed to the script that had its URL at that time.
export type ScriptRequest = Pick<NetworkRequest, 'seq' | 'url' | 'at'>

/** A position in a source file, with the text of the file if its source map has it. */
export interface LocatedSource extends SourcePosition {
  readonly content?: string
}

/** A script as it was loaded; `mapUrl` is the source map that the header of its response names. `validator`: the browser had the text already,
 * which is the one with this ETag or date of the server. */
export type LoadedScript =
  { readonly text: string; readonly mapUrl?: string } | { readonly validator: string }

export interface SourceLocator {
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
  /** The sources of all of its positions that are not in a library, in their order. */
  sourcesOf(entry: JournalEntry): readonly LocatedSource[]
}
