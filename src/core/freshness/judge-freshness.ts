// Whether a page shows the source files as they are now. Three witnesses on one clock: when files were modified, what the page loaded when,
// and what the dev server does with changes.

import type { PageContent, PageFile } from './page-files.ts'

/** `stale`: the page was loaded before the change. `pending`: it may show the change, which is not certain yet. `restart`: the server
 * was started before the change and does not watch its files. Ages are milliseconds since the change. */
export type Freshness =
  | { readonly state: 'fresh' }
  | {
      readonly state: 'stale' | 'pending' | 'restart'
      /** Relative to the working directory of the dev server. */
      readonly file: string
      readonly ageMs: number
    }

export interface ServerCode {
  /** The absolute path of its working directory. */
  readonly folder: string
  /** Unix milliseconds. */
  readonly startedAt: number
  /** Whether a process of the server watches files; undefined if unknown. */
  readonly watchesFiles: boolean | undefined
  /** The files that its entry imports, relative to its working directory; undefined if unknown. */
  readonly files: ReadonlySet<string> | undefined
}

export interface FreshnessWitnesses {
  readonly now: number
  readonly content: PageContent
  /** When the source files were modified, in Unix milliseconds; paths are relative to the working directory of the dev server. */
  readonly modifications: ReadonlyMap<string, number>
  readonly server: Omit<ServerCode, 'folder'>
}

// Dev servers notice a change after some milliseconds and then need a while to apply it.
const NOTICE_TIME_MS = 2000
// A file may be changed that the page does not use: nothing is loaded then.
const UPDATE_LIMIT_MS = 30_000

const PROGRAM_PATTERN = /\.([cm]?[jt]sx?|py|rb|php|go|rs|exs?|java|kt|cs)$/

const FRESH: Freshness = { state: 'fresh' }

/** The worst of what is known about each file. */
export function judgeFreshness(witnesses: FreshnessWitnesses): Freshness {
  const { modifications, content } = witnesses
  const fileByPath = new Map<string, PageFile>()
  for (const file of content.files) {
    const path = file.paths.find((candidate) => modifications.has(candidate))
    if (path !== undefined) fileByPath.set(path, file)
  }
  const judgements = [...modifications].map(([path, modifiedAt]) =>
    judgeFile(path, modifiedAt, fileByPath, witnesses),
  )
  for (const state of ['restart', 'stale', 'pending'] as const) {
    const matches = judgements.filter((judgement) => judgement.state === state)
    const newest = matches.reduce(
      (best, next) => (ageOf(next) < ageOf(best) ? next : best),
      matches[0] ?? FRESH,
    )
    if (newest.state !== 'fresh') return newest
  }
  return FRESH
}

// --- internal ---

const ageOf = (freshness: Freshness): number => ('ageMs' in freshness ? freshness.ageMs : Infinity)

function judgeFile(
  path: string,
  modifiedAt: number,
  fileByPath: ReadonlyMap<string, PageFile>,
  { now, content, server }: FreshnessWitnesses,
): Freshness {
  const change = { file: path, ageMs: Math.max(0, Math.round(now - modifiedAt)) }
  const file = fileByPath.get(path)
  if (file) return judgePageFile(file, modifiedAt, change, content)
  const hasDocumentFile = [...fileByPath.values()].some(({ isDocument }) => isDocument)
  if (modifiedAt > server.startedAt && needsRestart(path, server, hasDocumentFile))
    return { state: 'restart', ...change }
  // All that such a page uses was requested by its own path.
  if (hasDocumentFile) return FRESH
  const isExpected = change.ageMs < UPDATE_LIMIT_MS && server.watchesFiles !== false
  const isUnseen = content.lastLoadAt > 0 && modifiedAt >= content.lastLoadAt
  const isRecent = change.ageMs < NOTICE_TIME_MS && content.lastLoadAt - modifiedAt < NOTICE_TIME_MS
  return (isUnseen && isExpected) || isRecent ? { state: 'pending', ...change } : FRESH
}

function judgePageFile(
  { loadedAt, version = 0, isDocument }: PageFile,
  modifiedAt: number,
  change: { readonly file: string; readonly ageMs: number },
  { hasVersions }: PageContent,
): Freshness {
  if (version >= modifiedAt) return FRESH
  if (loadedAt <= modifiedAt) return { state: 'stale', ...change }
  // A file that is sent as it is was read after the request; a transformed one may come from a cache.
  if (isDocument || !hasVersions || loadedAt - modifiedAt > NOTICE_TIME_MS) return FRESH
  return { state: 'pending', ...change }
}

function needsRestart(
  path: string,
  { watchesFiles, files }: FreshnessWitnesses['server'],
  hasDocumentFile: boolean,
): boolean {
  if (watchesFiles !== false) return false
  if (files) return files.has(path)
  return !hasDocumentFile && PROGRAM_PATTERN.test(path)
}
