// Gathers what is known of the change, judges it, and writes the verdict for a pull request.

import { join } from 'node:path'
import process from 'node:process'
import { inField, type Outcome } from '../../core/base/failure.ts'
import { err, map, ok } from '../../core/base/result.ts'
import { createDeadline } from '../../core/base/system/race-deadline.ts'
import { clip } from '../../core/base/text/clip.ts'
import { parseUrl } from '../../core/base/text/parse-url.ts'
import type { UntoldFile } from '../../core/sessions/types/freshness.ts'
import type { OpenSession } from '../../core/sessions/types/open-session.ts'
import type { ToolCall, ToolOutcome } from '../../core/tool/tool-call.ts'
import type { ToolContext } from '../../core/tool/tool.ts'
import { freshnessLineOf } from '../freshness/describe-freshness.ts'
import { pathInTree, realFolderOf } from './change/path-in-tree.ts'
import type { Change } from './change/read-change.ts'
import { type Claim, judgeClaims, parseClaims, type ParsedClaim } from './claims/judge-claims.ts'
import { findTouched } from './flows/find-touched.ts'
import { runFlows } from './flows/run-flows.ts'
import { isDocumentation } from './pieces/documentation.ts'
import { piecesOf } from './pieces/pieces.ts'
import { findServerErrors } from './server-errors.ts'
import type { Voucher } from './verdict/file-verdict.ts'
import { answerOf, type VerdictAnswer } from './verdict/verdict-answer.ts'
import { verdictMarkdown } from './verdict/verdict-markdown.ts'
import { ageOf } from './verdict/verdict-words.ts'
import { type ClaimVerdict, judge } from './verdict/verdict.ts'
import type { VerifyService } from './verify-service.ts'

export interface VerifyRequest {
  readonly base?: string
  readonly claims?: readonly Claim[]
  /** Whether the tests that the change touches run first. */
  readonly run?: boolean
  readonly cwd?: string
}

type ChangeSources = Pick<
  VerifyService,
  'readChange' | 'ledgerOf' | 'findTestFiles' | 'outputFolder' | 'write'
>

/** The answer, with the path of all of it. */
type VerifyAnswer = VerdictAnswer & { readonly file: string; readonly notes?: string[] }

/** Verifies in the session of the key, or without one where none is open. Fails as git and the session do. */
export async function runVerify(
  { cwd, ...others }: VerifyRequest,
  sessionKey: string | undefined,
  context: ToolContext,
): Promise<ToolOutcome<VerifyAnswer>> {
  const obstacle = context.verify.findObstacle()
  if (obstacle) return err(obstacle)
  const folder = cwd === undefined ? ok(undefined) : await context.files.find(cwd)
  if (!folder.ok) return err(inField(folder.error, 'cwd'))
  const request = { ...others, ...(folder.value !== undefined && { cwd: folder.value }) }
  const claims = parseClaims(request.claims ?? [], context)
  if (!claims.ok) return claims
  const hasSession = sessionKey !== undefined || context.sessions.list(context.caller.owner).length > 0
  const problems = request.run ? await runTouched(request, sessionKey, context) : ok([])
  if (!problems.ok) return problems
  const runIn = (session?: OpenSession) => run(request, claims.value, session, context.verify, problems.value)
  return hasSession ? context.sessions.runOnSession(callOf(sessionKey, context), runIn) : runIn()
}

/** Verifies where no server runs: by what git and the ledger know. */
export const verifyAlone = (request: VerifyRequest, verify: ChangeSources): Promise<Outcome<VerifyAnswer>> =>
  run(request, request.claims ?? [], undefined, verify)

// --- internal ---

const callOf = (sessionKey: string | undefined, { caller, foundSession }: ToolContext): ToolCall => ({
  ...caller,
  session: foundSession,
  sessionKey,
  description: 'verify',
  timeoutKind: 'action',
  changesPage: false,
  graceMs: 0,
  readsPageOutput: true,
})

