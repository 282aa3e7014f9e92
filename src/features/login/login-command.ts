// `footlight login URL --save NAME|FILE`, or `--profile NAME`: a person logs in in a window, and sessions have the login from then on.

import { basename, dirname, extname, resolve } from 'node:path'
import process from 'node:process'
import type { Failure, Outcome } from '../../core/base/failure.ts'
import type { NamedState } from '../../core/base/files/files.ts'
import { createTemporaryFolder } from '../../core/base/files/temporary-folder.ts'
import type { StorageState } from '../../core/base/storage.ts'
import { userProxyOf } from '../../core/cli/options/option-conflicts.ts'
import type { Settings } from '../../core/cli/options/options.ts'
import { describeUnknownVariables } from '../../core/cli/options/settings.ts'
import { hasDisplay } from '../../core/cli/serve/display.ts'
import {
  fail,
  printLine,
  printMessage,
  waitForEnter,
  watchInterruption,
} from '../../core/cli/terminal/output.ts'
import { createWatchdog } from '../../core/devserver/process/watchdog.ts'
import { failureText } from '../../core/mcp/answers/failure-text.ts'
import { isStateName } from '../../core/sessions/store/session-name.ts'
import { createNamedStates, findStatesFolder, writeState } from '../states/named-states.ts'
import { openLoginWindow } from './login-window.ts'

export interface LoginRequest {
  readonly url: string
  /** The name of a state, or the path of a file; empty with a profile. */
  readonly save: string
}

/** Runs until the window is closed or Enter is pressed, and saves the state; a signal ends it and nothing is saved. Answers the exit
 * code. */
export async function runLogin({ url, save }: LoginRequest, settings: Settings): Promise<number> {
  if (!hasDisplay())
    return fail(
      'login needs a display for its window. On a server, run it on another machine and copy the file.',
    )
  describeUnknownVariables(process.env).forEach(printMessage)
  const target = await openTarget(save, settings.profile)
  if (typeof target === 'string') return fail(target)
  const temporary = createTemporaryFolder()
  process.once('exit', temporary.remove)
  // A browser that was ended from outside may still write to its profile when this process ends.
  createWatchdog(crypto.randomUUID(), temporary.folder)
  const interruption = watchInterruption()
  const state = await Promise.race([interruption.exitCode, readLogin(url, settings, target)])
  const exitCode = typeof state === 'number' ? cancel(state, target) : await saveLogin(state, save, target)
  await target?.release()
  return exitCode
}

// --- internal ---

async function openTarget(
  save: string,
  profile: string | undefined,
): Promise<NamedState | string | undefined> {
  const states = createNamedStates(findStatesFolder())
  if (profile !== undefined) {
    const ownProfile = await states.openProfile(profile, '')
    if (!ownProfile.ok) return failureText(ownProfile.error)
    await ownProfile.value.nameHolder('footlight login')
    return ownProfile.value
  }
  if (!isStateName(save) || extname(save) !== '') return undefined
  const target = await states.open(save, '')
  if (!target.ok) return failureText(target.error)
  return target.value.isSaved
    ? target.value
    : `state ${save} is in use by an open session, which would replace it: close that first`
}

async function readLogin(
  url: string,
  settings: Settings,
  target: NamedState | undefined,
): Promise<Outcome<StorageState>> {
  const window = await openLoginWindow(
    {
      browser: settings.browser,
      timeout: settings.launchTimeout,
      onNotice: printMessage,
      ...userProxyOf(settings),
      executablePath: settings.executablePath,
    },
    url,
    {
      state: target?.state,
      ignoreHTTPSErrors: settings.ignoreHttpsErrors,
      profileFolder: target?.profileFolder,
    },
  )
  if (!window.ok) return window
  printMessage(
    'log in, then close the window or press Enter here; the state is saved then (Ctrl+C: nothing is saved)',
  )
  await Promise.race([window.value.closed, waitForEnter()])
  const lastState = await window.value.capture()
  await window.value.end()
  return lastState
}

function cancel(exitCode: number, target: NamedState | undefined): number {
  printMessage(
    target?.profileFolder === undefined
      ? 'nothing was saved'
      : `cancelled; what the page has stored so far stays in the profile ${target.name}`,
  )
  return exitCode
}

async function saveLogin(
  state: Outcome<StorageState>,
  save: string,
  target: NamedState | undefined,
): Promise<number> {
  if (!state.ok) return failWith(state.error)
  return target ? saveNamed(target, state.value) : saveFile(resolve(save), state.value)
}

async function saveNamed(target: NamedState, state: StorageState): Promise<number> {
  const result = await target.save(state)
  if (!result.ok) return failWith(result.error)
  const [place, field] =
    target.profileFolder === undefined ? ['as', 'restore'] : ['in the profile', 'profile']
  printLine(
    `${describeContent(state)} saved ${place} ${target.name}. Use it with create_session {"${field}": "${target.name}"}`,
  )
  return 0
}

async function saveFile(path: string, state: StorageState): Promise<number> {
  const error = await writeState(dirname(path), basename(path), state).then(
    () => undefined,
    (reason: Error) => reason,
  )
  if (error) return fail(`${path}: ${error.message}`)
  printLine(
    `${describeContent(state)} saved in ${path}.${hasContent(state) ? ' It contains secrets.' : ''} Load it with storage_state {"action": "load"}`,
  )
  return 0
}

const describeContent = ({ cookies, origins }: StorageState): string =>
  `${cookies.length} ${cookies.length === 1 ? 'cookie' : 'cookies'} and the storage of ${origins.length} ${origins.length === 1 ? 'origin' : 'origins'}`

const hasContent = ({ cookies, origins }: StorageState): boolean => cookies.length + origins.length > 0

const failWith = (failure: Failure): number => fail(failureText(failure))
