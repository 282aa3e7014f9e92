// The records by which the page of a session is judged, from its network log, the files of its server, the output of that and its processes.

import { join } from 'node:path'
import { type BoundedMap, createBoundedMap } from '../../core/base/bounded-collections.ts'
import { readRegularFile } from '../../core/base/files/read-regular-file.ts'
import { readStats } from '../../core/base/files/read-stats.ts'
import { createDeadline } from '../../core/base/system/race-deadline.ts'
import { parseUrl } from '../../core/base/text/parse-url.ts'
import type { JournalEntry } from '../../core/sessions/journal/journal.ts'
import type { FileChange, ProjectFiles, ServerCode } from '../../core/sessions/types/freshness.ts'
import type { OwnedSession } from '../../core/sessions/types/owned-session.ts'
import type { Page } from '../../core/sessions/types/page.ts'
import type { OwnedServer } from '../../core/sessions/types/servers.ts'
import { readBuilds, readFailure } from './build-lines.ts'
import { compareText } from './held-text.ts'
import type { Build, Edit, FreshnessRecords, HeldFile, Update } from './judge-freshness.ts'
import { filesInFrames, filesInLines, namesFile } from './name-files.ts'
import { matchFile, type PageContent, pageContentOf, type PageResource } from './page-resources.ts'

type Session = Pick<OwnedSession, 'journal' | 'network' | 'page'>

interface Changed extends Edit {
  readonly change: FileChange
}

/** `code` is what is known of the server without its programs. */
export async function readRecords(
  server: OwnedServer,
  code: ServerCode,
  session: Session,
): Promise<FreshnessRecords> {
  const content = readContent(server, session)
  const listed = await server.files?.(pathsOutside(content, code.folder))
  const unlisted = findUnlisted(content, listed, code)
  const files = unlisted.length > 0 ? await server.files?.(unlisted) : listed
  const { isComplete = false } = files ?? {}
  const edits = editsIn(files)
  const page = { ...pickPage(content), lastLoadAt: content.lastLoadAt }
  const base = { now: Date.now(), isComplete, page, holdings: [], updates: [], builds: [], programs: [] }
  const { startedAt } = code
  if (edits.length === 0) return { ...base, edits, server: { startedAt, isWatching: false } }
  const { programs, isWatching, written } = server.code?.({ withPrograms: true }) ?? code
  const holdings = await readHeld(edits, content, code, session)
  const lines = session.journal
    .read({ kinds: ['server'], limit: Infinity })
    .entries.filter(({ at }) => at >= startedAt)
  const outputs = new Set(outputsIn(lines, edits, code))
  const isOld = (file: string) => holdings.some((one) => one.file === file && one.text === 'earlier')
  // What a server writes is nobody's edit, and what git ignores no source: of these only what the page has of an earlier one counts.
  const own = edits.filter(({ file, change }) => {
    if (written.has(file)) return false
    return isOld(file) || !(change.isUnlisted || outputs.has(file))
  })
  const names = own.map(({ file }) => file)
  const builds = readBuilds(lines)
  const failure = readFailure(lines, builds, Math.max(0, ...own.map(({ at }) => at)))
  return {
    ...{ ...base, edits: own, holdings, programs, server: { startedAt, isWatching } },
    updates: [
      ...updatesOf(content, names, lines, code, session),
      ...versionsOf(holdings, content, names, code),
    ],
    builds: withDoubles(
      builds.map(({ text, ...build }) => ({
        ...build,
        files: names.filter((name) => namesFile(text, name, code)),
      })),
      code.readyAt,
    ),
    failure: failure && {
      line: failure.line.replaceAll(`${code.folder}/`, ''),
      files: names.filter((name) => namesFile(failure.text, name, code)),
    },
  }
}

/** The files that were changed since they were looked at first, or since the server was started without a look. */
export const editsIn = (files: ProjectFiles | undefined): readonly Changed[] =>
  [...(files?.changes ?? [])].flatMap(([file, change]) =>
    change.at > (files?.since ?? 0)
      ? [{ file, at: change.at, ...(change.same && { same: change.same }), change }]
      : [],
  )

