// `footlight record URL`: a person does in a window, or in the view, what a test is to do. Then the test is replayed without a window, and
// written.

import { lstatSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import process from 'node:process'
import { type Failure, invalidParameter, type Outcome } from '../../core/base/failure.ts'
import type { Files } from '../../core/base/files/files.ts'
import { removeIfEmpty } from '../../core/base/files/remove-folder.ts'
import { err, map, ok } from '../../core/base/result.ts'
import type { StorageState } from '../../core/base/storage.ts'
import { settleWithin } from '../../core/base/system/settle-within.ts'
import { userProxyOf } from '../../core/cli/options/option-conflicts.ts'
import { DAY_MS } from '../../core/cli/options/option-schemas.ts'
import type { Settings } from '../../core/cli/options/options.ts'
import { createServices } from '../../core/cli/serve/create-services.ts'
import { hasDisplay } from '../../core/cli/serve/display.ts'
import type { Services } from '../../core/cli/serve/server-parts.ts'
import {
  fail,
  printLine,
  printMessage,
  showProgress,
  waitForEnter,
  watchInterruption,
} from '../../core/cli/terminal/output.ts'
import { failureText } from '../../core/mcp/answers/failure-text.ts'
import type { OpenSession } from '../../core/sessions/types/open-session.ts'
import type { RecordedStep } from '../../core/sessions/types/recorded-step.ts'
import type { Caller, ToolCall } from '../../core/tool/tool-call.ts'
import { createPersonSteps } from '../lib/recording/person-steps.ts'
import { describeAction } from '../lib/replay/prepare-steps.ts'
import { describeSteps } from '../save-test/code/step-title.ts'
import { type SavedTest, saveSteps, saveUnprovenSteps } from '../save-test/plan/save-steps.ts'
import { findTestPlace, type TestPlace } from '../save-test/plan/test-files.ts'
import { parseStorageState } from '../states/parse-storage-state.ts'
import { createViewStarter } from '../view/view-starter.ts'
import type { RecordRequest } from './record-request.ts'
import { openRecordingWindow } from './recording-window.ts'
import { createTemporaryStore, storeUploads } from './uploaded-files.ts'

const OWNER = 'record'
const RELEASE_TIMEOUT_MS = 1500
const SERVER_GRACE_MS = 1000

/** Runs until the window is closed or Enter is pressed, and writes the test; a signal ends it and nothing is saved. Answers the exit
 * code. */
export async function runRecord(request: RecordRequest, settings: Settings): Promise<number> {
  const state = await readState(request.storageState)
  if (!state.ok) return failWith(state.error)
  const interruption = watchInterruption()
  // The session for the replays waits as long as the person takes.
  const allServices = createServices({
    ...settings,
    headless: true,
    sessionTimeout: DAY_MS,
    maxLifetime: DAY_MS,
    warm: 0,
  })
  const { files, revoke } = createRevocableFiles(allServices.files, interruption.signal)
  const services = { ...allServices, files }
  process.once('exit', services.temporary.remove)
  const place = request.save === undefined ? ok(undefined) : await findTestPlace(request.save, files)
  if (!place.ok) return failWith(place.error)
  const exitCode = await Promise.race([
    interruption.exitCode,
    recordAndSave(request, settings, state.value, services, interruption.signal),
  ])
  if (interruption.signal.aborted) {
    await revoke()
    showProgress('')
    printMessage('nothing was saved')
  }
  await release(services)
  return exitCode
}

async function recordAndSave(
  request: RecordRequest,
  settings: Settings,
  state: StorageState | undefined,
  services: Services,
  interruption: AbortSignal,
): Promise<number> {
  const caller: Caller = {
    owner: OWNER,
    signal: interruption,
    progress: showProgress,
    ask: undefined,
  }
  const { command, cwd } = request
  const openSession = (): Promise<Outcome<OpenSession>> =>
    services.sessions.create(
      OWNER,
      {
        storageState: state,
        ...(settings.ignoreHttpsErrors && { ignoreHTTPSErrors: true }),
        ...(command !== undefined && { server: { command, cwd } }),
      },
      caller,
    )
  const isInView = settings.view || !hasDisplay()
  // The dev server comes with it.
  const firstSession = isInView || command !== undefined ? await openSession() : ok(undefined)
  showProgress('')
  if (!firstSession.ok) return failWith(firstSession.error)
  const url = new URL(request.url, firstSession.value?.server?.info().url).href
  const steps =
    isInView && firstSession.value
      ? await recordInView(url, firstSession.value, services, caller)
      : await record(url, state, settings, services)
  if (!steps.ok) return interruption.aborted ? 1 : failWith(steps.error)
  if (steps.value.length < 2) return fail('nothing was done, so there is no test')
  printMessage(`${steps.value.length} steps; replaying them without a window`)
  const session = firstSession.value ? ok(firstSession.value) : await openSession()
  if (!session.ok) return failWith(session.error)
  return save(steps.value, request, session.value, services, caller)
}

async function save(
  steps: readonly RecordedStep[],
  request: RecordRequest,
  session: OpenSession,
  services: Services,
  caller: Caller,
): Promise<number> {
  const recording = await prepareRecording(steps, request, services)
  if (!recording.ok) return failWith(recording.error)
  const result = await saveSteps(recording.value, session, {
    ...services,
    ...services.featureContext,
    caller,
  })
  showProgress('')
  if (result.ok) {
    printSaved(result.value)
    return 0
  }
  // What was interrupted has no reason of its own.
  if (caller.signal.aborted) return 1
  const failureLines = [...(result.steps?.lines ?? []), failureText(result.error)].join('\n')
  const reason = hideEnteredSecrets(session.redact(failureLines), steps)
  printMessage(reason)
  const { place, ...test } = recording.value
  const written = await saveUnprovenSteps({ ...test, path: place.path }, reason, session, services)
  return written.ok
    ? fail(`${written.value} was written, but it fails: repair it by hand`)
    : failWith(written.error)
}

async function record(
  url: string,
  state: StorageState | undefined,
  settings: Settings,
  { temporary, servers, log }: Services,
): Promise<Outcome<readonly RecordedStep[]>> {
  // It removes the folder of a browser that is ended from outside.
  servers.guard()
  const recorded = createPersonSteps()
  const { browser, launchTimeout, executablePath, ignoreHttpsErrors, testIdAttribute } = settings
  const window = await openRecordingWindow(
    { browser, timeout: launchTimeout, onNotice: log.warnOnce, ...userProxyOf(settings), executablePath },
    url,
    {
      state,
      ignoreHTTPSErrors: ignoreHttpsErrors,
      testIdAttribute,
      storeFiles: createTemporaryStore(temporary.folder),
      onEvent: (event) => printSteps(recorded.add(event)),
    },
  )
  if (!window.ok) return window
  printMessage(
    'do what the test is to do; the toolbar has checks. Close the window or press Enter here at the end (Ctrl+C: nothing is saved)',
  )
  await Promise.race([window.value.closed, waitForEnter()])
  await window.value.end()
  const { steps, lines } = recorded.finish()
  printSteps(lines)
  return ok(steps)
}

/** The person acts in the view of a session, until they return it. */
async function recordInView(
  url: string,
  { record: { id }, recording }: OpenSession,
  services: Services,
  caller: Caller,
): Promise<Outcome<readonly RecordedStep[]>> {
  const { sessions } = services
  const action = { kind: 'navigate', url } as const
  const call: ToolCall = {
    ...caller,
    sessionKey: id,
    description: describeAction(action),
    timeoutKind: 'navigation',
    graceMs: 0,
    changesPage: true,
    opensUrl: url,
  }
  const navigation = await sessions.runOnPage(call, (page, deadline) => page.perform(action, deadline))
  if (!navigation.ok) return navigation
  const view = createViewStarter(services, () => undefined)
  printMessage(
    `open ${await view.createAddress()}\nTake the session over there and do what the test is to do; Return ends the recording (Ctrl+C: nothing is saved)`,
  )
  const request = { reason: 'Do what the test is to do, then Return', timeout: DAY_MS }
  const handover = await sessions.handOver(call, request)
  view.close()
  return map(handover, () => recording.read().steps)
}

async function release({ sessions, browsers, proxies }: Services): Promise<void> {
  const work = sessions.end(SERVER_GRACE_MS).then(() => browsers.end())
  await settleWithin(RELEASE_TIMEOUT_MS, work)
  proxies.close()
}

const failWith = (failure: Failure): number => fail(failureText(failure))

/** What was written, and what its author should know. */
function printSaved({
  path,
  actions,
  checks,
  replays,
  config,
  run,
  environment = [],
  notes = [],
}: SavedTest): void {
  const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`
  printLine(
    `${path}: ${count(actions, 'action')}, ${count(checks, 'check')}, replayed ${count(replays, 'time')}`,
  )
  if (config !== undefined) printLine(`${config}: a configuration, because the project had none`)
  printLine(`Playwright Test: ${run}`)
  if (environment.length > 0) printLine(`It needs these environment variables: ${environment.join(', ')}`)
  for (const note of notes) printLine(note)
}

/** What was noticed, as it happens. */
const printSteps = (lines: readonly string[]): void => {
  for (const line of lines) process.stderr.write(`  ${line}\n`)
}

/** The state in a file that `storage_state` or `login` has written; undefined without a path. */
async function readState(path: string | undefined): Promise<Outcome<StorageState | undefined>> {
  if (path === undefined) return ok(undefined)
  const expected = 'a file that storage_state or footlight login has saved'
  try {
    return parseStorageState(JSON.parse(await readFile(path, 'utf8')), 'storageState')
  } catch (error) {
    return err(invalidParameter('storageState', expected, `${path}: ${(error as Error).message}`))
  }
}

// The files that a recording writes. None is written after the person has said no, and those written before are removed again.
interface RevocableFiles {
  readonly files: Files
  /** Removes what was created, and the folders that were created for it. */
  revoke(): Promise<void>
}

export function createRevocableFiles(files: Files, interruption: AbortSignal): RevocableFiles {
  const creations: { readonly missing: readonly string[]; readonly outcome: Promise<Outcome<string>> }[] = []
  return {
    files: {
      ...files,
      async create(path, ...rest) {
        if (interruption.aborted) return err({ code: 'CANCELLED' })
        const missing = missingFolders(dirname(files.resolve(path)))
        const outcome = files.create(path, ...rest)
        creations.push({ missing, outcome })
        return outcome
      },
    },
    async revoke() {
      for (const { missing, outcome } of creations.reverse()) {
        const created = await outcome
        if (created.ok) rmSync(created.value, { force: true })
        missing.forEach(removeIfEmpty)
      }
    },
  }
}

/** The folder and those above it that do not exist, the deepest one first. */
function missingFolders(folder: string): string[] {
  if (lstatSync(folder, { throwIfNoEntry: false }) || dirname(folder) === folder) return []
  return [folder, ...missingFolders(dirname(folder))]
}

const FOLDER = 'tests'
const FILE_NAME_LIMIT_CHARS = 60

/** The steps, with the files that they upload in the folder of the test, and what the test is called. */
interface Recording {
  readonly steps: readonly RecordedStep[]
  readonly title: string
  readonly place: TestPlace
}

/** Chooses the title and the path of a test where the person has named none, and copies uploaded files beside it. */
async function prepareRecording(
  steps: readonly RecordedStep[],
  { save, name }: Pick<RecordRequest, 'save' | 'name'>,
  { files }: Services,
): Promise<Outcome<Recording>> {
  const title = name ?? describeSteps(steps)
  const path = save ?? (await findFreePath(title, files.readIfExists))
  const place = await findTestPlace(path, files)
  if (!place.ok) return place
  const storedSteps = await storeUploads(steps, join(dirname(path), 'files'), files)
  return map(storedSteps, (value) => ({ steps: value, title, place: place.value }))
}

const hideEnteredSecrets = (text: string, steps: readonly RecordedStep[]): string =>
  steps.reduce(
    (hidden, { action }) =>
      action.kind === 'fill' && action.element.isSecret && action.value !== ''
        ? hidden.replaceAll(String(action.value), '•••')
        : hidden,
    text,
  )

async function findFreePath(
  title: string,
  readIfExists: (path: string) => Promise<Outcome<Uint8Array | undefined>>,
): Promise<string> {
  const words = title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, FILE_NAME_LIMIT_CHARS)
  for (let number = 1; ; number += 1) {
    const path = join(FOLDER, `${words || 'recorded'}${number === 1 ? '' : `-${number}`}.spec.ts`)
    const existing = await readIfExists(path)
    if (existing.ok && existing.value === undefined) return path
    if (!existing.ok) return basename(path)
  }
}