/** Runs the tests that the change touches. Returns why some failed or could not be run. */
async function runTouched(
  { base, cwd }: VerifyRequest,
  sessionKey: string | undefined,
  context: ToolContext,
): Promise<ToolOutcome<readonly string[]>> {
  const hasSession = sessionKey !== undefined || context.sessions.list(context.caller.owner).length > 0
  const read = (runner?: string) =>
    context.sessions.runOnSession(callOf(sessionKey, context), async ({ coverage }) => {
      await coverage.flush(runner)
      return ok(coverage.folder)
    })
  const own = hasSession ? await read() : ok(process.cwd())
  if (!own.ok) return own
  const change = await context.verify.readChange(cwd ?? own.value, base)
  if (!change.ok) return change
  const touched = await findTouched(change.value, context.verify)
  if (!touched.ok) return touched
  const flows = touched.value
  const problems = await runFlows(flows, change.value.top, context)
  // What the server of the session ran meanwhile, it ran for them.
  if (hasSession && flows.length > 0) await read('tests')
  return ok(problems)
}

/** A build of that time is one to wait for by `wait_for {fresh: true}`. */
const PENDING_TIMEOUT_MS = 3000

async function run(
  { base, cwd }: VerifyRequest,
  claims: readonly ParsedClaim[],
  session: OpenSession | undefined,
  verify: ChangeSources,
  notes: readonly string[] = [],
): Promise<Outcome<VerifyAnswer>> {
  const change = await verify.readChange(cwd ?? session?.coverage.folder ?? process.cwd(), base)
  if (!change.ok) return change
  const stale = session
    ? [...(await describeOtherTree(session, change.value.top)), ...(await readStale(session, change.value))]
    : []
  const judged = await judgeClaims(claims, stale, session)
  const failure = await session?.coverage.flush()
  if (failure) return err(failure)
  const flows = await findTouched(change.value, verify)
  if (!flows.ok) return flows
  const testFiles = await verify.findTestFiles(change.value.top)
  if (!testFiles.ok) return testFiles
  const now = Date.now()
  const { top, isBaseKnown, files: changed } = change.value
  const { entries, passedOver } = await verify.ledgerOf(top).read()
  const failures = session ? findServerErrors(session, top, changed) : []
  const allNotes = [...notes, ...passedOver, ...(session?.coverage.origins.notes() ?? [])]
  const verdict = judge({
    ...{ base: change.value.base, isBaseKnown, changed, claims: judged, flows: flows.value },
    entries: [...entries, ...failures],
    tests: new Set(testFiles.value),
    stale: [...stale, ...(session ? describeRemoved(session, change.value) : [])],
    serverNote: session ? serverNoteOf(session, now) : '',
    serverFiles: session ? serverFilesOf(session, top) : new Set(),
    unseen: session?.coverage.unseen,
    uncounted: await session?.coverage.notSeenReason(),
    voucher: session && findVoucher(session, judged, now),
  })
  const markdown = verdictMarkdown(verdict, now, session ? allNotes.map(session.redact) : allNotes)
  const answer = answerOf(verdict, now)
  session?.lastVerdict.replace(answer, now)
  return map(await verify.write(session, markdown), (file) => ({
    ...{ ...answer, file },
    ...(allNotes.length > 0 && { notes: allNotes }),
  }))
}

/** A session whose files are others shows nothing of these. */
async function describeOtherTree({ coverage }: OpenSession, top: string): Promise<readonly string[]> {
  const own = await coverage.top()
  return own === top ? [] : [`The session is of another folder: ${own ?? coverage.folder}, not of ${top}.`]
}

