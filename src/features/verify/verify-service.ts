// What one server has for verify: the change of a work tree, its ledger, and what is added to each session.

import { realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import process from 'node:process'
import type { Failure, Outcome } from '../../core/base/failure.ts'
import { map } from '../../core/base/result.ts'
import { createRunGit, type RunGit } from '../../core/devserver/process/run-git.ts'
import type { ServerContext } from '../../core/devserver/process/start-context.ts'
import type { OpenSession } from '../../core/sessions/types/open-session.ts'
import type { OwnedSession } from '../../core/sessions/types/owned-session.ts'
import type { NewSession, SessionFeature } from '../../core/sessions/types/session-feature.ts'
import type { ServerStart } from '../../core/tool/feature.ts'
import { findGitObstacle, findTop } from '../lib/changes/find-base.ts'
import type { TestRunObserver } from '../run-test/test-runner.ts'
import type { NoteCause } from './blank/blank-search.ts'
import { watchBlank } from './blank/watch-blank.ts'
import { createBeginnings } from './change/beginnings.ts'
import { type ChangedPaths, createChangedPaths } from './change/changed-paths.ts'
import { type Change, readChange } from './change/read-change.ts'
import type { ReadTree } from './coverage-reader.ts'
import { findTestFiles } from './flows/find-tests.ts'
import { findTouched } from './flows/find-touched.ts'
import { guardSession } from './flows/guard-session.ts'
import { createLastVerdict } from './last-verdict.ts'
import { type Ledger, openLedger } from './ledger/ledger-file.ts'
import { errorEntryOf, locateErrors } from './locate-errors.ts'
import { openServerCoverage, type ServerCoverage } from './node/server-coverage.ts'
import type { Flush } from './node/server-processes.ts'
import { createTestObserver } from './observe-tests.ts'
import { openPageReading, type PageReading } from './page/page-reading.ts'
import { createSessionCoverage } from './session-coverage.ts'
import { judgeAlone } from './verdict/judge-alone.ts'
import { formatPlace } from './verdict/verdict-answer.ts'
import { summaryOf } from './verdict/verdict-words.ts'
import { FILE_NAME, writeVerdict } from './write-verdict.ts'

declare module '../../core/tool/tool.ts' {
  interface CallContext {
    readonly verify: VerifyService
  }
}

export interface VerifyService {
  /** COMMAND_NOT_ALLOWED where clients may start certain programs only, and git is none of them. */
  findObstacle(): Failure | undefined
  /** Fails with INVALID_PARAMETERS, field base. */
  readChange(folder: string, base: string | undefined): Promise<Outcome<Change>>
  ledgerOf(top: string): Ledger
  /** The files of a work tree with tests for Playwright. */
  findTestFiles(top: string): Promise<Outcome<readonly string[]>>
  readonly outputFolder: string
  /** Writes verify.md, into the folder of a session if there is one, and returns its path. */
  write(session: OpenSession | undefined, markdown: string): Promise<Outcome<string>>
}

export function startVerify(start: ServerStart): {
  readonly context: { readonly verify: VerifyService; readonly testObserver?: TestRunObserver }
  readonly session: (session: NewSession) => readonly SessionFeature[]
} {
  const { settings, elsewhereFlags, limits, createContext, featureContext } = start
  const isRefused = findGitObstacle(limits) !== undefined
  const outputFolder = resolve(settings.outputDir)
  const git = () => createRunGit(createContext())
  // A server whose variables are limited gets nothing from here.
  const isCounted = limits === undefined && settings.serverCoverage
  const ledgerOf = (top: string) => openLedger(outputFolder, top, { git: git() })
  const beginnings = createBeginnings(git, ledgerOf)
  const verify: VerifyService = {
    findObstacle: () => findGitObstacle(limits),
    readChange: (folder, base) => readChange(git(), folder, base, beginnings.of),
    ledgerOf,
    findTestFiles: (top) => findTestFiles(git(), top, outputFolder),
    outputFolder,
    write: (session, markdown) =>
      session ? writeInSession(session, markdown) : writeVerdict(outputFolder, markdown),
  }
  const changedPathsOf = createChangedPaths(git, beginnings.note)
  const addToSession = (session: NewSession): readonly SessionFeature[] => {
    const { request } = session
    const folder = resolve(request.server?.cwd ?? process.cwd())
    const paths = once(() => changedPathsOf(folder))
    const coverage = createSessionCoverage({
      folder,
      ...(isCounted ? countServer(createContext(), session, paths) : UNCOUNTED),
      unseen: isRefused ? 'no git may run here' : unseenReasonOf(session, elsewhereFlags),
      paths,
      summarize: async () =>
        isRefused || paths().current().size === 0 ? undefined : summarize(verify, folder),
      openReading: (owner, tree) => openReading(owner, session, tree),
      openLedger: (top) => openLedger(outputFolder, top),
      locateErrors,
    })
    const blank = watchBlank(session, isRefused ? async () => {} : noteBlank(paths, outputFolder))
    const isGuarded = !isRefused && (request.guard ?? settings.guard) && request.server !== undefined
    const verdict = { members: { lastVerdict: createLastVerdict() } }
    return [coverage, blank, verdict, ...(isGuarded ? [guardSession(session, guardPartsOf(folder))] : [])]
  }
  const guardPartsOf = (folder: string): Parameters<typeof guardSession>[1] => ({
    tests: () => featureContext().tests,
    observer: testObserver,
    findTouched: () => findTouchedIn(folder, verify),
    formatPlace,
  })
  const testObserver = createTestObserver({
    findTop: (folder) => findRealTop(git(), folder),
    readChange: verify.readChange,
    findTouched: (change) => findTouched(change, verify),
    ledgerOf: verify.ledgerOf,
    openServers: async (flush) =>
      isCounted ? openCoverage(createContext(), crypto.randomUUID(), flush) : undefined,
  })
  return { context: { verify, ...(!isRefused && { testObserver }) }, session: addToSession }
}

// --- internal ---

async function findRealTop(git: RunGit, folder: string): Promise<string | undefined> {
  const top = await findTop(git, folder)
  return top.ok ? realpathSync(top.value) : undefined
}

async function findTouchedIn(folder: string, verify: VerifyService) {
  const change = await verify.readChange(folder, undefined)
  if (!change.ok) return undefined
  const flows = await findTouched(change.value, verify)
  return flows.ok ? { top: change.value.top, flows: flows.value } : undefined
}

async function summarize(verify: VerifyService, folder: string): Promise<string | undefined> {
  const change = await verify.readChange(folder, undefined)
  if (!change.ok) return undefined
  const verdict = await judgeAlone(change.value, verify)
  return verdict.ok ? `${verdict.value.verdict} - ${summaryOf(verdict.value)}` : undefined
}

type ServerParts = Pick<Parameters<typeof createSessionCoverage>[0], 'servers' | 'serverVariables'>

const UNCOUNTED: ServerParts = { servers: async () => undefined, serverVariables: async () => ({}) }

/** Counts in the server of a session if something is changed when it starts. A server that goes on without Footlight is not counted. */
function countServer(context: ServerContext, { record }: NewSession, paths: () => ChangedPaths): ServerParts {
  let coverage: Promise<ServerCoverage | undefined> | undefined
  let hasStarted = false
  return {
    servers: async () => coverage,
    async serverVariables({ command, env }) {
      if (command === undefined) return {}
      await (hasStarted ? paths().refresh() : paths().ready)
      hasStarted = true
      if (paths().current().size === 0) return {}
      coverage ??= openCoverage(context, record.id)
      return (await coverage)?.environmentFor({ ...context.parentEnv, ...env }) ?? {}
    },
  }
}

const ID_CHARS = 8

const openCoverage = ({ folder }: ServerContext, id: string, flush?: Flush) =>
  openServerCoverage(join(folder, `coverage-${id.slice(0, ID_CHARS)}`), flush).catch(() => undefined)

function once<T>(make: () => T): () => T {
  let value: { readonly made: T } | undefined
  return () => (value ??= { made: make() }).made
}

/** Adds the places of an error that left a page blank to the ledger of their work tree. */
const noteBlank =
  (paths: () => ChangedPaths, outputFolder: string): NoteCause =>
  async (session, { error, places }) => {
    const top = places.length > 0 ? await paths().top : undefined
    if (top === undefined) return
    const entries = places.flatMap((place) => errorEntryOf(error, place, session, top, true) ?? [])
    if (entries.length > 0) await openLedger(outputFolder, top).append(entries)
  }

const CHROMIUM = new Set(['chromium', 'chrome', 'msedge'])

/** Why nothing is known of what the pages of a session run. */
function unseenReasonOf(
  { record: { browser, isAttached } }: NewSession,
  elsewhereFlags: ServerStart['elsewhereFlags'],
): string | undefined {
  if (elsewhereFlags.length > 0) return 'no coverage in a browser elsewhere'
  if (isAttached) return "no coverage in the user's own browser"
  return CHROMIUM.has(browser) ? undefined : `no coverage in ${browser}`
}

/** Scripts are read from the pages of the session, and their maps through its proxy. */
const openReading = (
  { page, scriptOrigin }: OwnedSession,
  { endSignal }: NewSession,
  tree: ReadTree,
): PageReading =>
  openPageReading(page.parts.context, {
    ...tree,
    ...scriptOrigin,
    closing: endSignal,
  })

async function writeInSession({ folder }: OpenSession, markdown: string): Promise<Outcome<string>> {
  const last = folder.list().filter(({ name }) => name === FILE_NAME)
  await Promise.all(last.map(({ path }) => folder.remove(path)))
  return map(await folder.write(FILE_NAME, markdown), ({ path }) => path)
}
