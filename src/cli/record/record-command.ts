// `footlight record URL`: a person does in a window what a test is to do. Then the test is replayed without a window, and written.

import process from 'node:process'
import type { RecordRequest } from './record-request.ts'
import { readState } from './read-state.ts'
import { createRevocableFiles } from './revocable-files.ts'
import { hideEnteredSecrets, prepareRecording, saveRecording, saveUnproven } from './save-recording.ts'
import { createTemporaryStore } from './uploaded-files.ts'
import { DAY_MS } from '../options/option-schemas.ts'
import type { Settings } from '../options/options.ts'
import { userProxyOf } from '../options/user-proxy-option.ts'
import { printSaved, printSteps } from './print-recording.ts'
import { printMessage, showProgress } from '../output.ts'
import { waitForEnter, watchInterruption } from '../terminal.ts'
import { createServices, type Services } from '../serve/create-services.ts'
import { hasDisplay } from '../serve/display.ts'
import { openRecordingWindow } from '../../browser/recording/recording-window.ts'
import { createPersonSteps } from '../../core/recording/person-steps.ts'
import type { RecordedStep } from '../../core/recording/recorded-step.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import { ok } from '../../core/result.ts'
import { failureText } from '../../mcp/answers/failure-text.ts'
import { settleWithin } from '../../runtime/calls/settle-within.ts'
import type { OpenSession } from '../../runtime/ports/open-session.ts'
import type { StorageState } from '../../runtime/ports/page/storage-state.ts'
import type { Caller } from '../../runtime/ports/tool-call.ts'
import { findTestPlace } from '../../tools/save-test/test-files.ts'

const OWNER = 'record'
const RELEASE_TIMEOUT_MS = 1500
const SERVER_GRACE_MS = 1000

/** Runs until the window is closed or Enter is pressed, and writes the test; a signal ends it and nothing is saved. Answers the exit
 * code. */
export async function runRecord(request: RecordRequest, settings: Settings): Promise<number> {
  if (!hasDisplay()) return fail('record needs a display for its window. Run it on a machine that has one.')
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

// --- internal ---

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
        ...(state && { storageState: state }),
        ...(settings.ignoreHttpsErrors && { ignoreHTTPSErrors: true }),
        ...(command !== undefined && { server: { command, ...(cwd !== undefined && { cwd }) } }),
      },
      caller,
    )
  // The dev server comes with it.
  const server = command === undefined ? ok(undefined) : await openSession()
  showProgress('')
  if (!server.ok) return failWith(server.error)
  const url = new URL(request.url, server.value?.server?.info().url).href
  const steps = await record(url, state, settings, services)
  if (!steps.ok) return failWith(steps.error)
  if (steps.value.length < 2) return fail('nothing was done in the window, so there is no test')
  printMessage(`${steps.value.length} steps; replaying them without a window`)
  const session = server.value ? ok(server.value) : await openSession()
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
  const result = await saveRecording(recording.value, session, services, caller)
  showProgress('')
  if (result.ok) {
    printSaved(result.value)
    return 0
  }
  // What was interrupted has no reason of its own.
  if (caller.signal.aborted) return 1
  const failureLines = [...(result.lines ?? []), failureText(result.error)].join('\n')
  const reason = hideEnteredSecrets(session.redact(failureLines), steps)
  printMessage(reason)
  const path = await saveUnproven(recording.value, reason, session, services)
  return path.ok ? fail(`${path.value} was written, but it fails: repair it by hand`) : failWith(path.error)
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
    {
      browser,
      timeout: launchTimeout,
      onNotice: log.warnOnce,
      ...userProxyOf(settings),
      ...(executablePath !== undefined && { executablePath }),
    },
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

async function release({ sessions, browsers, proxies }: Services): Promise<void> {
  const work = sessions.end(SERVER_GRACE_MS).then(() => browsers.end())
  await settleWithin(RELEASE_TIMEOUT_MS, work)
  proxies.close()
}

function fail(message: string): number {
  printMessage(message)
  return 1
}

const failWith = (failure: Failure): number => fail(failureText(failure))
