// Whether a page shows the source files as they are now, from records of what happened: what the page holds, what the server announced, the
// builds that it reported, and the programs that it started. An edit is shown only with one of four grounds; without one it cannot be told.

import type {
  EditedFile,
  Freshness,
  Ground,
  OldFile,
  ServerProgram,
  ShownFile,
  UntoldFile,
} from '../../core/sessions/types/freshness.ts'

/** What a page holds of a file. */
export interface HeldFile {
  readonly file: string
  /** How it compares with the file; undefined if it is neither its present content nor an earlier one. */
  readonly text: 'present' | 'earlier' | undefined
  /** When its request began, in Unix milliseconds. */
  readonly loadedAt: number
  /** Whether the page has evaluated it, and all that it imports. */
  readonly isEvaluated: boolean
  /** Whether its address alone says that it is this file. */
  readonly isAddressed: boolean
  /** Whether a service worker answered, or the server said that nothing has changed. */
  readonly isStored?: boolean
  /** Whether the browser had loaded it before the page was asked for. */
  readonly isPreloaded?: boolean
}

/** The server named a file as changed. */
export interface Update {
  readonly file: string
  /** When it had noticed the change, in Unix milliseconds. */
  readonly at: number
  readonly isApplied: boolean
}

export interface Build {
  /** Tells the builds of one command apart. */
  readonly name: string
  readonly beganAt: number
  /** Undefined while it runs. */
  readonly endedAt?: number
  readonly isFailed?: boolean
  /** The files that it names. */
  readonly files: readonly string[]
}

export interface Edit {
  readonly file: string
  readonly at: number
  /** When it had the same content before. */
  readonly same?: { readonly from: number; readonly until: number }
}

export interface FreshnessRecords {
  readonly now: number
  readonly edits: readonly Edit[]
  /** Whether all files were looked at. */
  readonly isComplete: boolean
  readonly holdings: readonly HeldFile[]
  readonly updates: readonly Update[]
  /** In order of their ends; of each name all that matter. */
  readonly builds: readonly Build[]
  readonly programs: readonly ServerProgram[]
  /** When the server was started last, and whether one of its processes is seen to watch files. */
  readonly server: { readonly startedAt: number; readonly isWatching: boolean }
  readonly page: {
    /** When its document was requested. */
    readonly documentAt: number
    /** The same of the newest document, script or stylesheet. */
    readonly lastLoadAt: number
    /** Whether it has a connection over which it may learn of changes. */
    readonly isConnected: boolean
    /** Whether it waits for code, or does not answer. */
    readonly isLoading?: boolean
    /** Whether the server has answered one of its requests with an error, or not at all. */
    readonly hasErrors: boolean
  }
  /** The line that says why something failed since the last edit, with the files that it names. */
  readonly failure?: { readonly line: string; readonly files: readonly string[] } | undefined
}

/** What looks at its files again and again does so at least once in this time. */
export const POLL_TIME_MS = 6000
// What has ended is not waited for longer.
const START_LIMIT_MS = 60_000

type Verdict =
  ({ readonly state: 'fresh' } & ShownFile) | ({ readonly state: 'unknown' } & UntoldFile) | OldFile

const STATES = ['failed', 'restart', 'stale', 'reload', 'pending'] as const

/** The worst of what is known about each edit; of several the newest one. */
export function judgeFreshness(records: FreshnessRecords): Freshness {
  const edits = records.edits.toSorted((a, b) => b.at - a.at).filter((edit) => !isUndone(edit, records))
  const verdicts = edits
    .map((edit) => judgeEdit(edit, records))
    .map((one) => (one.state === 'fresh' && records.page.isLoading ? pending(one) : one))
    .map((one) => explainFailure(one, records))
  const worst = STATES.flatMap((state) => verdicts.find((verdict) => verdict.state === state) ?? [])[0]
  if (worst && worst.state !== 'fresh' && worst.state !== 'unknown') return worst
  const freshFiles = verdicts.flatMap(({ state, ...file }) => (state === 'fresh' ? [file as ShownFile] : []))
  const untold = verdicts.flatMap(({ state, ...file }) => (state === 'unknown' ? [file as UntoldFile] : []))
  if (untold.length > 0 || !records.isComplete) return { state: 'unknown', untold, freshFiles }
  return freshFiles.length > 0 ? { state: 'fresh', freshFiles } : { state: 'fresh' }
}

// --- internal ---

/** The page was loaded while the file had the content that it has again. */
const isUndone = ({ same }: Edit, { page, updates }: FreshnessRecords): boolean =>
  same !== undefined &&
  page.lastLoadAt > same.from &&
  page.lastLoadAt < same.until &&
  !updates.some(({ at }) => at > same.until)