/** Why the page may not show the code as it is. What is on its way to the page is waited for. */
async function readStale(session: OpenSession, change: Change): Promise<readonly string[]> {
  const first = await session.freshness()
  if (first.state === 'pending') {
    const deadline = createDeadline(PENDING_TIMEOUT_MS, new AbortController().signal, Date.now)
    await session.waitUntilFresh?.(deadline)
  }
  const freshness = first.state === 'pending' ? await session.freshness() : first
  if (freshness.state === 'unknown') {
    // A file of which nothing can run is not shown by what runs.
    const isIdle = ({ file, reason }: UntoldFile) => {
      const path = join(session.coverage.folder, file)
      const changed = change.files.find((one) => join(change.top, one.path) === path)
      const isEmpty = changed !== undefined && piecesOf(changed).isEmpty
      return reason === 'unnamed' && (isEmpty || isDocumentation(file, changed?.content))
    }
    const { untold } = freshness
    const open = untold.filter((one) => !isIdle(one)).map(({ file }) => file)
    if (untold.length > 0 && open.length === 0) return []
    return [`It cannot be told whether the page shows ${open.join(', ') || 'the code as it is now'}.`]
  }
  return [freshnessLineOf(freshness) ?? []].flat().map(session.redact)
}

/** The files that are gone, and that the server did not have for a page since. */
function describeRemoved({ network }: OpenSession, { files }: Change): readonly string[] {
  const removed = files.filter(({ change }) => change === 'removed')
  if (removed.length === 0) return []
  const lastEditAt = Math.max(0, ...files.map(({ editedAt = 0 }) => editedAt))
  const { entries } = network.read({
    limit: Infinity,
    accept: ({ at, status }) => at > lastEditAt && status === 404,
  })
  const paths = entries.flatMap(({ url }) => parseUrl(url)?.pathname ?? [])
  return removed
    .filter(({ path }) => paths.some((one) => one !== '/' && `/${path}`.endsWith(one)))
    .map(({ path }) => `${path} is gone, and a page asked for it: 404.`)
}

/** The source files that the processes of the server had read at their start. */
function serverFilesOf({ server }: OpenSession, top: string): ReadonlySet<string> {
  const code = server?.code?.({ withPrograms: true })
  if (!code) return new Set()
  const folder = realFolderOf(code.folder)
  const files = code.programs.flatMap((program) => [...program.files])
  return new Set(files.map((file) => pathInTree(top, join(folder, file))))
}

/** What is known of a server whose lines nobody counts. */
function serverNoteOf(session: OpenSession, now: number): string {
  const start = startOf(session)
  if (!start) return ''
  const { startedAt, answerCount } = start
  return `its server started ${ageOf(startedAt, now)} and has answered ${answerCount} ${answerCount === 1 ? 'request' : 'requests'}`
}

/** When the server of a session was started, or a program of it by itself, and what it has answered since. */
function startOf({ server, network }: OpenSession) {
  const info = server?.info()
  if (!info) return undefined
  const programs = server?.code?.({ withPrograms: true })?.programs ?? []
  const starts = programs.filter(({ isUp }) => isUp).map((program) => program.startedAt)
  const startedAt = Math.max(Date.parse(info.startedAt), ...starts)
  const origin = parseUrl(info.url)?.origin
  const { entries } = network.read({
    limit: Infinity,
    accept: ({ at, url, state }) => at > startedAt && state !== 'pending' && parseUrl(url)?.origin === origin,
  })
  return { startedAt, answerCount: entries.length }
}

/** What a server that shows what a claim says vouches for: what it has read when it started. */
function findVoucher(
  session: OpenSession,
  claims: readonly ClaimVerdict[],
  now: number,
): Voucher | undefined {
  const start = startOf(session)
  const claim = claims.find(({ verdict }) => verdict === 'PASS')
  if (!start || !claim || start.answerCount === 0) return undefined
  const { startedAt } = start
  const ground = `server started ${ageOf(startedAt, now)}; ${JSON.stringify(clip(claim.say, SAY_LIMIT_CHARS))} holds`
  return { startedAt, ground }
}

const SAY_LIMIT_CHARS = 80