// --- internal ---

const pickPage = ({ documentAt, isConnected, hasErrors }: PageContent) => ({
  documentAt,
  isConnected,
  hasErrors,
})

/** All ports of the session's own processes are its server. */
function readContent(server: OwnedServer, { network, page }: Session): PageContent {
  const { hostname, port } = new URL(server.info().url)
  const ports = new Set([port, ...(server.ports?.() ?? []).map(String)])
  const isOwn = (text: string): boolean => {
    const url = parseUrl(text)
    return url?.hostname === hostname && ports.has(url.port)
  }
  return pageContentOf(network.sincePageLoad(page.parts.requests.numberOf(page.parts.page())), isOwn)
}

const pathsOutside = ({ resources }: PageContent, folder: string): string[] =>
  resources.flatMap(({ path }) => {
    const file = path.startsWith('@fs/') ? path.slice('@fs'.length) : ''
    return file === '' || file.startsWith(`${folder}/`) ? [] : [file]
  })

/** Git may ignore what the page has loaded, or it lies behind a link. Packages are no sources. */
function findUnlisted(
  { resources }: PageContent,
  files: ProjectFiles | undefined,
  { folder, pageFolder }: ServerCode,
): readonly string[] {
  const paths = resources.flatMap(({ path, isDocument }) =>
    isDocument ? [path, `${path}index.html`, `${path}/index.html`, `${path}.html`] : [path],
  )
  const own = paths.map((path) => (pageFolder === '' ? path : `${pageFolder}/${path}`))
  return own
    .filter((path) => !files?.changes.has(path) && !PACKAGE_PATTERN.test(path))
    .map((path) => join(folder, path))
    .filter((path) => readStats(path)?.isFile())
}

const PACKAGE_PATTERN = /(^|\/)node_modules\//
const FILE_LIMIT = 60
const KEPT_LIMIT = 1000
const comparisons = new WeakMap<Page, BoundedMap<string, Promise<HeldFile['text']>>>()

/** Each answer is compared once with each content of a file. */
async function readHeld(
  edits: readonly Changed[],
  content: PageContent,
  code: ServerCode,
  session: Session,
): Promise<readonly HeldFile[]> {
  const { page } = session
  const known = comparisons.get(page) ?? createBoundedMap<string, Promise<HeldFile['text']>>(KEPT_LIMIT)
  comparisons.set(page, known)
  const compare = async ({ seq, url }: PageResource, { file, change }: Changed) => {
    const read = await page.readRequest(seq, 'body')
    // With a note it is a part.
    const { body, note } = read.ok ? read.value.response : {}
    const present =
      body === undefined || note !== undefined ? undefined : readRegularFile(join(code.folder, file))
    if (body === undefined || present === undefined) return undefined
    return compareText(body, parseUrl(url)?.pathname.slice(1) ?? '', present, change)
  }
  const pairs = edits.flatMap((edit) =>
    content.resources.flatMap((resource) => {
      const match = matchFile(resource, edit.file, code)
      return match ? [{ edit, resource, isAddressed: match === 'address' }] : []
    }),
  )
  if (pairs.length === 0) return []
  const texts = await Promise.all(
    pairs.slice(0, FILE_LIMIT).map(({ edit, resource }) => {
      const key = `${resource.seq} ${edit.file} ${edit.change.hash} ${edit.at}`
      const text = resource.isDone ? (known.get(key) ?? compare(resource, edit)) : undefined
      if (text) known.set(key, text)
      return text
    }),
  )
  const isSettled = await settlePage(
    content,
    Math.min(...pairs.map(({ resource }) => resource.loadedAt)),
    session,
  )
  const isPreloaded = texts.includes('earlier') && (await wasPreloaded(page))
  return pairs.map(({ edit, resource, isAddressed }, index) => ({
    ...{ file: edit.file, text: texts[index], loadedAt: resource.loadedAt, isAddressed },
    isEvaluated: resource.isDone && isSettled,
    isStored: resource.isStored,
    isPreloaded: isPreloaded && resource.isDocument,
  }))
}