function judgeEdit(edit: Edit, records: FreshnessRecords): Verdict {
  const about = { file: edit.file, ageMs: Math.max(0, Math.round(records.now - edit.at)) }
  const programs = judgePrograms(edit, about, records)
  if (programs && programs.state !== 'fresh') return programs
  const holdings = records.holdings.filter(
    ({ file, text, isAddressed }) => file === edit.file && (text || isAddressed),
  )
  const isHeld = holdings.length > 0 && holdings.every(({ text }) => text === 'present')
  if (isHeld) return holdings.every((one) => one.isEvaluated) ? freshBy(about, 'received') : pending(about)
  const isKept = holdings.some(
    ({ text, isStored = false }) => text === 'earlier' || (isStored && text === undefined),
  )
  const update = isKept ? undefined : findUpdate(edit, records)
  if (update?.isApplied) return freshBy(about, 'announced')
  if (!isKept && isBuilt(edit, records)) return freshBy(about, 'built')
  if (holdings.length > 0) return judgeOldText(edit, about, holdings, records)
  if (programs) return programs
  if (update) return { state: 'stale', ...about, ...(records.page.isConnected && { isConnected: true }) }
  return isBuilding(records) ? pending(about) : untold(edit, about, records, 'unnamed')
}

const freshBy = (about: EditedFile, ground: Ground): Verdict => ({ state: 'fresh', ...about, ground })

const pending = ({ file, ageMs }: EditedFile): Verdict => ({ state: 'pending', file, ageMs })

// The next step is what has not been done since the edit.
function untold(
  { at }: Edit,
  about: EditedFile,
  { page, server }: FreshnessRecords,
  reason: UntoldFile['reason'],
): Verdict {
  const step = page.documentAt < at ? 'reload' : server.startedAt < at ? 'restart' : 'look'
  return { state: 'unknown', ...about, step, reason }
}

/** A program has what it reads at its start as it was then. Undefined if none reads the file. */
function judgePrograms(edit: Edit, about: EditedFile, records: FreshnessRecords): Verdict | undefined {
  const { page, server } = records
  const readers = records.programs.filter(({ files }) => files.has(edit.file))
  if (readers.length === 0) return undefined
  const old = readers.filter(({ startedAt }) => startedAt <= edit.at)
  const isRunning = old.every(({ startedAt }) => startedAt > 0)
  if (old.length > 0) {
    const limitMs = isRunning ? POLL_TIME_MS : START_LIMIT_MS
    if ((server.isWatching || !isRunning) && about.ageMs < limitMs) return pending(about)
    const mayTakeIt = !isRunning || old.some(({ isHot = false }) => isHot)
    return mayTakeIt ? untold(edit, about, records, 'hot') : { state: 'restart', ...about }
  }
  if (!readers.every(({ isUp }) => isUp)) return pending(about)
  if (page.documentAt <= Math.max(...readers.map(({ startedAt }) => startedAt)))
    return { state: 'reload', ...about }
  // A page with errors may have been loaded before the program listened.
  return page.hasErrors ? untold(edit, about, records, 'loaded') : freshBy(about, 'started')
}

/** The update that names the file after the edit; an applied one if there is any. */
function findUpdate({ file, at }: Edit, { updates }: FreshnessRecords): Update | undefined {
  const own = updates.filter((update) => update.file === file && update.at >= at)
  return own.find(({ isApplied }) => isApplied) ?? own[0]
}

/** Whether a build that names the file began and ended after the edit, all others too, and the page was loaded after that. */
function isBuilt({ file, at }: Edit, { builds, page }: FreshnessRecords): boolean {
  const names = new Set(builds.map(({ name }) => name))
  const last = [...names].flatMap((name) => builds.findLast((build) => build.name === name) ?? [])
  const isOver = ({ beganAt, endedAt = Infinity, isFailed = false }: Build) =>
    beganAt >= at && !isFailed && page.documentAt >= endedAt
  return last.every(isOver) && builds.some((build) => isOver(build) && build.files.includes(file))
}

const isBuilding = ({ builds }: FreshnessRecords): boolean =>
  builds.some(({ endedAt }) => endedAt === undefined)

/** The page holds something else of the file than its present content. */
function judgeOldText(
  edit: Edit,
  about: EditedFile,
  holdings: readonly HeldFile[],
  records: FreshnessRecords,
): Verdict {
  const old = holdings.filter(({ text }) => text !== 'present')
  if (isBuilding(records)) return pending(about)
  if (old.some(({ loadedAt }) => loadedAt < edit.at))
    return { state: 'stale', ...about, ...(records.page.isConnected && { isConnected: true }) }
  if (old.some(({ isPreloaded = false }) => isPreloaded)) return { state: 'reload', ...about }
  if (old.some(({ isStored = false }) => isStored)) return untold(edit, about, records, 'stored')
  if (about.ageMs < POLL_TIME_MS && records.server.startedAt < edit.at) return pending(about)
  const isKept = old.some(({ text }) => text === 'earlier')
  return isKept ? { state: 'restart', ...about } : untold(edit, about, records, 'altered')
}

/** What is not shown is so because of a failure that came after the edit; of an edit of which nothing is known if the failure names its file. */
function explainFailure(verdict: Verdict, { failure }: FreshnessRecords): Verdict {
  if (!failure) return verdict
  const isOld = verdict.state === 'stale' || verdict.state === 'pending'
  const isNamed = verdict.state === 'unknown' && failure.files.includes(verdict.file)
  if (!isOld && !isNamed) return verdict
  return { state: 'failed', file: verdict.file, ageMs: verdict.ageMs, line: failure.line }
}