const SETTLE_TIMEOUT_MS = 1000
// Frameworks put what they have replaced into the page a moment later, and what a module imports is requested once it has arrived.
const SETTLE = `() => new Promise((resolve) => setTimeout(() => setTimeout(resolve, 30), 0))`

/** Whether the page has evaluated what it has loaded: it answers, and waits for no more code then. */
async function settlePage(content: PageContent, since: number, { page, network }: Session): Promise<boolean> {
  if (content.isLoading(since)) return false
  const settleResult = await evaluate(page, SETTLE)
  if (!settleResult) return false
  const requests = network.sincePageLoad(page.parts.requests.numberOf(page.parts.page()))
  return !pageContentOf(requests, () => true).isLoading(since)
}

const evaluate = async (page: Page, script: string): Promise<{ readonly result: unknown } | undefined> => {
  const deadline = createDeadline(SETTLE_TIMEOUT_MS, new AbortController().signal, Date.now)
  const outcome = await page.evaluate(script, undefined, undefined, deadline)
  return outcome.ok ? outcome.value : undefined
}

// Speculation rules load documents before anybody goes there.
const PRELOADED = `() => { const [entry] = performance.getEntriesByType('navigation')
  return (entry?.deliveryType ?? '') === 'navigational-prefetch' || (entry?.activationStart ?? 0) > 0 }`

const wasPreloaded = async (page: Page): Promise<boolean> =>
  (await evaluate(page, PRELOADED))?.result === true

const FRAME_LIMIT = 100

/** What the server announced: over any socket of the session, also to a page that has loaded itself again because of it. */
function updatesOf(
  { documentAt }: PageContent,
  files: readonly string[],
  lines: readonly JournalEntry[],
  code: ServerCode,
  { network }: Session,
): readonly Update[] {
  const { entries } = network.read({ limit: FRAME_LIMIT, accept: ({ type }) => type === 'websocket' })
  const frames = entries.flatMap(({ seq }) => network.frames(seq, FRAME_LIMIT))
  const named = [...filesInFrames(frames, files, code), ...filesInLines(lines, files, code)]
  return named.map((one) => ({ ...one, isApplied: one.isApplied || documentAt > one.at }))
}

/** Vite puts the time of a change into the addresses of what it concerns. */
const versionsOf = (
  holdings: readonly HeldFile[],
  { resources }: PageContent,
  files: readonly string[],
  code: ServerCode,
): readonly Update[] =>
  resources.flatMap((resource) =>
    files
      .filter((file) => resource.version > 0 && matchFile(resource, file, code) === 'address')
      .map((file) => ({
        ...{ file, at: resource.version },
        isApplied: holdings.some(
          (one) => one.file === file && one.isEvaluated && one.loadedAt === resource.loadedAt,
        ),
      })),
  )

const WRITTEN_PATTERN = /\b(?:writing|wrote) (\S+)/i

/** The files that the server says it has written. */
const outputsIn = (
  lines: readonly JournalEntry[],
  edits: readonly Changed[],
  code: ServerCode,
): readonly string[] => {
  const texts = lines.flatMap(({ text }) => WRITTEN_PATTERN.exec(text)?.[1] ?? [])
  return edits.map(({ file }) => file).filter((file) => texts.some((text) => namesFile(text, file, code)))
}

/** Two builds with one name at the start cannot be told apart later: the second one counts as one of its own, which is never reported again. */
function withDoubles(builds: readonly Build[], readyAt: number): readonly Build[] {
  const counts = new Map<string, number>()
  return builds.map((build) => {
    if ((build.endedAt ?? Infinity) > readyAt) return build
    const count = (counts.get(build.name) ?? 0) + 1
    counts.set(build.name, count)
    return count > 1 ? { ...build, name: `${build.name} ${count}` } : build
  })
}
